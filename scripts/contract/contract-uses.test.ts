/**
 * Nothing of the contract may be accepted and ignored, nor be unknown to the suite: what is has a reason here. A failure
 * names the files that use what stands beside it in the contract.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { enumerations } from '../../generated/enumerations.ts';
import { errors } from '../../generated/errors.ts';
import { operations } from '../../generated/operations.ts';
import { contractUses } from './contract-uses.ts';

const root = join(import.meta.dirname, '../..');

/** Inputs and errors that no code of the server reads or names, with the reasons. */
const unusedByReason: Readonly<Record<string, string>> = {
  'listEmployees query status = EMPLOYEE_STATUS_UNSPECIFIED':
    'No row has this value, so as a filter it matches nothing.',
};

describe('the server uses', () => {
  test('every property, parameter and value that operations take, and every error, unless there is a reason', () => {
    const names = contractUses(root);
    const unused = names.filter(({ isUsed }) => !isUsed);
    const told = unused.map(({ name, neighbours }) => `${name}; its neighbours: ${neighbours.join(', ')}`);
    expect(told.filter((_, at) => unusedByReason[unused[at]?.name ?? ''] === undefined)).toEqual([]);
    expect(unused.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(unusedByReason)));
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
      const file = join(root, `handlers/${tag}/${operationId}.ts`);
      const handler = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const isRead = (name: string) => name === 'Idempotency-Key' && /\b(once|idempotencyKey)\b/.test(handler);
      const headers = parameters.filter((parameter) => parameter.in === 'header' && !isRead(parameter.name));
      return headers.map(({ name }) => `${operationId} header ${name}`);
    });
    expect(unused).toEqual([]);
  });
});

/** Names that no rule has, with the reasons. */
const unruledByReason: Readonly<Record<string, string>> = {
  INTERNAL: 'The suite cannot make a fault of the service; each answer with this error is a violation.',
  UNAVAILABLE: 'The suite cannot make a fault of the service.',
  NOT_IMPLEMENTED: 'No release has any; the suite counts its answers as absent operations.',
};

test('the rules of the suite name every operation, error and type of event, unless there is a reason', () => {
  const files = globSync('conformance/rules/*.rules.ts', { cwd: root });
  const rules = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const names = [...Object.keys(operations), ...Object.keys(errors), ...Object.keys(enumerations.webhook_event_type)];
  const unruled = names.filter((name) => !rules.includes(`'${name}'`));
  expect(unruled.toSorted()).toEqual(Object.keys(unruledByReason).toSorted());
});
