/** Numbers in pages that can be counted here: a page that states one states it right. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { faults } from '../../conformance/mutation/all-faults.ts';
import { rules } from '../../conformance/rules/all-rules.ts';
import { SECTIONS } from '../../conformance/rules/rule.ts';
import { operations } from '../../generated/operations.ts';
import { areas } from './mutations/catalogue/catalogue.ts';
import { plannedOf } from './mutations/mutation.ts';

const root = resolve(import.meta.dirname, '../..');
const judged = rules.filter(({ excluded }) => excluded === undefined);

/** What a page says, with the number that it must give there. */
const counts: readonly (readonly [RegExp, number])[] = [
  [/There are (\d+) rules in/g, judged.length],
  [/rules in (\d+) sections/g, SECTIONS.length],
  [/(\d+) of them\s+are MUST rules/g, judged.filter(({ level }) => level === 'MUST').length],
  [/There are (\d+) faults for/g, faults.length],
  [/faults for (\d+) rules/g, new Set(faults.map(({ rule }) => rule)).size],
  [/(\d+) mutations in/g, plannedOf(areas).length],
  [/mutations in (\d+) areas/g, Object.keys(areas).length],
  [/\ball (\d+) operations/g, Object.keys(operations).length],
];

test('counts of rules, faults, mutations and operations are right, and stand somewhere', () => {
  // What was measured is of the day that it names.
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: root });
  const pages = names
    .toString()
    .split('\n')
    .filter((page) => page !== '' && !['CHANGELOG.md', 'docs/measured.md'].includes(page));
  const stated = counts.map(([pattern, right]) => ({
    pattern: String(pattern),
    right,
    places: pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(pattern)].map(([, count]) => ({
        page,
        count: Number(count),
      })),
    ),
  }));
  const wrong = stated.filter(
    ({ right, places }) => places.length === 0 || places.some(({ count }) => count !== right),
  );
  expect(wrong).toEqual([]);
});

test('every section of docs/measured.md has a command and a day', () => {
  const [, ...sections] = readFileSync(join(root, 'docs/measured.md'), 'utf8').split(/^## /m);
  const wrong = sections.filter((section) => !/`npm run [^`]+`/.test(section) || !/\b20\d\d-\d\d-\d\d\b/.test(section));
  expect(wrong.map((section) => section.split('\n')[0])).toEqual([]);
});
