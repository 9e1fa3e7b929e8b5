import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Finding } from './finding.ts';
import { formats } from './generate/formats.ts';
import {
  asArray,
  asObject,
  asString,
  type Contract,
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  resolve,
  visitSchema,
} from './read.ts';

const RESERVED_HOST = /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;
const EMAIL = /[\p{L}\p{N}._%+-]+@([\p{L}\p{N}.-]+)/gu;
const IIN_NAMES = ['iin', 'ИИН'];

/**
 * Every example is valid, formats included; every media type of an answer or body has an example; no example holds data
 * of real people.
 */
export function examples(contract: Contract): Finding[] {
  const findings: Finding[] = [];
  const compile = compiler(contract);
  const judge = (schema: Json | undefined, value: Json | undefined, place: Place): void => {
    if (value === undefined) return;
    findings.push(...realData(value, place));
    if (!isObject(schema)) return;
    const validate = compile(schema);
    if (validate(value)) return;
    for (const error of validate.errors ?? []) {
      const extra = Object.values(error.params).map(String).join(', ');
      findings.push({
        place,
        message: `The example does not match its schema: ${error.instancePath || 'the whole'} ${error.message ?? error.keyword} (${extra}). Correct the example or the schema.`,
      });
    }
  };
  const media = (holder: Json, place: Place): void => {
    for (const [type, content] of entriesOf(asObject(holder).content)) {
      const inside = [...place, 'content', type];
      const named = entriesOf(asObject(content).examples);
      if (named.length === 0) {
        findings.push({ place: inside, message: 'There is no named example. Show what is really sent.' });
      }
      for (const [name, example] of named) {
        judge(asObject(content).schema, resolve(contract, example).value, [...inside, 'examples', name]);
      }
      schemaExamples(asObject(content).schema, [...inside, 'schema']);
    }
  };
  const schemaExamples = (schema: Json | undefined, place: Place): void => {
    visitSchema(schema, (node, pointer) => {
      const keys = pointer.split('/').slice(1);
      asArray(node.examples).forEach((example, index) => {
        judge(node, example, [...place, ...keys, 'examples', index]);
      });
    });
  };
  const parameter = (node: Json, place: Place): void => {
    const { schema, example, examples: named } = asObject(node);
    judge(schema, example, [...place, 'example']);
    for (const [name, each] of entriesOf(named))
      judge(schema, resolve(contract, each).value, [...place, 'examples', name]);
    schemaExamples(schema, [...place, 'schema']);
  };
  visitHolders(contract, { schema: schemaExamples, parameter, media });
  return findings;
}

type Place = (string | number)[];

/** What is done with each part of the contract that can hold examples. */
interface Visitor {
  schema(node: Json, place: Place): void;
  /** Also a header. */
  parameter(node: Json, place: Place): void;
  /** An answer or a body: its media types must have examples. */
  media(holder: Json, place: Place): void;
}

function visitHolders(contract: Contract, visit: Visitor): void {
  const { components } = contract;
  for (const [name, schema] of entriesOf(asObject(components).schemas))
    visit.schema(schema, ['components', 'schemas', name]);
  for (const section of ['parameters', 'headers']) {
    for (const [name, node] of entriesOf(asObject(components)[section]))
      visit.parameter(node, ['components', section, name]);
  }
  for (const [name, node] of entriesOf(asObject(components).responses))
    visit.media(node, ['components', 'responses', name]);
  for (const [name, node] of entriesOf(asObject(components).requestBodies))
    visit.media(node, ['components', 'requestBodies', name]);
  for (const section of ['paths', 'webhooks']) {
    for (const [path, item] of entriesOf(contract[section])) {
      for (const [method, operation] of entriesOf(item)) {
        const place = [section, path, method];
        asArray(asObject(operation).parameters).forEach((node, index) => {
          visit.parameter(node, [...place, 'parameters', index]);
        });
        visit.media(asObject(operation).requestBody ?? {}, [...place, 'requestBody']);
        for (const [status, answer] of entriesOf(asObject(operation).responses))
          visit.media(answer, [...place, 'responses', status]);
      }
    }
  }
}

/** A function that compiles schemas of the contract, references included, with the formats of the service. */
function compiler(contract: Contract): (schema: JsonObject) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats });
  ajv.addSchema({ $id: 'contract', components: contract.components ?? {} });
  const cache = new Map<JsonObject, ValidateFunction>();
  return (schema) => {
    const known = cache.get(schema);
    if (known !== undefined) return known;
    const validate = ajv.compile({ $id: `schema-${cache.size}`, allOf: [absolute(schema)] });
    cache.set(schema, validate);
    return validate;
  };
}

function absolute(node: Json): JsonObject {
  const change = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(change);
    if (!isObject(value)) return value;
    const copy = Object.fromEntries(entriesOf(value).map(([key, part]) => [key, change(part)]));
    if (asString(copy.$ref).startsWith('#/')) copy.$ref = `contract${asString(copy.$ref)}`;
    return copy;
  };
  return asObject(change(node));
}

/**
 * Identification numbers must fail their checksum, and e-mail and web addresses must use reserved names (RFC 2606), so
 * that they belong to nobody.
 */
function realData(value: Json, place: Place, name = ''): Finding[] {
  if (Array.isArray(value)) return value.flatMap((part) => realData(part, place, name));
  if (isObject(value)) return entriesOf(value).flatMap(([key, part]) => realData(part, place, key));
  if (typeof value !== 'string') return [];
  const findings: Finding[] = [];
  if (IIN_NAMES.includes(name) && hasRightChecksum(value)) {
    findings.push({
      place,
      message: `${value} is a possible identification number of a real person. Change its last digit.`,
    });
  }
  for (const [address, host] of value.matchAll(EMAIL)) {
    if (!RESERVED_HOST.test(host ?? '')) {
      findings.push({ place, message: `${address} may belong to somebody. Use a name under example.com or .example.` });
    }
  }
  return findings;
}

/** Checks the control digit of a Kazakh IIN: weights 1–11; if that gives 10, weights 3–11, 1, 2. */
export function hasRightChecksum(text: string): boolean {
  if (!/^\d{12}$/.test(text)) return false;
  const digits = [...text].map(Number);
  const sum = (shift: number): number =>
    digits.slice(0, 11).reduce((total, digit, index) => total + digit * (((index + shift) % 11) + 1), 0) % 11;
  const first = sum(0);
  const control = first === 10 ? sum(2) : first;
  return control < 10 && control === digits[11];
}
