/** Nothing of the contract may be accepted and ignored: what no code of the server uses has a reason here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import { contractUses } from './contract-uses.ts';

const root = join(import.meta.dirname, '../..');

/** Inputs and errors that no code of the server reads or names, by the reason. */
const unusedByReason: Readonly<Record<string, readonly string[]>> = {
  'No row holds this value, so as a filter it matches nothing.': [
    'listEmployees query status = EMPLOYEE_STATUS_UNSPECIFIED',
  ],
};

describe('the server uses', () => {
  test('every property, parameter and value that operations take, and every error, unless there is a reason', () => {
    const names = contractUses(root);
    const unused = names.filter(({ isUsed }) => !isUsed).map(({ name }) => name);
    expect(unused.toSorted()).toEqual(Object.values(unusedByReason).flat().toSorted());
    const some = [
      'listEmployees query page_token',
      'getDocumentTemplate path template_id',
      'createDocument body title',
      'setDocumentRoute body RouteParticipantInput.key_type = EDS',
      'ingestRecords body LedgerPerson.ИИН',
      'error FILE_NOT_UPLOADED',
    ];
    expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(some));
  });

  test('every header that operations take: the Idempotency-Key, in the handler or by `once`', () => {
    const unused = Object.values(operations).flatMap(({ operationId, tag, parameters }) => {
      const handler = readFileSync(join(root, `handlers/${tag}/${operationId}.ts`), 'utf8');
      const isRead = (name: string) => name === 'Idempotency-Key' && /\b(once|idempotencyKey)\b/.test(handler);
      const headers = parameters.filter((parameter) => parameter.in === 'header' && !isRead(parameter.name));
      return headers.map(({ name }) => `${operationId} header ${name}`);
    });
    expect(unused).toEqual([]);
  });
});
