import { fail } from './errors.ts';
import { isTruthy } from './expressions.ts';
import { type Doc, isDoc, setField, type Value } from './values.ts';

type Slice = (value: Value) => Value;

/**
 * Compiles the projection of find() and findAndModify (manual: "Project Fields to Return from Query"): fields of the
 * document itself that are kept or left out, and `$slice`. Undefined if it keeps all fields.
 */
export function compileProjection(spec: Value | undefined): ((doc: Doc) => Doc) | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (!isDoc(spec)) return fail(14, 'BSON field projection is the wrong type, expected object');
  if (Object.keys(spec).length === 0) return undefined;
  const kept = new Map<string, boolean>();
  const slices = new Map<string, Slice>();
  for (const [name, value] of Object.entries(spec)) {
    if (name.includes('.') || name.startsWith('$'))
      fail(115, `projections of ${name} are not supported by this database`);
    if (isDoc(value) && Object.keys(value)[0] === '$slice') slices.set(name, compileSlice(value.$slice as Value));
    else if (typeof value === 'boolean' || typeof value === 'number') kept.set(name, isTruthy(value));
    else fail(115, `expressions in projections are not supported by this database: ${name}`);
  }
  const keepsId = kept.get('_id') ?? true;
  kept.delete('_id');
  const [keeps = keepsId && slices.size === 0, ...rest] = new Set(kept.values());
  if (rest.length > 0) fail(31254, 'Cannot do inclusion and exclusion in one projection');
  return (doc) => {
    const result: Doc = {};
    for (const [name, value] of Object.entries(doc)) {
      const slice = slices.get(name);
      const isKept = name === '_id' ? keepsId : slice !== undefined || kept.has(name) === keeps;
      if (isKept) setField(result, name, slice === undefined ? value : slice(value));
    }
    return result;
  };
}

function compileSlice(argument: Value): Slice {
  if (typeof argument !== 'number') return fail(28667, '$slice takes one integer here');
  return (found) => {
    if (!Array.isArray(found)) return found;
    return argument < 0 ? found.slice(argument) : found.slice(0, argument);
  };
}
