import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { type Change, changed, FIXTURE, fixture } from '../changed.ts';
import { ContractError, readContract } from '../read.ts';
import { generate, staleFiles, writeFiles } from './main.ts';

const folder = testFolder();
const files = await generate(fixture);

test('the same contract gives the same files, and the contract is not changed', async () => {
  expect(await generate(await readContract(FIXTURE))).toEqual(files);
  expect(fixture).toEqual(await readContract(FIXTURE));
});

test('every file says how it is made', () => {
  for (const [path, text] of files) {
    const heading = path.endsWith('.json') ? JSON.parse(text).info.description : text.split('\n')[0];
    expect([path, heading]).toEqual([path, expect.stringContaining('npm run generate')]);
  }
});

test('a date that may be empty is a string and not unknown', () => {
  expect(files.get('client/types.gen.ts')).toMatch(/export type DateOrEmpty = string/);
});

test('ids in bodies are found at every depth', () => {
  expect(files.get('contract.ts')).toContain("bodyIds: [['file_id'], ['subject_employee_ids', '*']],");
});

describe('the drift check', () => {
  test('finds what is missing, outdated and left over, and writing repairs it', async () => {
    expect((await staleFiles(folder, files)).every(({ why }) => why === 'missing')).toBe(true);
    expect(await writeFiles(folder, files)).toHaveLength(files.size);
    expect(await staleFiles(folder, files)).toEqual([]);

    await writeFile(join(folder, 'contract.ts'), '// changed by hand\n');
    await writeFile(join(folder, 'stranger.ts'), '');
    await rm(join(folder, 'schemas.json'));
    expect(await staleFiles(folder, files)).toEqual([
      { path: 'contract.ts', why: 'outdated' },
      { path: 'schemas.json', why: 'missing' },
      { path: 'stranger.ts', why: 'left over' },
    ]);

    expect(await writeFiles(folder, files)).toHaveLength(3);
    expect(await staleFiles(folder, files)).toEqual([]);
    expect(await readFile(join(folder, 'contract.ts'), 'utf8')).toBe(files.get('contract.ts'));
  });
  test('detects a changed contract', async () => {
    const security = [{ ApiKey: ['employees:read'] }];
    const contract = changed(fixture, ['paths /developer/v1/api_key/_verify get security', security]);
    const stale = await staleFiles(folder, await generate(contract));
    expect(stale).toEqual(['contract.ts', 'openapi.json'].map((path) => ({ path, why: 'outdated' })));
  });
});

test.each<[what: string, change: Change, message: RegExp]>([
  [
    'an operation that does not say its scope',
    ['paths /developer/v1/api_key/_verify get security', undefined],
    /verifyApiKey: "security" must be/,
  ],
  [
    'one property name with two keys',
    ['components schemas IngestRecord properties first_name x-personal-data', 'persons.last_name'],
    /first_name is marked/,
  ],
])('%s is refused with its place', async (_what, change, message) => {
  const error = await generate(changed(fixture, change)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ContractError);
  expect(String(error)).toMatch(message);
});
