/**
 * Parameters as callers write them (D-12). The generated table says which names there are; anything else, anything
 * repeated against the table, a bracket form or an empty value is refused by name. Shapes beyond the plain type are
 * left to the generated validators.
 */
import type { Operation, Parameter } from '../../generated/operations.ts';
import { failFields, type Violation } from './errors.ts';

const INTEGER = /^(?:0|-?[1-9]\d{0,9})$/;
const MAX_VALUES = 100;

type Value = string | number | boolean;

/** Query parameters of one operation by name, ready to be looked up; made once at start. */
export function queryTable(operation: Operation): ReadonlyMap<string, Parameter> {
  return new Map(operation.parameters.filter(({ in: where }) => where === 'query').map((p) => [p.name, p]));
}

/**
 * Reads a raw query string.
 * @param raw what stands behind `?`, still encoded
 * @returns typed values with the contract's defaults filled in
 * @throws ApiError INVALID_ARGUMENT naming each wrong parameter
 */
export function parseQuery(raw: string, table: ReadonlyMap<string, Parameter>): Record<string, Value | Value[]> {
  const values: Record<string, Value | Value[]> = Object.create(null);
  const wrong: Violation[] = [];
  if (raw !== '') {
    for (const pair of raw.split('&')) if (pair !== '') take(pair, table, values, wrong);
  }
  for (const [name, parameter] of table) {
    const given = values[name];
    if (given === undefined) {
      if (parameter.required) wrong.push({ field: name, description: 'is required' });
      else if (parameter.default !== undefined) values[name] = parameter.default as Value | Value[];
    } else if (Array.isArray(given)) {
      if (given.length > MAX_VALUES) wrong.push({ field: name, description: `has more than ${MAX_VALUES} values` });
      values[name] = [...new Set(given)];
    }
  }
  if (wrong.length > 0) failFields(wrong);
  return values;
}

function take(
  pair: string,
  table: ReadonlyMap<string, Parameter>,
  values: Record<string, Value | Value[]>,
  wrong: Violation[],
): void {
  const equals = pair.indexOf('=');
  const name = decode(equals < 0 ? pair : pair.slice(0, equals));
  const text = equals < 0 ? '' : decode(pair.slice(equals + 1));
  if (name === undefined || text === undefined) {
    wrong.push({ field: name ?? 'query', description: 'is not valid percent-encoded UTF-8' });
    return;
  }
  const parameter = table.get(name);
  if (parameter === undefined) {
    wrong.push({ field: name, description: 'is not a parameter of this operation' });
    return;
  }
  if (text === '') {
    if (name !== 'page_token') wrong.push({ field: name, description: 'is empty; leave it out instead' });
    return;
  }
  const value = typed(text, parameter);
  if (value === undefined) {
    wrong.push({ field: name, description: `is not ${expected[parameter.kind]}` });
    return;
  }
  const present = values[name];
  if (parameter.repeated) values[name] = Array.isArray(present) ? append(present, value) : [value];
  else if (present === undefined) values[name] = value;
  else wrong.push({ field: name, description: 'is given more than once' });
}

/** One value more than allowed is enough to refuse; what a caller sends beyond that is not kept. */
function append(values: Value[], value: Value): Value[] {
  if (values.length <= MAX_VALUES) values.push(value);
  return values;
}

const expected = {
  integer: 'a plain decimal integer',
  boolean: 'true or false',
  string: 'text',
} as const;

function typed(text: string, { kind, format }: Parameter): Value | undefined {
  if (kind === 'integer') return INTEGER.test(text) ? Number(text) : undefined;
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return format === 'uuid' ? text.toLowerCase() : text;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
