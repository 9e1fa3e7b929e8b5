/** What can be seen without a compiler of how the server and the suite use the contract. `contract-uses.long.test.ts` sees all. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { errors, operations } from '../../generated/contract.ts';
import { ROOT } from './redocly.ts';
import { unruled } from './unruled.ts';

test('the server uses every header that operations take: the Idempotency-Key, in the handler or by `once`', () => {
  const unused = Object.values(operations).flatMap(({ operationId, tag, parameters }) => {
    const file = join(ROOT, `handlers/${tag}/${operationId}.ts`);
    const handler = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const isRead = (name: string) => name === 'Idempotency-Key' && /\b(once|idempotencyKey)\b/.test(handler);
    const headers = parameters.filter((parameter) => parameter.in === 'header' && !isRead(parameter.name));
    return headers.map(({ name }) => `${operationId} header ${name}`);
  });
  expect(unused).toEqual([]);
});

/** Names that no rule has, with the reasons. */
const unruledByReason: Readonly<Record<string, string>> = {
  INTERNAL: 'The suite cannot make a fault of the service; each answer with this error is a violation.',
  NOT_IMPLEMENTED: 'No release has any; the suite counts its answers as absent operations.',
};

test('the rules of the suite name every operation and error, unless there is a reason', () => {
  // Each type of event has the rule that its family makes.
  const names = [...Object.keys(operations), ...Object.keys(errors)];
  expect(unruled(names).toSorted()).toEqual(Object.keys(unruledByReason).toSorted());
});
