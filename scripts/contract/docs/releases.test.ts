import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { NEXT, readChanges } from '../kept-changes.ts';
import { readContract } from '../read.ts';
import { keptReleases } from '../release.ts';
import { releasesText } from './releases.ts';

const contract = await readContract(new URL('../fixture.yaml', import.meta.url).pathname);
const CHANGELOG = `# Changelog

## Unreleased
- Words are
  clearer.

Tools, beside the interface:

- A tool.

## 1.1.0
Small things.

### Check your program

- A blank is refused.

### Further

- A blank is printed.

### Tools, beside the interface

- Another tool.

## 1.0.0
- The first.
`;
const text = releasesText(
  contract,
  {
    '1.1.0': [
      { kind: 'offers', of: ['createDocument', 'EMPLOYEE_NOT_FOUND', 'employee.changed'], text: 'is new' },
      { kind: 'expect', of: ['*'], text: 'may answer `INTERNAL`, too' },
      { kind: 'breaks', of: ['getEmployee', 'createDocument'], text: '`title`: required now' },
    ],
    [NEXT]: [{ kind: 'offers', of: ['createDocument'], text: 'takes `note`, optional and new' }],
  },
  CHANGELOG,
);
const [, next = '', released = '', first = ''] = text.split('\n### ');

test('each release tells what to do first, then what to expect, then what it offers, without tools', () => {
  const lines = released.split('\n').filter((line) => line !== '');
  expect(lines.map((line) => line.replace(/<.*>/, ''))).toEqual([
    '1.1.0',
    'Small things.',
    '**Breaking: change your program first**',
    '- [getEmployee](#/employees/getemployee), [createDocument](#/documents/createdocument): `title`: required now',
    '**Check your program: what was taken is refused now, or means something else**',
    '- A blank is refused.',
    '**Expect in what you read**',
    '- Every operation: may answer `INTERNAL`, too',
    '**New, wider or promised**',
    '- New: [createDocument](#/documents/createdocument). Create a draft document.',
    expect.stringMatching(/^- New: \[EMPLOYEE_NOT_FOUND\]\(#/),
    expect.stringMatching(/^- New: \[event employee\.changed\]\(#\/.*\/onemployeechanged\)/),
    '**Further in the changelog**',
    '- A blank is printed.',
  ]);
  expect(next).toMatch(/^Not released yet\n\n\*\*Breaking:\*\* nothing\.[\s\S]*takes `note`[\s\S]*Words are clearer\./);
  expect(first).toMatch(/^1\.0\.0\n[\s\S]*The first\./);
});

test('each line names its release and the release that brought what it is about', () => {
  expect(released).toContain('<span data-change="breaks 1 -1"></span>[getEmployee]');
  expect(next).toContain('<span data-change="offers 2 1"></span>[createDocument]');
  expect(next).toContain('<span data-change="told 2 -1"></span>Words');
});

test('the script finds every line in what Redoc draws, and shows it with its links', () => {
  const source = readFileSync(join(import.meta.dirname, 'page/releases.js'), 'utf8');
  const script = runInNewContext(`const KINDS = {};${source};({ linesOf, linesBetween, lineHtml })`, {
    document: { addEventListener: () => undefined },
  });
  const lines: { kind: string; release: number; since: number; text: string }[] = script.linesOf({
    tags: [{ name: 'other' }, { name: 'releases', description: text }],
  });
  expect(lines).toHaveLength(text.match(/data-change/g)?.length ?? 0);
  // From 1.1.0 on, what 1.1.0 brought changed; for whoever comes from 1.0.0, it is new.
  expect(script.linesBetween(lines, 1, 2).map((line: { kind: string }) => line.kind)).toEqual(['offers', 'told']);
  expect(script.linesBetween(lines, 0, 2)).toHaveLength(
    lines.filter(({ release, since }) => release > 0 && since < 1).length,
  );
  const [shown] = lines.filter(({ kind }) => kind === 'breaks');
  expect(shown).toMatchObject({ release: 1, since: -1 });
  expect(script.lineHtml(shown?.text)).toBe(
    '<a href="#/employees/getemployee">getEmployee</a>, <a href="#/documents/createdocument">createDocument</a>: <code>title</code>: required now',
  );
});

test('the newest two releases are chosen', () => {
  expect(text).toContain('From release"><option value="1">1.1.0</option>');
  expect(text).toContain('To release"><option value="2">Not released yet</option>');
});

test('changes are kept of every release but the first one, and of what is not released', () => {
  // If this fails, run `npm run contract:changes`.
  expect(Object.keys(readChanges())).toEqual([...keptReleases().slice(1), NEXT]);
});
