import { fail } from './errors.ts';
import { isTruthy } from './expressions.ts';
import { encodeCompoundKey } from './keys.ts';
import { compileFilter, type Matcher } from './matcher.ts';
import { isIndex, keyValues } from './paths.ts';
import { type Doc, isDoc, type Value } from './values.ts';

/** One field of an index. */
interface IndexField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly direction: 1 | -1;
}

/** An index in memory. Its keys are in a separate table: key and row number. */
export class Index {
  readonly number: number;
  readonly spec: Doc;
  readonly name: string;
  readonly fields: readonly IndexField[];
  readonly unique: boolean;
  readonly partial: Matcher | undefined;
  readonly partialFilter: Doc | undefined;
  readonly table: string;
  readonly keyColumn: string;
  /**
   * Bit i is set if field i goes through an array in some document. Each field is marked separately, not the whole
   * index.
   */
  multikey: number;
  dropped = false;
  private readonly paths: readonly (readonly string[])[];
  private readonly directions: readonly number[];

  constructor(number: number, spec: Doc, multikey: number, table = `i${number}`, keyColumn = 'k') {
    this.number = number;
    this.spec = spec;
    this.name = String(spec.name);
    this.fields = Object.entries(spec.key as Doc).map(([path, direction]) => ({
      path,
      parts: path.split('.'),
      direction: Number(direction) < 0 ? -1 : 1,
    }));
    this.unique = spec.unique === true;
    this.partialFilter = isDoc(spec.partialFilterExpression) ? spec.partialFilterExpression : undefined;
    this.partial = this.partialFilter && compileFilter(this.partialFilter);
    this.table = table;
    this.keyColumn = keyColumn;
    this.multikey = multikey;
    this.paths = this.fields.map((field) => field.parts);
    this.directions = this.fields.map((field) => field.direction);
  }

  isMultikey(field: number): boolean {
    return (this.multikey & (1 << field)) !== 0;
  }

  /** The keys of a document, without repetition, and the fields that went through arrays. */
  keysOf(doc: Doc): { keys: Buffer[]; multikey: number } {
    if (this.partial !== undefined && !this.partial.test(doc)) return { keys: [], multikey: 0 };
    let multikey = 0;
    const rows = keyValues(doc, this.paths, (field) => {
      multikey |= 1 << field;
    });
    const keys = new Map<string, Buffer>();
    for (const row of rows) {
      const key = encodeCompoundKey(row, this.directions);
      keys.set(key.toString('latin1'), key);
    }
    return { keys: [...keys.values()], multikey };
  }

  /** The first key of a document as names and values, for the message about a duplicate. */
  keyValueOf(doc: Doc): Doc {
    const [row = []] = keyValues(doc, this.paths);
    return Object.fromEntries(
      this.fields.map((field, i) => {
        const value = row[i];
        return [field.path, typeof value === 'symbol' || value === undefined ? null : value];
      }),
    );
  }
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
