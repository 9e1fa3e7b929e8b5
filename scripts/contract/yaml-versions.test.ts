import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { otherReadings } from './yaml-versions.ts';

test('the contract means the same in YAML 1.1 and 1.2', () => {
  expect(otherReadings(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8'))).toEqual([]);
});

test.each([
  ['a word that is a boolean', 'a: 1\nb: yes', 'line 2: YAML 1.1 reads true. Put quotes around it: yes'],
  ['a key that is a boolean', 'on: 1', 'line 1: YAML 1.1 reads true. Put quotes around it: on'],
  ['a date', 'a: 2026-03-02', 'line 1: YAML 1.1 reads a time. Put quotes around it: 2026-03-02'],
  ['a sexagesimal number', '[21:30]', 'line 1: YAML 1.1 reads 1290. Put quotes around it: 21:30'],
  ['an octal number', 'a: 017', 'line 1: YAML 1.1 reads 15. Put quotes around it: 017'],
  ['an exponent', 'a: E-000417', 'line 1: YAML 1.1 reads null. Put quotes around it: E-000417'],
  ['a number with an exponent', 'a: 1e3', 'line 1: YAML 1.1 reads a text. Put quotes around it: 1e3'],
  [
    'a question mark between brackets',
    'a: [https://e.example/?x=1]',
    'line 1: YAML 1.1 refuses ? between brackets. Put quotes around it: https://e.example/?x=1',
  ],
])('%s is found', (_what, text, sentence) => {
  expect(otherReadings(text)).toEqual([sentence]);
});

test.each(["a: ['2026-03-02', 'yes', '?', E-1x, 1.5, true]", 'a: https://e.example/?x=1', 'a: |\n  yes, [?]'])(
  '%s is the same in both',
  (text) => {
    expect(otherReadings(text)).toEqual([]);
  },
);
