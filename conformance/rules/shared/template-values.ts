/** Values that fit the variable_schema of a template, and values that break it in one way each. */

import { OUTERMOST, OUTSIDE } from '../../judge/readers.ts';

export interface Variable {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  enum?: unknown[];
  const?: unknown;
  format?: 'date';
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Variable;
  properties?: Record<string, Variable>;
  required?: string[];
}

export interface Schema {
  properties: Record<string, Variable>;
  required: string[];
}

function valueFor(variable: Variable): unknown {
  if (variable.const !== undefined) return variable.const;
  if (variable.enum) return variable.enum[0];
  switch (variable.type) {
    case 'boolean':
      return true;
    case 'integer':
      return Math.ceil(variable.minimum ?? Math.min(1, variable.maximum ?? 1));
    case 'number':
      return variable.minimum ?? Math.min(1, variable.maximum ?? 1);
    case 'array':
      return variable.items ? [valueFor(variable.items)] : [];
    case 'object':
      return objectFor(variable.properties ?? {}, Object.keys(variable.properties ?? {}));
    default:
      if (variable.format === 'date') return '2026-03-02';
      return 'Ә'.repeat(Math.max(variable.minLength ?? 0, Math.min(3, variable.maxLength ?? 3)));
  }
}

const objectFor = (properties: Record<string, Variable>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (properties[name] ? [[name, valueFor(properties[name])]] : [])));

/** A value for every variable, or only for the required ones. */
export const valuesFor = (schema: Schema, which: 'all' | 'required' = 'all'): Record<string, unknown> =>
  objectFor(schema.properties, which === 'all' ? Object.keys(schema.properties) : schema.required);

/** The name of a variable that takes this number; undefined if there is none. */
export const numberIn = ({ properties }: Schema, number: number): string | undefined =>
  Object.entries(properties).find(
    ([, { type, minimum = number, maximum = number, enum: choices, const: only }]) =>
      type === 'number' && choices === undefined && only === undefined && minimum <= number && number <= maximum,
  )?.[0];

