/** Values that fit a schema of the contract, and values that break it in a single way, with the place that is to blame. */
import { isWithin } from '../../http/answer.ts';
import { OUTERMOST, OUTSIDE } from '../../judge/readers.ts';
import { UNKNOWN_ID } from './calls.ts';
import type { BodyField, InputParameter, InputSchema, JsonType } from './contract-inputs.ts';

/** How a value is wrong. */
type WrongKind =
  | 'missing'
  | 'null'
  | 'type'
  | 'short'
  | 'long'
  | 'range'
  | 'pattern'
  | 'format'
  | 'outside'
  | 'enum'
  | 'items'
  | 'twice'
  | 'unknown field';

interface RightValue {
  readonly what: string;
  readonly value: unknown;
}

interface WrongValue extends RightValue {
  readonly kind: WrongKind;
  /** The part of the value that is to blame, such as `[0]` or `.no_such_field`; `''` is the value itself. */
  readonly within: string;
}

export const NO_SUCH_FIELD = 'no_such_field';

/** One value of each JSON type; a number is one with a fraction. */
const OF_TYPE: readonly (readonly [JsonType, unknown])[] = [
  ['string', 'x'],
  ['integer', 1],
  ['number', 1.5],
  ['boolean', true],
  ['array', []],
  ['object', {}],
];

/** Texts that are not of a format. */
const NOT_OF_FORMAT: Readonly<Record<string, readonly string[]>> = {
  date: [
    ...'2026-02-30|2023-02-29|2026-13-01|2026-00-10|0000-00-00|02.03.2026|2026-3-2|26-03-02'.split('|'),
    ...' 2026-03-02|2026-03-02 |2026-03-02T00:00:00Z|20260302|2026-03-02Z|today|٢٠٢٦-٠٣-٠٢'.split('|'),
  ],
  uuid: ['x', `${UNKNOWN_ID}x`, UNKNOWN_ID.slice(1), UNKNOWN_ID.replaceAll('-', ''), ` ${UNKNOWN_ID}`, '{"$gt":""}'],
  'date-time': [
    ...'yesterday|now|null|NaN|{"$gt":""}|1772445600|2026-03-02|2026-03-02T10:00:00|2026-03-02 10:00'.split('|'),
    ...'2026-02-30T00:00:00Z|2023-02-29T00:00:00Z|2026-13-01T00:00:00Z|2026-00-10T00:00:00Z'.split('|'),
    ...'0000-00-00T00:00:00Z|26-3-2T00:00:00Z|+002026-03-02T00:00:00Z|２０２６-03-02T00:00:00Z'.split('|'),
    ...'2026-03-02T10:00Z|2026-03-02T24:00:00Z|2026-03-02T25:00:00Z|2026-03-02T23:60:00Z'.split('|'),
    ...'2026-03-02T10:00:60Z|2026-03-02T23:59:60Z|2026-03-02T10:00:00.Z|2026-03-02T10:00:00.1234567890Z'.split('|'),
    ...'+24:00|+25:00|+05|+0500| 05:00| Z'.split('|').map((zone) => `2026-03-02T10:00:00${zone}`),
    ...' 2026-03-02T10:00:00Z|2026-03-02 10:00:00Z'.split('|'),
  ],
};

/** A text of a format; `''` for a format that has none here. */
const OF_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-03-02',
  uuid: UNKNOWN_ID,
  'date-time': '2026-03-02T10:00:00Z',
};

const lengthOf = (text: string): number => [...text].length;
const fits = ({ pattern }: InputSchema, text: string): boolean => !pattern || new RegExp(pattern, 'u').test(text);

/** A text of this many code points that meets the pattern: an example, made longer at its end or cut; or undefined. */
function textOfLength(schema: InputSchema, length: number): string | undefined {
  const start = typeof schema.example === 'string' ? schema.example : '';
  const most = [...start].slice(0, length).join('');
  const made = [most + 'x'.repeat(length - lengthOf(most)), most + '1'.repeat(length - lengthOf(most))];
  return ['x'.repeat(length), '1'.repeat(length), ...made].find((text) => fits(schema, text));
}

