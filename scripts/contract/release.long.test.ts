import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { testFolder } from '../testbed/test-surroundings.ts';
import { lastRelease } from './breaking.ts';
import { at, changed, FIXTURE, fixture } from './changed.ts';
import { type Contract, operationsOf, parseContract } from './read.ts';
import { houseRules } from './redocly-plugin.ts';
import { compareVersions, keptReleases, releaseOf, releaseText, writeRelease } from './release.ts';

const folder = testFolder();

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
  const request = 'components schemas CreateDocumentRequest';
  const ids = (release: Contract) => operationsOf(release).map(({ operationId }) => operationId);
  const namesAt = (release: Contract, place: string) => Object.keys(at(release, place) as object);

  test('operations', () => {
    expect(ids(releaseOf(fixture, '1.0.0'))).toEqual(['verifyApiKey', 'getEmployee']);
    expect(ids(releaseOf(fixture, '1.4.0'))).toEqual(['verifyApiKey', 'getEmployee', 'ingestRecords']);
    expect(ids(releaseOf(fixture, '1.6.0'))).toEqual([
      'verifyApiKey',
      'getEmployee',
      'createDocument',
      'ingestRecords',
    ]);
  });
  test('fields and parameters', () => {
    expect(namesAt(releaseOf(fixture, '1.6.0'), `${request} properties`)).toContain('file_id');
    expect(namesAt(releaseOf(fixture, '1.5.0'), `${request} properties`)).not.toContain('file_id');
    const parameters = (version: string): unknown[] =>
      operationsOf(releaseOf(fixture, version))
        .filter(({ operationId }) => operationId === 'getEmployee')
        .flatMap((operation) => operation.parameters.map(({ name }) => name));
    expect(parameters('1.6.0')).toContain('legacy_expand');
    expect(parameters('1.5.0')).not.toContain('legacy_expand');
  });
  test('events, and lists that name them', () => {
    const event = { ...Object(at(fixture, 'webhooks employee.changed post')), operationId: 'onDocumentSent' };
    const contract = changed(
      fixture,
      ['webhooks document.sent', { post: { ...event, 'x-since': '1.5.0' } }],
      ['components schemas EmployeeStatus enum', ['employee.changed', 'document.sent']],
    );
    const release = releaseOf(contract, '1.4.0');
    expect(namesAt(release, 'webhooks')).toEqual(['employee.changed']);
    expect(at(release, 'components schemas EmployeeStatus enum')).toEqual(['employee.changed']);
  });
  test('required fields that came later are not required before', () => {
    const release = releaseOf(changed(fixture, [`${request} required`, ['title', 'file_id']]), '1.5.0');
    expect(at(release, `${request} required`)).toEqual(['title']);
  });
  test('no component, tag or decision that is not used', () => {
    const release = releaseOf(fixture, '1.0.0');
    expect(houseRules['used-components']?.(release)).toEqual([]);
    expect(namesAt(release, 'components schemas')).not.toContain('CreateDocumentRequest');
    expect(at(release, 'tags')).toMatchObject([{ name: 'api_key' }, { name: 'employees' }]);
    expect(namesAt(release, 'x-decisions')).toEqual(['D-2', 'D-9']);
  });
  test('no example of what came later', () => {
    const examples = 'paths /developer/v1/documents post requestBody content application/json examples';
    const value = { title: 'Приказ', file_id: '2d1f7a52-8f7e-4c34-9d3a-6a0f3c0c1b11' };
    const contract = changed(fixture, [`${examples} upload`, { summary: 'From an upload', value }]);
    expect(namesAt(releaseOf(contract, '1.6.0'), examples)).toEqual(['template', 'upload']);
    expect(namesAt(releaseOf(contract, '1.5.0'), examples)).toEqual(['template']);
  });
});

describe('the file of a release', () => {
  test('is the same each time, and is read back unchanged', () => {
    const text = releaseText(fixture, '1.5.0');
    expect(releaseText(structuredClone(fixture), '1.5.0')).toBe(text);
    expect(parseContract(text, 'release')).toEqual(JSON.parse(JSON.stringify(releaseOf(fixture, '1.5.0'))));
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
