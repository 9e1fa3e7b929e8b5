import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { operations } from '../../../generated/contract.ts';
import { badValues, payloadKinds, UNKNOWN_PLACE } from './payload-fields.ts';

const contract = readFileSync(join(import.meta.dirname, '../../../openapi.yaml'), 'utf8');

test('the payloads are those that the contract lists', () => {
  const rows = contract.matchAll(/^ +\| `(\w+)` \| `(\w+)` \|.*\| (\w+Record) \|$/gm);
  const listed = [...rows].map(([, source, type, schema]) => `${source}.${type} ${schema}`);
  expect(operations.ingestRecords.path).toMatch(/ingest/);
  expect(payloadKinds.map(({ name, schema }) => `${name} ${schema}`).toSorted()).toEqual(listed.toSorted());
});

test('of every field of a record it is known where it shows, and what is wrong for it', () => {
  const fields = payloadKinds.flatMap((payload) => payload.fields);
  expect(fields.filter(({ shown }) => shown === UNKNOWN_PLACE).map(({ id }) => id)).toEqual([]);
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  for (const field of fields) expect(badValues(field).length).toBeGreaterThan(5);
  const ids = ['KEDO.PERSONS.first_name', 'LEDGER.EMPLOYEES_FULL.FizLico.Imya', 'LEDGER.DEPARTMENTS.Roditel.Ssylka'];
  expect(fields.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});
