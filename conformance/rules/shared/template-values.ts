/** Values that fit the variable_schema of a template, and values that break it in one way each. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isDay } from '../../../generated/validators.js';
import { type BodyField, fieldsBelow, type InputSchema, type SchemaField, schemaFrom } from './contract-inputs.ts';
import { firstPlace, NO_SUCH_FIELD, rightValue, rightValues, withValue, wrongValues } from './input-values.ts';

export interface Variable {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  maxLength?: number;
  items?: Variable;
  properties?: Record<string, Variable>;
  required?: string[];
  [keyword: string]: unknown;
}

export interface Schema {
  properties: Record<string, Variable>;
  required: string[];
}

const ajv = new Ajv2020({ strict: false, formats: { date: isDay } });
const takes = (variable: Variable, value: unknown): boolean => ajv.validate(variable, value);

const wholeSchema = ({ properties, required }: Schema): InputSchema =>
  schemaFrom({ type: 'object', properties, required });

/** A value that fits: an object with all its fields, a list with one entry. */
function wholeValue(schema: InputSchema): unknown {
  if (schema.items !== undefined) return [wholeValue(schema.items)];
  const fields = schema.fields.map((field) => [field.name, wholeValue(field.schema)]);
  return fields.length > 0 ? Object.fromEntries(fields) : rightValue(schema);
}

/** A value for every variable, or only for the required ones. */
export function valuesFor(schema: Schema, which: 'all' | 'required' = 'all'): Record<string, unknown> {
  const variables = wholeSchema(schema).fields.filter(({ required }) => which === 'all' || required);
  return Object.fromEntries(variables.map((variable) => [variable.name, wholeValue(variable.schema)]));
}

/** The name of a variable that takes this number; undefined if there is none. */
export const numberIn = ({ properties }: Schema, number: number): string | undefined =>
  Object.keys(properties).find((name) => takes(properties[name] as Variable, number));

/** 0, false, an empty text or an empty list for each variable that takes it; numbers among them take 1 too. */
export function falsyIn({ properties }: Schema): Record<string, unknown> {
  const falsy = Object.entries(properties).flatMap(([name, variable]) => {
    const taken = [false, '', [], 0].filter((value) => takes(variable, value));
    return taken.filter((value) => value !== 0 || takes(variable, 1)).map((value) => [name, value]);
  });
  return Object.fromEntries(falsy);
}

/** An entry of a list that holds a text wherever it takes any; undefined if it takes none. */
function entryWith(items: Variable, text: string): unknown {
  if (items.type !== 'object') return takes(items, text) ? text : undefined;
  const texts = Object.entries(items.properties ?? {}).filter(([, field]) => takes(field, text));
  if (texts.length === 0) return undefined;
  return { ...(wholeValue(schemaFrom(items)) as object), ...Object.fromEntries(texts.map(([name]) => [name, text])) };
}

/** Values whose lists have these texts, one in each entry; undefined if no list takes texts. */
export function listsOf(schema: Schema, texts: readonly string[]): Record<string, unknown> | undefined {
  const lists = Object.entries(schema.properties).flatMap(([name, { items }]) => {
    const entries = items ? texts.map((text) => entryWith(items, text)) : [undefined];
    return entries.includes(undefined) ? [] : [[name, entries]];
  });
  return lists.length === 0 ? undefined : { ...valuesFor(schema), ...Object.fromEntries(lists) };
}

/** The values at a place of each list, with the names that have one there. */
function* rounds<T>(lists: ReadonlyMap<string, readonly T[]>): Generator<[name: string, each: T][]> {
  for (let nth = 0; ; nth++) {
    const round = [...lists].flatMap(([name, list]): [string, T][] =>
      nth < list.length ? [[name, list[nth] as T]] : [],
    );
    if (round.length === 0) return;
    yield round;
  }
}

/** The outermost values that a variable takes: each choice, both ends of numbers and lengths, also as entries of a list. */
function limitsOf({ schema }: SchemaField): unknown[] {
  const entries = schema.items === undefined ? [] : rightValues(schema.items);
  return [...rightValues(schema).map(({ value }) => value), ...entries.map(({ value }) => [value])];
}

/** Sets of values that hold, between them, each limit of each variable. */
export function outermostValues(schema: Schema): Record<string, unknown>[] {
  const limits = new Map(wholeSchema(schema).fields.map((variable) => [variable.name, limitsOf(variable)]));
  return [...rounds(limits)].map((round) => ({ ...valuesFor(schema), ...Object.fromEntries(round) }));
}

/** How many values of each kind break the schema at a place. */
const SAMPLES = 2;

/** What is wrong with a variable, or a field of the first entry of a list, with the place and what the variable has then. */
function breachesOf(right: Record<string, unknown>, { path, schema, required }: BodyField) {
  const missing = required ? [{ what: 'missing', value: undefined, within: '' }] : [];
  const kinds = Map.groupBy(wrongValues(schema), ({ kind, within }) => kind + within);
  const samples = [...kinds.values()].flatMap((same) => same.slice(0, SAMPLES));
  return [...missing, ...samples].map(({ what, value, within }) => ({
    what,
    place: firstPlace(path) + within,
    values: withValue(right, path, value),
  }));
}

/**
 * Sets of values that break the schema, each variable in another way.
 * @returns each set, and what is wrong at each place, such as `rows[0].title`
 */
export function brokenValues(schema: Schema) {
  const right = valuesFor(schema);
  const nameOf = ({ path }: BodyField) => path.split('[', 1)[0] ?? '';
  const fields = Map.groupBy(fieldsBelow(wholeSchema(schema)), nameOf);
  const wrong = new Map([...fields].map(([name, of]) => [name, of.flatMap((field) => breachesOf(right, field))]));
  const broken = [...rounds(wrong)].map((round) => ({
    wrong: Object.fromEntries(round.map(([, { place, what }]) => [place, what])),
    values: { ...right, ...Object.fromEntries(round.map(([name, { values }]) => [name, values[name]])) },
  }));
  return [...broken, { wrong: { [NO_SUCH_FIELD]: 'unknown' }, values: { ...right, [NO_SUCH_FIELD]: 'x' } }];
}
