import { fail } from './errors.ts';
import { compileElementFilter, compileFilter } from './matcher.ts';
import { isNumeric, toInteger } from './numbers.ts';
import type { Position } from './paths.ts';
import { projectionTree, projectTree, type Transform } from './transforms.ts';
import { type Doc, getField, isDoc, setField, type Value } from './values.ts';

/** A projection operator of find() that `$project` does not have. */
interface Special {
  readonly path: string;
  readonly apply: (value: Value, doc: Doc) => Value | undefined;
}

/**
 * Compiles the projection of find() and findAndModify (manual: "Project Fields to Return from Query"): fields,
 * expressions, `$slice`, `$elemMatch` and the positional `$`, which needs the filter. Undefined if it keeps all fields.
 */
export function compileProjection(spec: Value | undefined, filter: Doc): Transform | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (!isDoc(spec)) return fail(14, 'BSON field projection is the wrong type, expected object');
  if (Object.keys(spec).length === 0) return undefined;
  const plain: Doc = {};
  const specials: Special[] = [];
  let including = false;
  for (const [path, value] of Object.entries(spec)) {
    const special = compileSpecial(path, value, filter);
    if (special === undefined) plain[path] = value;
    else {
      specials.push(special.special);
      including ||= special.includes;
    }
  }
  if (specials.length === 0) return projectTree(projectionTree(plain));
  const simple = Object.entries(plain).filter(([path]) => path !== '_id');
  const included =
    including || simple.some(([, value]) => value !== false && !(isNumeric(value) && toInteger(value) === 0n));
  if (included) for (const { path } of specials) plain[path] = true;
  const base = projectTree(projectionTree(plain, included ? 'include' : 'exclude'));
  return (doc, variables) => {
    const result = base(doc, variables);
    for (const { path, apply } of specials) replaceAt(result, path.split('.'), 0, (value) => apply(value, doc));
    return result;
  };
}

function replaceAt(doc: Doc, parts: readonly string[], at: number, apply: (value: Value) => Value | undefined): void {
  const name = parts[at] as string;
  const value = getField(doc, name);
  if (value === undefined) return;
  if (at < parts.length - 1) {
    for (const item of Array.isArray(value) ? value : [value]) if (isDoc(item)) replaceAt(item, parts, at + 1, apply);
    return;
  }
  const replaced = apply(value);
  if (replaced === undefined) delete doc[name];
  else setField(doc, name, replaced);
}

function compileSpecial(path: string, value: Value, filter: Doc): { special: Special; includes: boolean } | undefined {
  if (path.endsWith('.$')) return { special: positional(path.slice(0, -2), filter), includes: true };
  if (!isDoc(value)) return undefined;
  const [operator] = Object.keys(value);
  if (operator === '$slice') {
    const apply = slice(value.$slice as Value);
    // If its arguments are expressions, `$slice` is the aggregation operator.
    return apply === undefined ? undefined : { special: { path, apply }, includes: false };
  }
  if (operator !== '$elemMatch') return undefined;
  if (path.includes('.')) fail(31275, 'Cannot use $elemMatch projection on a nested field');
  if (!isDoc(value.$elemMatch)) return fail(31274, 'elemMatch: Invalid argument, object required');
  const test = compileElementFilter(value.$elemMatch);
  const apply = (found: Value): Value | undefined => {
    const item = Array.isArray(found) ? found.find((each) => test(each)) : undefined;
    return item === undefined ? undefined : [item];
  };
  return { special: { path, apply }, includes: true };
}

function slice(argument: Value): Special['apply'] | undefined {
  const list = Array.isArray(argument) ? argument : [argument];
  if (!list.every(isNumeric)) return undefined;
  const [first = 0, second] = list.map((each) => Number(toInteger(each) ?? 0n));
  if (list.length > 2) fail(28667, '$slice takes at most two arguments');
  if (second !== undefined && second <= 0) fail(28724, 'The $slice limit must be positive');
  return (found) => {
    if (!Array.isArray(found)) return found;
    if (second === undefined) return first < 0 ? found.slice(first) : found.slice(0, first);
    const from = first < 0 ? Math.max(0, found.length + first) : first;
    return found.slice(from, from + second);
  };
}

function positional(path: string, filter: Doc): Special {
  const matcher = compileFilter(filter);
  return {
    path,
    apply: (found, doc) => {
      if (!Array.isArray(found)) return found;
      const position: Position = { index: -1 };
      if (!matcher.test(doc, position) || position.index < 0) {
        return fail(
          51246,
          "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
        );
      }
      const item = found[position.index];
      return item === undefined ? [] : [item];
    },
  };
}
