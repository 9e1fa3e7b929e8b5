/** That the page about personal data says what the collections state, and that what they state is enforced. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { recurringNames } from '../recurring-work.ts';
import { retentionCells } from './retention.ts';
import { collectionNames, declarationOf } from './store.ts';

const page = readFileSync(new URL('../../docs/data.md', import.meta.url), 'utf8');

test('the page has a row for each collection, as its file states it, and for no other one but the jobs', () => {
  const rows = collectionNames.map(
    (name) => `| \`${name}\` | ${retentionCells(declarationOf(name).keeps).join(' | ')} |`,
  );
  const [, table = ''] = page.split('## What is kept how long');
  const shown = (table.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  expect(shown.filter((line) => !line.startsWith('| `alarms`')).toSorted()).toEqual(rows.toSorted());
});

test('what the database ends has exactly one TTL index, and nothing else has one', () => {
  const ttl = collectionNames.map((name) => [
    name,
    declarationOf(name).indexes.filter(({ options }) => options?.expireAfterSeconds !== undefined).length,
  ]);
  expect(ttl).toEqual(collectionNames.map((name) => [name, ended(name) === 'ttl' ? 1 : 0]));
});

test('what a job ends names one of the recurring jobs', () => {
  const jobs = collectionNames.map(ended).filter((by) => by !== 'ttl' && by !== 'nothing');
  expect(recurringNames).toEqual(expect.arrayContaining(jobs));
});

function ended(name: (typeof collectionNames)[number]): string {
  const { keeps } = declarationOf(name);
  return keeps.forMs === undefined ? 'nothing' : keeps.by;
}
