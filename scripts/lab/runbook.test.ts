/** The runbook's blocks of commands are run by drills, or the page says why not. */
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

test('every block of commands is run by a drill, or the line above says that it was not', () => {
  const [, ...blocks] = page.split(/^```sh$/m);
  const before = page.split(/^```sh$/m).map((part) => part.trimEnd().split('\n').at(-1) ?? '');
  const unmarked = blocks.filter((_, at) => !/^<!-- drill: [\w-]+(?: [\w-]+)? -->$|Not run/.test(before[at] ?? ''));
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
