import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { controlDigit } from '../world/control-digit.ts';
import type { Finding } from './finding.ts';
import { formats } from './generate/formats.ts';
import {
  type Contract,
  entriesOf,
  isData,
  isObject,
  type Json,
  type KeyPath,
  mapSchema,
  nodesIn,
  resolve,
  type Schema,
} from './read.ts';

const RESERVED_HOST = /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/i;
const EMAIL = /[\p{L}\p{N}._%+-]+@([\p{L}\p{N}.-]+)/gu;
const IIN_NAMES = ['iin', 'ИИН'];

/** Every example is valid, formats included, and holds no data of real people. */
export function examples(contract: Contract): Finding[] {
  const compile = compilerOf(contract);
  const judge = (schema: Schema | undefined, value: Json | undefined, place: KeyPath): Finding[] => {
    if (value === undefined) return [];
    const validate = schema && compile(schema);
    const errors = validate === undefined || validate(value) ? [] : (validate.errors ?? []);
    const wrong = errors.map(({ instancePath, message, keyword, params }) => {
      const extra = Object.values(params).map(String).join(', ');
      const what = `${instancePath || 'the whole'} ${message ?? keyword} (${extra})`;
      return { place, message: `The example does not match its schema: ${what}. Correct the example or the schema.` };
    });
    return [...realData(value, place), ...wrong];
  };
  return [...nodesIn(contract, isData)].flatMap(([node, place]) => {
    const { schema, example, examples: shown = [] } = node;
    const named = Array.isArray(shown)
      ? Array.from(shown, (value, index) =>
          judge({ ...node, examples: shown }, value, [...place, 'examples', String(index)]),
        )
      : entriesOf(shown).map(([key, each]) =>
          judge(schema, resolve(contract, each).value, [...place, 'examples', key]),
        );
    return [...judge(schema, example, [...place, 'example']), ...named.flat()];
  });
}

/** A function that compiles schemas of the contract, references included, with the formats of the service. */
export function compilerOf(contract: Contract): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats });
  ajv.addSchema({ $id: 'contract', components: contract.components });
  const cache = new Map<Schema, ValidateFunction>();
  return (schema) => {
    const validate = cache.get(schema) ?? ajv.compile({ $id: `schema-${cache.size}`, allOf: [absolute(schema)] });
    cache.set(schema, validate);
    return validate;
  };
}

const absolute = (schema: Schema): Schema =>
  mapSchema(schema, (node) => (node.$ref === undefined ? node : { ...node, $ref: `contract${node.$ref}` }));

/**
 * Identification numbers must fail their checksum, and e-mail and web addresses must use reserved names (RFC 2606), so
 * that they belong to nobody.
 */
function realData(value: Json, place: KeyPath, name = ''): Finding[] {
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

/** Whether a text is an IIN that a person may have. */
const hasRightChecksum = (text: string): boolean => /^\d{12}$/.test(text) && controlDigit(text) === Number(text.at(-1));
