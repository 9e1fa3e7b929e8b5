/** The blocks of commands of the runbook and of the first start are run by the lab, or the page says why not. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { pageBlocks } from '../kit/page-blocks.ts';
import { lab } from './main.ts';
import { RUNBOOK } from './rolling.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, RUNBOOK), 'utf8');

/** Names of blocks that code asks for: each scenario names its own. */
const asked = ['rolling', 'scenarios/upgrade', 'scenarios/rotate', 'scenarios/restore'].map((name) =>
  readFileSync(join(import.meta.dirname, `${name}.ts`), 'utf8'),
);

test.each([
  [RUNBOOK, 'drill'],
  ['deploy/FIRST-START.md', 'deploy'],
])('every block of commands of %s is run by the lab, or the line above says that it was not', (file, marker) => {
  const [before = '', ...blocks] = readFileSync(join(root, file), 'utf8').split(/^```sh$/m);
  const isRun = new RegExp(`\\n(<!-- ${marker}: [\\w-]+(?: [\\w-]+)? -->|.*Not run.*)\\n+$`);
  const unmarked = blocks.filter((_, at) => !isRun.test([before, ...blocks][at] ?? ''));
  expect(unmarked).toEqual([]);
});

test('every marked block has a drill that asks for it by its name', () => {
  const names = new Set(pageBlocks(RUNBOOK, 'drill').map(({ name }) => name));
  const unknown = [...names].filter((name) => !asked.some((source) => source.includes(`'${name}'`)));
  expect(unknown).toEqual([]);
});

test('a command of the lab that the page names exists', () => {
  const named = [...page.matchAll(/npm run lab -- ([a-z]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(0);
  const known = new Set(lab().commands.map((command) => command.name()));
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
