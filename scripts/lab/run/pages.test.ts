/** What pages say of the code: rules stand where a page says, and variables are listed. */
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { estimateMs } from '../../../conformance/engine/estimate.ts';
import { costOf, recorded } from '../../../conformance/engine/recorded.ts';
import { fileOfRule, rules } from '../../../conformance/rules/all-rules.ts';
import { projectFiles } from '../../kit/project-copy.ts';
import { keyVariables, poolKeyVariables } from '../../operate/suite/key-plans.ts';
import { poolRoles } from '../../operate/suite/tenant-set.ts';

const root = resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const filesOf = (...patterns: string[]) => projectFiles(root, ...patterns);

/** The ids of rules that a text names, those of a range `PAGE-1 to PAGE-3` too. */
function rulesIn(text: string): string[] {
  return [...text.matchAll(/\b([A-Z]{1,5})-(\d+)(?:\s+to\s+\1-(\d+))?/g)].flatMap(([, section, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${section}-${Number(first) + at}`),
  );
}

test('rules that a page names beside a file of rules are in that file', () => {
  const wrong = filesOf('*.md').flatMap((page) =>
    read(page)
      .split(/\n(?=- |\n)/)
      .flatMap((part) => {
        const files = [...part.matchAll(/\]\([^)]*?([\w-]+\.rules\.ts)\)/g)].map(([, file = '']) => file);
        const named = files.length === 0 ? [] : rulesIn(part).filter((rule) => !rule.startsWith('D-'));
        return named
          .filter((rule) => !files.includes(basename(fileOfRule(rule) ?? '')))
          .map((rule) => `${page}: ${rule}`);
      }),
  );
  expect(wrong).toEqual([]);
});

/** Variables by which a program tells its own child something, or which are not the project's. */
const OWN = /^(?:CONF_|NODE_|GIVEN$|BATCH$|BASE_URL$|PATH$|TMPDIR$|NO_PROXY$|TEST_MONGODB_SHARED$)/;

test('every variable that a tool reads is in the table of docs/checking.md', () => {
  const table = read('docs/checking.md').split('## Variables of the tools')[1]?.split('\n## ')[0] ?? '';
  const variables = filesOf(
    'scripts/*.ts',
    'load/*.ts',
    'conformance/*.ts',
    'client/*.ts',
    'handlers/*.test.ts',
  ).flatMap((file) => [...read(file).matchAll(/\bprocess\.env\.([A-Z][A-Z0-9_]*)/g)].map(([, name = '']) => name));
  const missing = [...new Set(variables)].filter((name) => !OWN.test(name) && !table.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});

test('every section of docs/measured.md has a command and a day', () => {
  const [, ...sections] = read('docs/measured.md').split(/^## /m);
  const wrong = sections.filter((section) => !/`npm run [^`]+`/.test(section) || !/\b20\d\d-\d\d-\d\d\b/.test(section));
  expect(wrong.map((section) => section.split('\n')[0])).toEqual([]);
});

test('what docs/conformance.md says that a run takes is what a recorded one took', () => {
  const words = /in about (\d+) minutes, with about ([\d,]+) requests and ([\d,]+)\s+writes/;
  const [, ...said] = words.exec(read('docs/conformance.md')) ?? [];
  const run = rules.filter(({ id }) => recorded[id] !== undefined);
  const sum = (what: 'requests' | 'writes') => run.reduce((total, { id }) => total + costOf(id)[what], 0);
  const pool = poolRoles.map((tag) => ({ tag, keys: poolKeyVariables(tag) }));
  const ms = estimateMs(run, { keys: keyVariables(), pool, limit_probe: 'light' });
  const taken = [Math.round(ms / 60_000), sum('requests'), sum('writes')];
  const shares = taken.map((figure, at) => Number(said[at]?.replace(',', '')) / figure);
  for (const share of shares) expect(share).toBeCloseTo(1, 1);
});
