import { fail } from './errors.ts';
import { isTruthy } from './expressions.ts';
import { encodeCompoundKey } from './keys.ts';
import { compileFilter } from './matcher.ts';
import { isIndex, keyValues } from './paths.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** One field of an index. */
interface IndexField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly direction: 1 | -1;
}

/** An index in memory. Its keys are in a separate table: key and row number. */
export type Index = ReturnType<typeof indexOf>;

/** @param number 0 for the index on _id @param multikey bit i is set if field i goes through an array in some document, since not the whole index does */
export function indexOf(number: number, spec: Doc, multikey: number, table = `i${number}`, keyColumn = 'k') {
  const fields = Object.entries(spec.key as Doc).map(
    ([path, direction]): IndexField => ({ path, parts: path.split('.'), direction: Number(direction) < 0 ? -1 : 1 }),
  );
  const paths = fields.map(({ parts }) => parts);
  const directions = fields.map(({ direction }) => direction);
  const partialFilter = isDoc(spec.partialFilterExpression) ? spec.partialFilterExpression : undefined;
  const partial = partialFilter && compileFilter(partialFilter);
  return {
    number,
    spec,
    fields,
    table,
    keyColumn,
    partialFilter,
    partial,
    multikey,
    name: String(spec.name),
    unique: spec.unique === true || number === 0,

    /** The keys of a document, without repetition, and the fields that went through arrays. */
    keysOf(doc: Doc): { keys: Buffer[]; multikey: number } {
      if (partial !== undefined && !partial.test(doc)) return { keys: [], multikey: 0 };
      let through = 0;
      const rows = keyValues(doc, paths, (field) => {
        through |= 1 << field;
      });
      const keys = new Map<string, Buffer>();
      for (const row of rows) {
        const key = encodeCompoundKey(row, directions);
        keys.set(key.toString('latin1'), key);
      }
      return { keys: [...keys.values()], multikey: through };
    },

    /** The first key of a document as names and values, for the message about a duplicate. */
    keyValueOf(doc: Doc): Doc {
      const [row = []] = keyValues(doc, paths);
      return Object.fromEntries(
        fields.map(({ path }, i) => [path, typeof row[i] === 'symbol' ? null : (row[i] ?? null)]),
      );
    },
  };
}

export function isMultikey({ multikey }: Index, field: number): boolean {
  return (multikey & (1 << field)) !== 0;
}

const OPTIONS = ['key', 'name', 'v', 'unique', 'partialFilterExpression', 'expireAfterSeconds'];

/**
 * Checks the specification of an index (manual: "createIndexes") and converts it to the stored form. Refuses with 67 or
 * 197 what this database does not support, such as text, hashed, wildcard and geospatial keys.
 */
export function parseIndexSpec(given: Doc): Doc {
  const { key, name } = given;
  const length = isDoc(key) ? Object.keys(key).length : 0;
  if (!isDoc(key) || length === 0 || length > 31) return fail(67, 'an index has 1 to 31 keys');
  if (typeof name !== 'string' || name === '')
    return fail(9, "The 'name' field is a required property of an index specification");
  for (const option of Object.keys(given)) {
    if (!OPTIONS.includes(option)) fail(197, `The field '${option}' is not valid for an index specification.`);
  }
  const keys: Doc = {};
  for (const [path, direction] of Object.entries(key)) keys[path] = checkKey(path, direction);
  const spec: Doc = { v: 2, key: keys, name };
  if (isTruthy(given.unique)) spec.unique = true;
  if (given.partialFilterExpression !== undefined) {
    if (!isDoc(given.partialFilterExpression)) return fail(14, "'partialFilterExpression' must be an object");
    compileFilter(given.partialFilterExpression);
    spec.partialFilterExpression = given.partialFilterExpression;
  }
  const { expireAfterSeconds } = given;
  if (expireAfterSeconds !== undefined) {
    const isTime = typeof expireAfterSeconds === 'number' && expireAfterSeconds >= 0;
    if (!isTime || length > 1 || '_id' in key)
      fail(67, 'a TTL index has one field, which is not _id, and a number of seconds that is not negative');
    spec.expireAfterSeconds = expireAfterSeconds;
  }
  return spec;
}

function checkKey(path: string, direction: Value): number {
  const parts = path.split('.');
  if (parts.some((part) => part === '' || part.startsWith('$') || isIndex(part)))
    fail(67, `the index key ${path} is not supported by this database`);
  if (direction !== 1 && direction !== -1)
    return fail(67, `Index type '${direction}' is not supported by this database`);
  return direction;
}
