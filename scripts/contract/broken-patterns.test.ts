import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { validators } from '../../generated/validators.js';
import { bodyViolations, parameterViolations } from '../../handlers/http/violations.ts';
import { type ContractOperation, entriesOf, operationsOf, readContract, resolve, type Schema } from './read.ts';
import { type Demand, demandsOf } from './rules-patterns.ts';

const root = join(import.meta.dirname, '../..');
const contract = await readContract(join(root, 'openapi.yaml'));

/** A field of a body, or a header, with one demand of its pattern. */
type Case = readonly [operation: ContractOperation['operationId'], field: string, demand: Demand];

/** Every demand of every pattern below a schema whose objects are closed. */
function demandsIn(schema: Schema, field = ''): [string, Demand][] {
  const node = resolve(contract, schema);
  if (node.additionalProperties === true) return [];
  return [
    ...demandsOf(node, node.pattern ?? '').map((demand): [string, Demand] => [field, demand]),
    ...(node.anyOf ?? []).flatMap((part) => demandsIn(part, field)),
    ...entriesOf(node.properties).flatMap(([name, part]) => demandsIn(part, field === '' ? name : `${field}.${name}`)),
  ];
}

const demands: Case[] = operationsOf(contract).flatMap(({ operationId, parameters, body = {} }) =>
  [...parameters.map(({ name, schema }) => demandsIn(schema, name)), demandsIn(body)]
    .flat()
    .map((found): Case => [operationId, ...found]),
);

describe('the words of a pattern', () => {
  test.each(demands)('%s: what breaks a demand of %s is told so: $words', (operationId, field, { words, refuses }) => {
    const { parameters, body } = validators[operationId as keyof typeof validators];
    for (const value of refuses) {
      const violation = { field, description: words };
      if (field === 'Idempotency-Key') {
        expect(parameters({ path: {}, query: {}, header: { [field.toLowerCase()]: value } } as never)).toBe(false);
        expect(parameterViolations(parameters.errors)).toContainEqual(violation);
        continue;
      }
      const sent = field.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      expect(body?.(sent as never)).toBe(false);
      const of = bodyViolations(body?.errors, []).filter((found) => found.field === field);
      // Of several violations of a field the first is told, and a wrong length comes first.
      expect(of.find(({ description }) => !/must not be empty|characters$/.test(description))).toEqual(violation);
    }
  });

  test('are of several fields, each with what breaks it', () => {
    expect(new Set(demands.map(([, field]) => field))).toEqual(
      new Set(['Idempotency-Key', 'comment', 'filename', 'size_bytes', 'url']),
    );
    expect(demands.filter(([, , { refuses }]) => refuses.length === 0)).toEqual([]);
  });
});

describe('every keyword that the validators of requests report', () => {
  const [requests = ''] = readFileSync(join(root, 'generated/validators.js'), 'utf8').split('const answers =');
  const reported = [...requests.matchAll(/keyword:"(\w+)",params:\{(?:(type|format): ?"([\w-]+)")?/g)];
  const told = new Map(
    reported.map(([, keyword = '', name, value]) => [`${keyword} ${value ?? ''}`, { keyword, name, value }]),
  );

  // What is told of alternatives are their own errors.
  test.each([...told.values()].filter(({ keyword }) => keyword !== 'anyOf'))(
    '$keyword $value says what is demanded',
    ({ keyword, name, value }) => {
      const given = { limit: 2, pattern: '\\S', allowedValue: 'a', allowedValues: ['a'], type: ['string', 'null'] };
      const params = { ...given, ...(name === undefined ? {} : { [name]: value }) };
      const [violation] = bodyViolations([{ instancePath: '/a', keyword, params }], []);
      expect(violation?.description).toMatch(/^(?:must|is required|is not a field)/);
      expect(violation?.description).not.toMatch(/of the contract|undefined|must be (?:int|uuid|date-)/);
    },
  );

  test('are found', () => expect(told.size).toBeGreaterThan(15));
});