/** The texts that are right, with what they are. */
function rightTexts(schema: InputSchema): [string, string][] {
  const { values, format, minLength = 0, maxLength, example } = schema;
  if (values !== undefined) return values.map((value) => [value, value]);
  if (format !== undefined) {
    const right: [string, string] = [`a right ${format}`, OF_FORMAT[format] ?? String(example ?? 'x')];
    return [right, ...(OUTERMOST[format] ?? []).map((text): [string, string] => [text, text])];
  }
  const found: [string, string | undefined][] = [
    ['the shortest text', textOfLength(schema, Math.max(1, minLength))],
    ['the longest text', maxLength === undefined ? undefined : textOfLength(schema, maxLength)],
    // Counted in characters, and not in bytes.
    [
      'the longest text beyond ASCII',
      maxLength !== undefined && fits(schema, 'Ж'.repeat(maxLength)) ? 'Ж'.repeat(maxLength) : undefined,
    ],
    ['a text', typeof example === 'string' ? example : undefined],
  ];
  return found.flatMap(([what, text]): [string, string][] => (text === undefined ? [] : [[what, text]]));
}

/** A list of so many items that fit, no two the same where they may not be; undefined where that cannot be made. */
function listOf({ items, isUnique }: InputSchema, length: number): unknown[] | undefined {
  if (items === undefined || !isUnique) return Array.from({ length }, () => items && rightValue(items));
  if (items.values !== undefined) return items.values.length < length ? undefined : items.values.slice(0, length);
  const numbered = (at: number) => UNKNOWN_ID.slice(0, -6) + at.toString(16).padStart(6, '0');
  return Array.from({ length }, (_, at) => (items.format === 'uuid' ? numbered(at) : `${rightValue(items)}${at}`));
}

/** An object with its required fields only. */
const objectOf = ({ fields }: InputSchema): Record<string, unknown> =>
  Object.fromEntries(fields.filter(({ required }) => required).map(({ name, schema }) => [name, rightValue(schema)]));

/**
 * Values that fit the schema: each of an enumeration, the shortest and the longest text, the lowest and the highest number,
 * the shortest and the longest list, an object with its required fields, and what counts as absent.
 */
export function rightValues(schema: InputSchema): RightValue[] {
  const { types, minItems = 0, maxItems, maximum, minimum = Math.min(1, maximum ?? 1) } = schema;
  const found: [string, unknown][] = [];
  if (types.includes('string')) found.push(...rightTexts(schema));
  if (schema.choices !== undefined) found.push(...schema.choices.map((one): [string, unknown] => [String(one), one]));
  else {
    if (types.includes('integer') || types.includes('number')) {
      found.push(['the lowest number', minimum]);
      if (maximum !== undefined) found.push(['the highest number', maximum]);
    }
    if (types.includes('boolean')) found.push(['true', true], ['false', false]);
  }
  if (types.includes('array')) {
    for (const length of new Set([Math.max(1, minItems), ...(maxItems === undefined ? [] : [maxItems])])) {
      const list = listOf(schema, length);
      if (list !== undefined) found.push([`${length} items`, list]);
    }
    if (minItems === 0) found.push(['an empty list', []]);
  }
  if (types.includes('object')) found.push(['an object', objectOf(schema)]);
  if (schema.isNullable) found.push(['null', null]);
  if (schema.takesEmpty) found.push(['an empty text', '']);
  return found.map(([what, value]) => ({ what, value }));
}

/** The first value that fits. */
export const rightValue = (schema: InputSchema): unknown => rightValues(schema)[0]?.value;

const wrong = (kind: WrongKind, what: string, value: unknown, within = ''): WrongValue => ({
  kind,
  what,
  value,
  within,
});

