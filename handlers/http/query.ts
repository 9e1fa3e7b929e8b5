/**
 * Reads query parameters as callers write them (D-12). The generated table lists the known names. Every other name
 * (bracket forms among them), a name that must not be repeated but is, and an empty value is reported as a violation.
 * The generated validators check everything beyond the plain type, and which parameters are required.
 */
import type { Operation, Parameter } from '../../generated/contract.ts';
import type { Violation } from '../answers/errors.ts';
import { suggestionFor } from './violations.ts';

const INTEGER = /^(?:0|-?[1-9]\d{0,9})$/;
const MAX_VALUES = 100;

type QueryValue = string | number | boolean;

/** The query parameters of one operation by name; made once at start. */
export function queryTable(operation: Operation): ReadonlyMap<string, Parameter> {
  return new Map(operation.parameters.filter(({ in: where }) => where === 'query').map((p) => [p.name, p]));
}

/** Typed values with the contract's defaults filled in, and the violations found so far. */
interface ParsedQuery {
  readonly values: Readonly<Record<string, QueryValue | QueryValue[]>>;
  readonly violations: Violation[];
}

/**
 * Reads a raw query string.
 * @param raw the text after `?`, still encoded
 */
export function parseQuery(raw: string, table: ReadonlyMap<string, Parameter>): ParsedQuery {
  const values: Record<string, QueryValue | QueryValue[]> = Object.create(null);
  const violations: Violation[] = [];
  if (raw !== '') {
    for (const pair of raw.split('&')) if (pair !== '') take(pair, table, values, violations);
  }
  for (const [name, parameter] of table) {
    const given = values[name];
    if (given === undefined) {
      if (parameter.default !== undefined) values[name] = parameter.default;
    } else if (Array.isArray(given)) {
      if (given.length > MAX_VALUES)
        violations.push({ field: name, description: `has more than ${MAX_VALUES} values` });
      values[name] = [...new Set(given)];
    }
  }
  return { values, violations };
}

function take(
  pair: string,
  table: ReadonlyMap<string, Parameter>,
  values: Record<string, QueryValue | QueryValue[]>,
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
    wrong.push({ field: name, description: `is not a parameter of this operation${hintFor(name, table)}` });
    return;
  }
  if (text === '') {
    if (name !== 'page_token') wrong.push({ field: name, description: 'is empty; leave it out instead' });
    return;
  }
  const value = typed(text, parameter);
  if (value === undefined) {
    wrong.push({ field: name, description: `must be ${expected[parameter.kind]}` });
    return;
  }
  const present = values[name];
  if (parameter.repeated) values[name] = Array.isArray(present) ? append(present, value) : [value];
  else if (present === undefined) values[name] = value;
  else wrong.push({ field: name, description: 'is given more than once' });
}

/** A list with brackets is the usual form of some libraries, which have a setting for it. */
function hintFor(name: string, table: ReadonlyMap<string, Parameter>): string {
  const [, list = ''] = /^(\w+)\[\d*\]$/.exec(name) ?? [];
  if (!table.get(list)?.repeated) return suggestionFor(name, table.keys());
  return `; repeat ${list} without brackets (axios: paramsSerializer with indexes null; qs: arrayFormat repeat)`;
}

/** Keeps one value more than allowed, which is enough to refuse the list; drops the rest. */
function append(values: QueryValue[], value: QueryValue): QueryValue[] {
  if (values.length <= MAX_VALUES) values.push(value);
  return values;
}

const expected = {
  integer: 'a whole number in plain decimal digits',
  boolean: 'true or false',
  string: 'text',
} as const;

function typed(text: string, { kind, isId }: Parameter): QueryValue | undefined {
  if (kind === 'integer') return INTEGER.test(text) ? Number(text) : undefined;
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return isId ? text.toLowerCase() : text;
}

function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
