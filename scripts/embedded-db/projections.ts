import { fail } from './errors.ts';
import { isNumeric, toInteger } from './numbers.ts';
import { projectionTree, projectTree, type Transform } from './transforms.ts';
import { type Doc, getField, isDoc, setField, type Value } from './values.ts';

/**
 * Compiles the projection of find() and findAndModify (manual: "Project Fields to Return from Query"): fields,
 * expressions and `$slice`, which `$project` does not have. Undefined if it keeps all fields.
 */
export function compileProjection(spec: Value | undefined): Transform | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (!isDoc(spec)) return fail(14, 'BSON field projection is the wrong type, expected object');
  if (Object.keys(spec).length === 0) return undefined;
  const plain: Doc = {};
  const slices: { readonly parts: readonly string[]; readonly apply: Slice }[] = [];
  for (const [path, value] of Object.entries(spec)) {
    if (isDoc(value) && Object.keys(value)[0] === '$slice') {
      slices.push({ parts: path.split('.'), apply: compileSlice(value.$slice as Value) });
    } else plain[path] = value;
  }
  if (slices.length === 0) return projectTree(projectionTree(plain));
  const isIncluding = Object.entries(plain).some(
    ([path, value]) => path !== '_id' && value !== false && !(isNumeric(value) && toInteger(value) === 0n),
  );
  if (isIncluding) for (const { parts } of slices) plain[parts.join('.')] = true;
  const base = projectTree(projectionTree(plain, isIncluding ? 'include' : 'exclude'));
  return (doc) => {
    const result = base(doc);
    for (const { parts, apply } of slices) replaceAt(result, parts, 0, apply);
    return result;
  };
}

type Slice = (value: Value) => Value;

function replaceAt(doc: Doc, parts: readonly string[], at: number, apply: Slice): void {
  const name = parts[at] as string;
  const value = getField(doc, name);
  if (value === undefined) return;
  if (at === parts.length - 1) setField(doc, name, apply(value));
  else
    for (const item of Array.isArray(value) ? value : [value]) if (isDoc(item)) replaceAt(item, parts, at + 1, apply);
}

function compileSlice(argument: Value): Slice {
  const list = Array.isArray(argument) ? argument : [argument];
  const [first, second] = list.map((each) => (isNumeric(each) ? toInteger(each) : undefined)).map(Number);
  if (first === undefined || list.length > 2 || Number.isNaN(first) || Number.isNaN(second)) {
    return fail(28667, '$slice takes one or two integers here');
  }
  if (second !== undefined && second <= 0) fail(28724, 'The $slice limit must be positive');
  return (found) => {
    if (!Array.isArray(found)) return found;
    if (second === undefined) return first < 0 ? found.slice(first) : found.slice(0, first);
    const from = first < 0 ? Math.max(0, found.length + first) : first;
    return found.slice(from, from + second);
  };
}
