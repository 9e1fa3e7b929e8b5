import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asObject, asString, type Contract, ContractError, readContract } from '../read.ts';
import { generate, staleFiles, writeFiles } from './main.ts';

const FIXTURE = new URL('../fixture.yaml', import.meta.url).pathname;

let folder: string;
let contract: Contract;
let files: Map<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-'));
  contract = await readContract(FIXTURE);
  files = await generate(contract);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

test('the same contract gives the same files, and the contract is not changed', async () => {
  expect(await generate(await readContract(FIXTURE))).toEqual(files);
  expect(contract).toEqual(await readContract(FIXTURE));
});

test('every file says how it is made', () => {
  for (const [path, text] of files) {
    const heading = path.endsWith('.json')
      ? asString(asObject(JSON.parse(text).info).description)
      : text.split('\n')[0];
    expect([path, heading]).toEqual([path, expect.stringContaining('npm run generate')]);
  }
});

test('all modules are made', () => {
  expect([...files.keys()]).toEqual(
    expect.arrayContaining([
      'client/sdk.gen.ts',
      'client/types.gen.ts',
      'decisions.ts',
      'enumerations.ts',
      'errors.ts',
      'handlers.ts',
      'openapi.json',
      'operations.ts',
      'personal-data.ts',
      'validators.d.ts',
      'validators.js',
    ]),
  );
});

test('a date that may be empty is a string and not unknown', () => {
  expect(files.get('client/types.gen.ts')).toMatch(/export type DateOrEmpty = string/);
});

test('ids in bodies are found at every depth', () => {
  expect(files.get('operations.ts')).toContain("bodyIds: [['file_id'], ['subject_employee_ids', '*']],");
});

test('generated/ is up to date with openapi.yaml', async () => {
  const root = new URL('../../../', import.meta.url).pathname;
  const wanted = await generate(await readContract(join(root, 'openapi.yaml')));
  expect(await staleFiles(join(root, 'generated'), wanted)).toEqual([]);
});

describe('the drift check', () => {
  test('finds what is missing, outdated and left over, and writing repairs it', async () => {
    expect((await staleFiles(folder, files)).every(({ why }) => why === 'missing')).toBe(true);
    expect(await writeFiles(folder, files)).toHaveLength(files.size);
    expect(await staleFiles(folder, files)).toEqual([]);

    await writeFile(join(folder, 'errors.ts'), '// changed by hand\n');
    await writeFile(join(folder, 'stranger.ts'), '');
    await rm(join(folder, 'handlers.ts'));
    expect(await staleFiles(folder, files)).toEqual([
      { path: 'errors.ts', why: 'outdated' },
      { path: 'handlers.ts', why: 'missing' },
      { path: 'stranger.ts', why: 'left over' },
    ]);

    expect(await writeFiles(folder, files)).toHaveLength(3);
    expect(await staleFiles(folder, files)).toEqual([]);
    expect(await readFile(join(folder, 'errors.ts'), 'utf8')).toBe(files.get('errors.ts'));
  });
  test('detects a changed contract', async () => {
    const changed = structuredClone(contract);
    const paths = asObject(changed.paths);
    const operation = asObject(asObject(paths['/developer/v1/api_key/_verify']).get);
    operation.security = [{ ApiKey: ['employees:read'] }];
    const stale = await staleFiles(folder, await generate(changed));
    expect(stale).toEqual(['openapi.json', 'operations.ts'].map((path) => ({ path, why: 'outdated' })));
  });
});

describe('a contract that cannot be used is refused with its place', () => {
  const refused = async (change: (copy: Contract) => void): Promise<string> => {
    const copy = structuredClone(contract);
    change(copy);
    const error: unknown = await generate(copy).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ContractError);
    return asString(error instanceof Error ? error.message : '');
  };
  const operation = (copy: Contract): Record<string, unknown> =>
    asObject(asObject(asObject(copy.paths)['/developer/v1/api_key/_verify']).get);

  test('an operation that does not say its scope', async () => {
    expect(await refused((copy) => delete operation(copy).security)).toMatch(/verifyApiKey: "security" must be/);
  });
  test('an error without a textual code', async () => {
    const message = await refused((copy) => {
      const example = asObject(asObject(asObject(copy.components).examples).INTERNAL);
      asObject(example.value).details = [];
    });
    expect(message).toMatch(/components\.examples\.INTERNAL/);
  });
  test('one property name with two keys', async () => {
    const message = await refused((copy) => {
      const schemas = asObject(asObject(copy.components).schemas);
      asObject(asObject(asObject(schemas.IngestRecord).properties).first_name)['x-personal-data'] = 'persons.last_name';
    });
    expect(message).toMatch(/first_name is marked/);
  });
});
