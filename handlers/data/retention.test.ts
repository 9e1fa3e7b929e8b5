/** That the page about personal data says what the collections state, and that what they state is enforced. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { recurringNames } from '../recurring-work.ts';
import { DAY_MS, type Retention } from './retention.ts';
import { collectionNames, declarationOf } from './store.ts';

const page = readFileSync(new URL('../../docs/data.md', import.meta.url), 'utf8');

/** The cells of a row: what is held, how long, and what ends it. */
function retentionCells(keeps: Retention): readonly [holds: string, kept: string, by: string] {
  if (keeps.forMs === undefined) return [keeps.holds, `until ${keeps.until}`, `– (${keeps.because})`];
  const { holds, forMs, after, by } = keeps;
  return [holds, `${lengthText(forMs)} after ${after}`, by === 'ttl' ? 'the database, by a TTL index' : `\`${by}\``];
}

function lengthText(ms: number): string {
  const hourMs = DAY_MS / 24;
  if (ms % (365 * DAY_MS) === 0) return `${ms / (365 * DAY_MS)} years`;
  if (ms === DAY_MS) return 'a day';
  if (ms % DAY_MS === 0) return `${ms / DAY_MS} days`;
  if (ms % hourMs === 0) return `${ms / hourMs} hours`;
  return ms === 60_000 ? 'a minute' : `${ms / 60_000} minutes`;
}

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
