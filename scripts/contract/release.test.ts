import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lastRelease } from './breaking.ts';
import { asArray, asObject, type Contract, operationsOf, parseContract, readContract } from './read.ts';
import { houseRules } from './redocly-plugin.ts';
import { compareVersions, keptReleases, releaseOf, releaseText, writeRelease } from './release.ts';

const FIXTURE = new URL('./fixture.yaml', import.meta.url).pathname;

let folder: string;
let contract: Contract;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'releases-'));
  contract = await readContract(FIXTURE);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

function ids(release: Contract): string[] {
  return operationsOf(release).map(({ operationId }) => operationId);
}

test('releases are ordered by their numbers', () => {
  expect(['1.10.0', '1.9.3', '1.9.10', '2.0.0', '1.9.3'].sort(compareVersions)).toEqual([
    '1.9.3',
    '1.9.3',
    '1.9.10',
    '1.10.0',
    '2.0.0',
  ]);
});

describe('a release contains what existed then', () => {
  test('operations', () => {
    expect(ids(releaseOf(contract, '1.0.0'))).toEqual(['verifyApiKey', 'getEmployee']);
    expect(ids(releaseOf(contract, '1.4.0'))).toEqual(['verifyApiKey', 'getEmployee', 'ingestRecords']);
    expect(ids(releaseOf(contract, '1.6.0'))).toEqual([
      'verifyApiKey',
      'getEmployee',
      'createDocument',
      'ingestRecords',
    ]);
  });
  test('fields and parameters', () => {
    const fields = (version: string): string[] =>
      Object.keys(
        asObject(
          asObject(asObject(asObject(releaseOf(contract, version).components).schemas).CreateDocumentRequest)
            .properties,
        ),
      );
    expect(fields('1.6.0')).toContain('file_id');
    expect(fields('1.5.0')).not.toContain('file_id');
    const parameters = (version: string): unknown[] =>
      operationsOf(releaseOf(contract, version))
        .filter(({ operationId }) => operationId === 'getEmployee')
        .flatMap((operation) => operation.parameters.map(({ name }) => name));
    expect(parameters('1.6.0')).toContain('legacy_expand');
    expect(parameters('1.5.0')).not.toContain('legacy_expand');
  });
  test('events, and lists that name them', () => {
    const changed = structuredClone(contract);
    const event = asObject(asObject(asObject(changed.webhooks)['employee.changed']).post);
    asObject(changed.webhooks)['document.sent'] = {
      post: { ...event, operationId: 'onDocumentSent', 'x-since': '1.5.0' },
    };
    asObject(asObject(changed.components).schemas).EmployeeStatus = {
      type: 'string',
      description: 'Events.',
      enum: ['employee.changed', 'document.sent'],
    };
    const release = releaseOf(changed, '1.4.0');
    expect(Object.keys(asObject(release.webhooks))).toEqual(['employee.changed']);
    expect(asObject(asObject(asObject(release.components).schemas).EmployeeStatus).enum).toEqual(['employee.changed']);
  });
  test('required fields that came later are not required before', () => {
    const changed = structuredClone(contract);
    asObject(asObject(asObject(changed.components).schemas).CreateDocumentRequest).required = ['title', 'file_id'];
    const schemas = asObject(asObject(releaseOf(changed, '1.5.0').components).schemas);
    expect(asObject(schemas.CreateDocumentRequest).required).toEqual(['title']);
  });
  test('no component, tag or decision that is not used', () => {
    const release = releaseOf(contract, '1.0.0');
    expect(houseRules['used-components']?.(release)).toEqual([]);
    expect(Object.keys(asObject(asObject(release.components).schemas))).not.toContain('CreateDocumentRequest');
    expect(asArray(release.tags).map((tag) => asObject(tag).name)).toEqual(['api_key', 'employees']);
    expect(Object.keys(asObject(release['x-decisions']))).toEqual(['D-2', 'D-9']);
  });
  test('no example of what came later', () => {
    const changed = structuredClone(contract);
    const media = asObject(
      asObject(
        asObject(asObject(asObject(asObject(changed.paths)['/developer/v1/documents']).post).requestBody).content,
      )['application/json'],
    );
    asObject(media.examples).upload = {
      summary: 'From an upload',
      value: { title: 'Приказ', file_id: '2d1f7a52-8f7e-4c34-9d3a-6a0f3c0c1b11' },
    };
    const names = (version: string): string[] => {
      const body = asObject(
        asObject(asObject(releaseOf(changed, version).paths)['/developer/v1/documents']).post,
      ).requestBody;
      return Object.keys(asObject(asObject(asObject(asObject(body).content)['application/json']).examples));
    };
    expect(names('1.6.0')).toEqual(['template', 'upload']);
    expect(names('1.5.0')).toEqual(['template']);
  });
});

describe('the file of a release', () => {
  test('is the same each time, and is read back unchanged', () => {
    const text = releaseText(contract, '1.5.0');
    expect(releaseText(structuredClone(contract), '1.5.0')).toBe(text);
    expect(parseContract(text, 'release')).toEqual(JSON.parse(JSON.stringify(releaseOf(contract, '1.5.0'))));
  });
  test('is never changed unless forced', async () => {
    const options = { contract: FIXTURE, out: folder };
    expect(await writeRelease('1.5.0', options)).toMatch(/written$/);
    expect(await writeRelease('1.5.0', options)).toMatch(/unchanged$/);
    await writeFile(join(folder, '1.5.0.yaml'), '# another\n');
    await expect(writeRelease('1.5.0', options)).rejects.toThrow(/A release never changes/);
    expect(await readFile(join(folder, '1.5.0.yaml'), 'utf8')).toBe('# another\n');
    expect(await writeRelease('1.5.0', { ...options, force: true })).toMatch(/written$/);
    expect(await writeRelease('1.10.0', options)).toMatch(/written$/);
    expect(await keptReleases(folder)).toEqual(['1.5.0', '1.10.0']);
    expect(await lastRelease(folder)).toBe(join(folder, '1.10.0.yaml'));
    await expect(writeRelease('six', options)).rejects.toThrow(/is not a release/);
  });
});

describe('the kept releases', () => {
  test('are the releases that the interface names', async () => {
    expect(await keptReleases()).toEqual(expect.arrayContaining(['1.3.0', '1.4.0', '1.5.0', '1.6.0', '1.7.0']));
  });
});