/** 0, false, an empty text or an empty list for each variable that takes it; numbers among them take 1 too. */
export function falsyIn({ properties }: Schema): Record<string, unknown> {
  const falsy = (variable: Variable): unknown => {
    const { type, enum: choices, const: only, minimum = 0, maximum = 1 } = variable;
    if (choices !== undefined || only !== undefined || variable.format !== undefined) return undefined;
    if (type === 'number' || type === 'integer') return minimum <= 0 && maximum >= 1 ? 0 : undefined;
    if (type === 'boolean') return false;
    if (type === 'array') return [];
    return type === 'string' && !variable.minLength ? '' : undefined;
  };
  const all = Object.entries(properties).map(([name, variable]) => [name, falsy(variable)] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

/** An entry of a list that holds a text wherever it takes any; undefined if it takes none. */
function entryWith({ items }: Variable, text: string): unknown {
  const takes = ({ type, format, enum: choices, const: only, minLength = 0, maxLength = 99 }: Variable) =>
    type === 'string' &&
    !format &&
    !choices &&
    only === undefined &&
    minLength <= text.length &&
    maxLength >= text.length;
  if (items === undefined) return undefined;
  if (items.type !== 'object') return takes(items) ? text : undefined;
  const properties = Object.entries(items.properties ?? {});
  const texts = properties.flatMap(([name, variable]) => (takes(variable) ? [[name, text]] : []));
  return texts.length === 0 ? undefined : { ...(valueFor(items) as object), ...Object.fromEntries(texts) };
}

/** Values whose lists have these texts, one in each entry; undefined if no list takes texts. */
export function listsOf(schema: Schema, texts: readonly string[]): Record<string, unknown> | undefined {
  const lists = Object.entries(schema.properties).filter(
    ([, variable]) => variable.type === 'array' && entryWith(variable, texts[0] ?? '') !== undefined,
  );
  if (lists.length === 0) return undefined;
  const entries = lists.map(([name, variable]) => [name, texts.map((text) => entryWith(variable, text))]);
  return { ...valuesFor(schema), ...Object.fromEntries(entries) };
}

/** A value that breaks the schema of a variable in one place. */
type WrongValue = readonly [what: string, value: unknown, at?: string];

/** What is wrong within the entries of a list, each with the path of the place. */
function wrongEntries({ items }: Variable): WrongValue[] {
  if (items === undefined) return [];
  const right = valueFor(items);
  const within = breaches(items).map(([what, value, at = '']): WrongValue => [what, [right, value], `[1]${at}`]);
  return within.map(([what, value, at]) => [`an entry with ${what}`, value, at]);
}

/** What is wrong with the fields of an object, each with the path of the place. */
function wrongFields({ properties = {}, required = [] }: Variable): WrongValue[] {
  const right = objectFor(properties, Object.keys(properties));
  const lacking = required.map((name): WrongValue => {
    const { [name]: _, ...others } = right;
    return [`no ${name}`, others, `.${name}`];
  });
  const wrong = Object.entries(properties).flatMap(([name, variable]) =>
    breaches(variable).map(
      ([what, value, at = '']): WrongValue => [`${name}: ${what}`, { ...right, [name]: value }, `.${name}${at}`],
    ),
  );
  return [...lacking, ...wrong, ['an unknown field', { ...right, no_such_field: 'x' }, '.no_such_field']];
}

/** Values that break the schema of a variable, each with a description. */
function breaches(variable: Variable): WrongValue[] {
  const wrong: WrongValue[] = [['another JSON type', variable.type === 'object' ? 1 : { a: 1 }]];
  if (variable.type !== 'boolean' && variable.type !== 'array') wrong.push(['a boolean', true]);
  wrong.push(['null', null]);
  if (variable.const !== undefined || variable.enum) {
    const strange = variable.type === 'string' ? 'no such choice' : variable.type === 'boolean' ? null : 987_654.5;
    wrong.push(['no such choice', strange]);
    return wrong;
  }
  const outside = (OUTSIDE.date ?? []).map((day): WrongValue => ['a day that not every reader holds', day]);
  if (variable.format === 'date')
    wrong.push(['a day that does not exist', '2026-02-30'], ['no date', '02.03.2026'], ...outside);
  if (variable.minLength) wrong.push(['too short', 'x'.repeat(variable.minLength - 1)]);
  if (variable.maxLength !== undefined) wrong.push(['too long', 'x'.repeat(variable.maxLength + 1)]);
  if (variable.minimum !== undefined) wrong.push(['too small', variable.minimum - 1]);
  if (variable.maximum !== undefined) wrong.push(['too large', variable.maximum + 1]);
  if (variable.type === 'integer') wrong.push(['not whole', (variable.minimum ?? 0) + 0.5]);
  if (variable.type === 'array') wrong.push(...wrongEntries(variable));
  if (variable.type === 'object') wrong.push(...wrongFields(variable));
  return wrong;
}

/** The outermost values that a variable takes: each choice, both ends of numbers and lengths, an empty list. */
function limitsOf(variable: Variable): unknown[] {
  const { type, enum: choices, minLength, maxLength, minimum, maximum, items } = variable;
  if (choices) return choices;
  if (variable.format === 'date') return [...(OUTERMOST.date ?? [])];
  const texts = [minLength, maxLength].flatMap((length) => (length === undefined ? [] : ['Ә'.repeat(length)]));
  const numbers = [minimum, maximum].filter((number) => number !== undefined);
  const lists = items === undefined ? [] : [[], ...limitsOf(items).map((value) => [value])];
  return type === 'string' ? texts : type === 'array' ? lists : type === 'boolean' ? [true, false] : numbers;
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

/** Sets of values that hold, between them, each limit of each variable. */
export function outermostValues(schema: Schema): Record<string, unknown>[] {
  const limits = new Map(Object.entries(schema.properties).map(([id, variable]) => [id, limitsOf(variable)]));
  return [...rounds(limits)].map((round) => ({ ...valuesFor(schema), ...Object.fromEntries(round) }));
}

interface Breach {
  /** What is wrong at each place, such as `rows[1].title`. */
  wrong: Record<string, string>;
  values: Record<string, unknown>;
}

/** Sets of values that break the schema, each variable in another way. */
export function brokenValues(schema: Schema): Breach[] {
  const right = valuesFor(schema);
  const wrong = new Map(Object.entries(schema.properties).map(([id, variable]) => [id, breaches(variable)]));
  const broken = [...rounds(wrong)].map(
    (round): Breach => ({
      wrong: Object.fromEntries(round.map(([id, [what, , at = '']]) => [`${id}${at}`, what])),
      values: { ...right, ...Object.fromEntries(round.map(([id, [, value]]) => [id, value])) },
    }),
  );
  const unknown = { wrong: { no_such_variable: 'unknown' }, values: { ...right, no_such_variable: 'x' } };
  const optional = Object.entries(right).filter(([id]) => !schema.required.includes(id));
  const missing = Object.fromEntries(schema.required.map((id) => [id, 'missing']));
  return [
    ...broken,
    unknown,
    ...(schema.required.length > 0 ? [{ wrong: missing, values: Object.fromEntries(optional) }] : []),
  ];
}
