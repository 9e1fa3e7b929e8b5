import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { personalDataFields, secretFields } from '../../generated/contract.ts';
import { commonNames, describeError, loggerTo, masked } from './log.ts';

describe('masked', () => {
  test('hides every name that the contract marks, in any case and at any depth, except names that are too common', () => {
    for (const name of [...Object.keys(personalDataFields), ...secretFields, 'X-API-Key', 'page_token']) {
      const expected = commonNames.includes(name) ? 'seen' : '[masked]';
      expect([name, masked({ a: [{ [name.toUpperCase()]: 'seen' }] })]).toEqual([
        name,
        { a: [{ [name.toUpperCase()]: expected }] },
      ]);
    }
  });

  test('exempts only names that the contract marks', () => {
    const marked = [...Object.keys(personalDataFields), ...secretFields];
    expect(commonNames.filter((name) => !marked.includes(name))).toEqual([]);
  });

  test('cuts deep values, so that none makes it run for ever', () => {
    const ring: Record<string, unknown> = {};
    ring.ring = ring;
    expect(JSON.stringify(masked(ring))).toContain('[deep]');
  });
});

test('the table of docs/operating.md explains every event of the log, and no other', () => {
  const sources = globSync('handlers/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'));
  const named = sources.flatMap((text) => [...text.matchAll(/\bevent: '(\w+)'/g)].map(([, name]) => name));
  const outages = ['store', 'storage'].flatMap((each) =>
    ['unavailable', 'still_unavailable', 'recovered'].map((what) => `${each}_${what}`),
  );
  const [, section = ''] = /^## Logs and traces\n(.*?)^## /ms.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const explained = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const ends = ['uncaughtException', 'unhandledRejection'];
  expect(explained.slice(1).toSorted()).toEqual([...new Set([...named, ...outages, ...ends])].toSorted());
});

test('a logger masks everything that it logs', () => {
  const lines: string[] = [];
  loggerTo('info', { write: (line: string) => lines.push(line) }).info({ event: 'x', person: { iin: '900131000001' } });
  expect(JSON.parse(lines.join(''))).toMatchObject({ level: 'info', event: 'x', person: { iin: '[masked]' } });
});

describe('describeError', () => {
  test('keeps the messages of programming errors, and drops those that may quote a value', () => {
    expect(describeError(new TypeError('x is not a function'))).toMatchObject({ message: 'x is not a function' });
    for (const name of ['MongoServerError', 'SyntaxError', 'BSONError']) {
      const error = Object.assign(new Error('E11000 {iin: "900131000001"}\n   at 900131000001'), { name, code: 11000 });
      expect(describeError(error)).toMatchObject({
        kind: name,
        code: 11000,
        frames: expect.arrayContaining([expect.stringMatching(/^at /)]),
      });
      expect(JSON.stringify(describeError(error))).not.toContain('900131000001');
    }
    const missing = Object.assign(new Error("ENOENT: open '/data/x'"), { code: 'ENOENT', path: '/data/x' });
    expect(describeError(missing)).not.toHaveProperty('message');
    expect(describeError('900131000001')).toEqual({ kind: 'string' });
  });
});