/** Names that resemble a value of an enumeration, and names that mean something to JavaScript. */
function unknownValues(values: readonly string[]): string[] {
  const [first = 'x'] = values;
  const placeholder = /^([A-Z]+_[A-Z]+)_[A-Z_]+$/.exec(first)?.[1];
  const others = [first.toLowerCase(), first.toUpperCase(), first.slice(0, -1), first.replace('.', '_')];
  const around = [` ${first}`, `${first} `, `${first}X`, `${first}; x=y`];
  const odd = ['NO_SUCH_VALUE', '*', 'all', 'constructor', '__proto__', 'toString', ...around, ...others];
  // Names of objects: their plural, other fields of an answer, and objects within others.
  if (/^[a-z_]+$/.test(first)) {
    odd.push(
      `${first}s`,
      first.replace(/^./, (letter) => letter.toUpperCase()),
      'location',
      'redacted_fields',
    );
    odd.push(...['.iin', '/iin', '[iin]', `.${values.at(-1)}`].map((within) => first + within));
  }
  const states = ['UNSPECIFIED', 'CREATED', 'DELETED', 'DRAFT'].map((word) => `${placeholder}_${word}`);
  const words = [first.slice((placeholder?.length ?? 0) + 1), 'CREATED', `${first},${first}`];
  const all = placeholder === undefined ? odd : [...odd, ...states, ...words];
  return [...new Set(all)].filter((value) => value !== '' && !values.includes(value));
}

function wrongTexts(schema: InputSchema): WrongValue[] {
  const { types, maximum, values, format, minLength = 0, maxLength, refused, pattern, takesEmpty } = schema;
  const found = refused.map((text) => wrong('pattern', JSON.stringify(text), text));
  if (types.includes('integer')) {
    found.push(...['1e3', '0x10', ' 5', '5 ', '+5', '٥'].map((text) => wrong('pattern', JSON.stringify(text), text)));
    if (maximum !== undefined) found.push(wrong('range', `${maximum + 1} as text`, String(maximum + 1)));
  }
  if (values !== undefined) {
    const none = takesEmpty ? [] : [''];
    return [...found, ...[...unknownValues(values), ...none].map((each) => wrong('enum', JSON.stringify(each), each))];
  }
  const odd = NOT_OF_FORMAT[format ?? ''] ?? [];
  found.push(...odd.map((text) => wrong('format', JSON.stringify(text), text)));
  found.push(
    ...(OUTSIDE[format ?? ''] ?? []).map((text) => wrong('outside', `${text}, which not every reader holds`, text)),
  );
  if (minLength > 0 && !takesEmpty) {
    found.push(wrong('short', `a text of ${minLength - 1} characters`, 'x'.repeat(minLength - 1)));
  }
  if (format !== undefined && odd.length > 0 && !takesEmpty) found.push(wrong('short', 'an empty text', ''));
  if (maxLength === undefined) return found;
  for (const length of [maxLength + 1, maxLength * 4]) {
    const text = textOfLength(schema, length) ?? (pattern === undefined ? 'x'.repeat(length) : undefined);
    if (text !== undefined) found.push(wrong('long', `a text of ${length} characters`, text));
  }
  return found;
}

function wrongNumbers({ types, minimum, maximum, format, choices }: InputSchema): WrongValue[] {
  if (choices !== undefined) return [wrong('enum', 'another number', 987_654)];
  const range = [
    ...(minimum === undefined ? [] : [minimum - 1, minimum - 2]),
    ...(maximum === undefined ? [] : [maximum + 1, 1e21]),
  ];
  const fraction = types.includes('number') || format === undefined ? [] : [1.5];
  return [...range, ...fraction].map((number) => wrong('range', String(number), number));
}

function wrongLists(schema: InputSchema): WrongValue[] {
  const { items, minItems = 0, maxItems, isUnique } = schema;
  const found: WrongValue[] = [];
  if (minItems > 0) found.push(wrong('items', `a list of ${minItems - 1}`, listOf(schema, minItems - 1) ?? []));
  const many = maxItems === undefined ? undefined : listOf(schema, maxItems + 1);
  if (many !== undefined) found.push(wrong('items', `a list of ${many.length}`, many));
  if (items === undefined) return found;
  const right = rightValue(items);
  if (isUnique) found.push(wrong('twice', 'the same value twice', [right, right]));
  if (typeof right === 'string' && isUnique && right.toUpperCase() !== right && items.format === 'uuid') {
    found.push(wrong('twice', 'the same id twice, once in capitals', [right, right.toUpperCase()]));
  }
  if (!items.isNullable) found.push(wrong('null', 'null in the list', [null], '[0]'));
  // An item that may be anything cannot be wrong. What is wrong with another stands at the second place.
  if (items.types.length > 1) return found;
  const wrongItems = wrongValues(items).filter(({ kind }) => kind !== 'null' && kind !== 'missing');
  const second = (one: WrongValue) => ({ ...one, value: [right, one.value], within: `[1]${one.within}` });
  return [...found, ...wrongItems.map((one) => ({ ...second(one), what: `an item: ${one.what}` }))];
}

