import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { namedKeys } from '../../../conformance/profile/profile.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { versionIn } from './k6.ts';
import { main } from './main.ts';

const example = parse(readFileSync(resolve(import.meta.dirname, '../../../conformance/profile.example.yaml'), 'utf8'));
const folder = testFolder();
let said = '';

/** Runs the program with the example profile, changed. @returns its exit code; its output is in `said` */
async function load(words: readonly string[], more: object = {}): Promise<number> {
  const file = join(folder, 'profile.yaml');
  writeFileSync(file, stringify({ ...example, env_file: 'keys.env', ...more }));
  writeFileSync(
    join(folder, 'keys.env'),
    namedKeys(example.keys)
      .map(([, name]) => `${name}=ak_test_0`)
      .join('\n'),
  );
  said = '';
  return main([...words, '--profile', file]);
}

beforeAll(() => {
  const record = (text: unknown) => {
    said += String(text);
    return true;
  };
  jest.spyOn(process.stderr, 'write').mockImplementation(record);
  jest.spyOn(process.stdout, 'write').mockImplementation(record);
});
afterAll(() => void jest.restoreAllMocks());

const NOWHERE = { base_url: 'http://127.0.0.1:1' };

test.each<[what: string, words: string[], more: object, sentence: string]>([
  ['to a host without consent', ['smoke'], {}, 'write tenant.load_consent: api.staging.example into the profile'],
  [
    'with consent for another host',
    ['smoke'],
    { tenant: { ...example.tenant, load_consent: 'staging.example' } },
    'write tenant.load_consent: api.staging.example',
  ],
  ['with too few keys', ['spike'], NOWHERE, 'needs 6 keys under keys.full'],
  ['by a scenario that is not there', ['storm'], NOWHERE, 'There is no scenario storm'],
  ['by no scenario', [], NOWHERE, 'Say which scenario'],
  ['by a rate of 0', ['smoke', '--rate', '0'], NOWHERE, 'whole number from 1'],
  ['by a duration without a unit', ['smoke', '--duration', 'soon'], NOWHERE, 'Give 30s, 10m or 8h'],
  ['by an unknown option', ['smoke', '--fast'], NOWHERE, 'unknown option'],
  ['by a rate of a burst', ['burst', '--rate', '9'], NOWHERE, 'neither --rate nor --duration'],
  ['with a file that is not a profile', ['smoke'], { base_url: 'nowhere' }, 'base_url'],
])('nothing is sent %s', async (_, words, more, sentence) => {
  expect(await load(words, more)).toBe(2);
  expect(said).toContain(sentence);
});

test('an address where nothing answers has its own exit code', async () => {
  expect(await load(['smoke'], NOWHERE)).toBe(3);
  expect(said).toContain('Nothing answers at http://127.0.0.1:1');
});

test('the list says what each scenario proves and needs', async () => {
  expect(await load(['--list'])).toBe(0);
  expect(said).toMatch(/^spike .*6 of keys\.full/m);
  expect(said).toMatch(/^burst .*keys\.load/m);
});

test.each([
  ['k6 v2.2.0 (go1.26.0, linux/amd64)', 'k6 v2.2.0', 2],
  ['k6-2c0921eed0e6 v2.2.0 (commit/devel, go1.26, linux/amd64)', 'k6 v2.2.0', 2],
  ['k6 v0.57.0 (go1.23, linux/amd64)', 'k6 v0.57.0', 0],
  ['something else', 'k6', 0],
])('the version of %s is read', (output, text, major) => {
  expect(versionIn(output)).toEqual({ text, major });
});
