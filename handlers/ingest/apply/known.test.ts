import { expect, test } from '@jest/globals';
import { namesOf } from './known.ts';

const named = (...args: Parameters<typeof namesOf>) =>
  namesOf(...args).map(({ source, externalId, isLink }) => `${source} ${isLink ? 'link ' : ''}${externalId}.`);

test('a reference is an external id as it was sent; for a department of LEDGER also a Ссылка without blanks', () => {
  expect(named('KEDO', 'department', 'c ')).toEqual(['KEDO c .']);
  expect(named('LEDGER', 'job_title', 'c ')).toEqual(['LEDGER c .', 'KEDO c .']);
  expect(named('LEDGER', 'parent', 'c')).toEqual(['LEDGER c.', 'LEDGER link c.']);
  const blank = ['LEDGER c .', 'LEDGER c.', 'LEDGER link c .', 'LEDGER link c.'];
  expect(named('LEDGER', 'department', 'c ')).toEqual(blank);
});
