/**
 * Turns errors of the generated validators into the field violations of D-4: which field, and what is expected of it.
 */
import { patternWords } from '../../generated/contract.ts';
import type { ValidationError } from '../../generated/validators.js';
import type { Violation } from '../answers/errors.ts';
import { nearestName } from '../runtime/nearest-name.ts';

/** The names on the way to a part of a value (RFC 6901 §4). */
export function partsOf(instancePath: string): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function childOf({ params }: ValidationError): string | undefined {
  const child = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof child === 'string' ? child : undefined;
}

/** `/steps/0/step_type` → `steps[0].step_type`; the whole body is `body`. */
function bodyField(error: ValidationError): string {
  const parts = partsOf(error.instancePath);
  const child = childOf(error);
  if (child !== undefined) parts.push(child);
  const field = parts.reduce(
    (name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name ? `${name}.${part}` : part),
    '',
  );
  return parts.length === 0 ? 'body' : field;
}

/** `/query/status/0` → `status`: a parameter has the name that callers write; headers have their usual spelling. */
function parameterField(error: ValidationError): string {
  const [place, name = childOf(error) ?? 'request'] = partsOf(error.instancePath);
  return place === 'header' ? name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()) : name;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

const formatWords: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a day of the calendar as YYYY-MM-DD, of the years 1 to 9999',
  'date-time':
    'an RFC 3339 date-time of the years 1 to 9999 with a zone, such as 2025-01-31T09:00:00Z; in a URL, + is written as %2B',
  email: 'an e-mail address',
  uri: 'an absolute URI',
  int32: 'a 32-bit integer',
  int64: 'a 64-bit integer that a double holds exactly',
};

/** `null` is not named: where it is taken, it stands for a field that is absent (D-6a). */
function inWords(names: unknown, words: Readonly<Record<string, string>>): string {
  const listed = [names]
    .flat()
    .filter((name) => name !== 'null')
    .map((name) => words[String(name)] ?? String(name));
  return [...new Set(listed)].join(' or ');
}

/** Values as a caller writes them: an empty text would not be seen. */
function inList(values: unknown): string {
  const listed = [values].flat().filter((value) => value !== null);
  return listed.map((value) => (value === '' ? '""' : String(value))).join(', ');
}

const count = (limit: unknown, unit: string) => `${limit} ${unit}${limit === 1 ? '' : 's'}`;

/**
 * What a schema expects. All of the text comes from the schema, none from the request.
 * @param source where the schema stands
 */
export function expectation(
  { keyword, params }: Pick<ValidationError, 'keyword' | 'params'>,
  source = 'the contract',
): string {
  const { limit } = params;
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a field of this request';
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${inWords(params.type, typeWords)}`;
    case 'format':
      return `must be ${inWords(params.format, formatWords)}`;
    case 'enum':
      return `must be one of: ${inList(params.allowedValues)}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${count(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${count(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${count(limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${count(limit, 'item')}`;
    case 'uniqueItems':
      return 'must not hold the same item twice';
    case 'pattern':
      return patternWords[String(params.pattern)] as string;
    default:
      return `must meet "${keyword}" of ${source}`;
  }
}

/**
 * The errors without what alternatives add that the value is no attempt at. Of the errors of an `anyOf`, those count
 * that are about the value where its type is right; else the types that are taken; else the only value.
 */
function told(errors: readonly ValidationError[] | null | undefined): ValidationError[] {
  const kept: ValidationError[] = [];
  for (const error of errors ?? []) {
    if (error.keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    const begin = kept.findLastIndex(({ instancePath }) => instancePath !== error.instancePath) + 1;
    const parts = kept.splice(begin);
    const ofType = parts.filter(({ keyword }) => keyword === 'type');
    const ofValue = parts.filter(({ keyword }) => keyword !== 'type' && keyword !== 'const');
    const types = ofType.flatMap(({ params }) => [params.type].flat());
    if (ofValue.length > 0) kept.push(...ofValue);
    else if (types.length > 0) kept.push({ ...error, keyword: 'type', params: { type: types } });
    else kept.push(...parts);
  }
  return kept;
}

/** What is wrong with the parameters `{path, query, header}`. */
export function parameterViolations(errors: readonly ValidationError[] | null | undefined): Violation[] {
  return told(errors).map((error) => ({ field: parameterField(error), description: expectation(error) }));
}

/** What is wrong with the body. @param known names of its fields: for an unknown one, the nearest is suggested */
export function bodyViolations(
  errors: readonly ValidationError[] | null | undefined,
  known: readonly string[],
): Violation[] {
  return told(errors).map((error) => {
    const unknown = error.params.additionalProperty ?? error.params.unevaluatedProperty;
    const hint = typeof unknown === 'string' ? suggestionFor(unknown, known) : '';
    return { field: bodyField(error), description: expectation(error) + hint };
  });
}

/** The most wrong, missing or extra letters: as a number, and as a share of the name's length. */
const MOST = 3;
const SHARE = 0.4;

/**
 * Suggests the known name that is nearest to an unknown one: most unknown names are slips of the pen. Letter case makes no
 * difference.
 * @returns the end of a sentence that reports the unknown name; `''` if no known name is near
 */
export function suggestionFor(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known, Math.min(MOST, Math.floor(name.length * SHARE)));
  return nearest === undefined ? '' : `; is ${nearest} meant?`;
}