/** Every way in which a value can break the schema; how deeper fields break it is theirs. */
export function wrongValues(schema: InputSchema): WrongValue[] {
  const { types, isOpen } = schema;
  const isTaken = (type: JsonType) => types.includes(type) || (type === 'integer' && types.includes('number'));
  const found = OF_TYPE.filter(([type]) => !isTaken(type)).map(([type, value]) =>
    wrong('type', `${type} ${JSON.stringify(value)}`, value),
  );
  if (!schema.isNullable) found.push(wrong('null', 'null', null));
  if (types.includes('string')) found.push(...wrongTexts(schema));
  if (types.includes('integer') || types.includes('number')) found.push(...wrongNumbers(schema));
  if (types.includes('array')) found.push(...wrongLists(schema));
  if (types.includes('object') && !isOpen) {
    const beside = { ...objectOf(schema), [NO_SUCH_FIELD]: 1 };
    found.push(wrong('unknown field', 'an unknown field', beside, `.${NO_SUCH_FIELD}`));
  }
  return found;
}

/** A path with a place in each of its lists: `steps[].rule` → `steps[0].rule`. */
export const firstPlace = (path: string): string => path.replaceAll('[]', '[0]');

/** What a body has at a path such as `steps[].rule`, in the first item of each list. */
const valueAt = (body: unknown, path: string): unknown =>
  path
    .replaceAll('[]', '.0')
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], body);

/** A copy of a body with another value at a path such as `steps[].rule`, in the first item of each list; undefined removes. */
export function withValue(body: unknown, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(body) as Record<string, unknown>;
  const names = path.replaceAll('[]', '.0').split('.');
  let holder: Record<string, unknown> = copy;
  for (const name of names.slice(0, -1)) {
    const next = holder[name];
    if (typeof next !== 'object' || next === null) throw new Error(`the body has no ${path}`);
    holder = next as Record<string, unknown>;
  }
  const last = names.at(-1) ?? '';
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

/**
 * A body that fits the contract, with the required fields of each object and with everything that this field stands in.
 * @param to the field that the body must have, with its holders
 */
export function rightBody(schema: InputSchema, fields: readonly BodyField[], to?: BodyField): Record<string, unknown> {
  const held = fields.filter(({ path }) => to && isWithin(to.path, path));
  return held.reduce((body, field) => {
    const value = rightValue(field.schema);
    return valueAt(body, field.path) === undefined ? withValue(body, field.path, value) : body;
  }, objectOf(schema));
}

/** Texts that are no plain decimal integer. */
const ODD_NUMBERS = [
  '5\0',
  ...'x|1.0|01|+1|1e2|0x10| 5|5 |NaN|Infinity|null|٥|5,5|1_000|１|100000000000000000000'.split('|'),
];

/** Values of a parameter in a query or a header that break its schema, as they are written there. */
export function wrongWritten({ schema, place, takesEmpty }: InputParameter): WrongValue[] {
  const written = wrongValues(schema).filter(({ kind }) => kind !== 'type' && kind !== 'null');
  const texts = written.map(({ value, ...rest }) => ({ ...rest, value: String(value) }));
  if (schema.types.includes('boolean')) {
    texts.push(...'1|0|yes|on|t|TRUE|True|null| true|true '.split('|').map(ofType));
  }
  if (schema.types.includes('integer')) texts.push(...ODD_NUMBERS.map(ofType));
  const empty = place === 'query' && !takesEmpty && !texts.some(({ value }) => value === '');
  return empty ? [...texts, wrong('short', 'an empty value', '')] : texts;
}

const ofType = (text: string) => wrong('type', text, text) as WrongValue & { value: string };
