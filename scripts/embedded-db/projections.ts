import { composed, fieldsOf } from './documents.ts';
import { fail } from './errors.ts';
import { isTruthy } from './expressions.ts';
import { isDoc, type Value } from './values.ts';

/**
 * Compiles the projection of find() and findAndModify (manual: "Project Fields to Return from Query"): fields of the
 * document itself that are kept or left out. Undefined if it keeps all fields. It copies the bytes of the fields, since
 * reading and writing their values is most of the cost of a long answer.
 */
export function compileProjection(spec: Value | undefined): ((raw: Uint8Array) => Buffer) | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (!isDoc(spec)) return fail(14, 'BSON field projection is the wrong type, expected object');
  if (Object.keys(spec).length === 0) return undefined;
  const kept = new Map<string, boolean>();
  for (const [name, value] of Object.entries(spec)) {
    if (name.includes('.') || name.startsWith('$'))
      fail(115, `projections of ${name} are not supported by this database`);
    if (typeof value === 'boolean' || typeof value === 'number') kept.set(name, isTruthy(value));
    else fail(115, `expressions in projections are not supported by this database: ${name}`);
  }
  const keepsId = kept.get('_id') ?? true;
  kept.delete('_id');
  const [keeps = keepsId, ...rest] = new Set(kept.values());
  if (rest.length > 0) fail(31254, 'Cannot do inclusion and exclusion in one projection');
  return (raw) => {
    const fields = [...fieldsOf(raw)].filter(([name]) => (name === '_id' ? keepsId : kept.has(name) === keeps));
    return composed(fields.map(([, bytes]) => bytes));
  };
}
