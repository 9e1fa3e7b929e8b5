import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from '../kit/testing/test-folder.ts';
import { lastRelease } from './breaking.ts';
import { FIXTURE } from './changed.ts';
import { readContract } from './read.ts';
import { tagRelease, writeRelease } from './release.ts';

const folder = testFolder();

test('a release is the contract, has nothing of a later one, and is never changed', async () => {
  const write = (version: string) => writeRelease(version, FIXTURE, folder);
  const path = join(folder, '1.6.0.yaml');
  await expect(write('1.5.0')).rejects.toThrow(/has parts of 1\.6\.0/);
  await expect(write('six')).rejects.toThrow(/is not a release/);
  expect(await write('1.6.0')).toMatch(/kept$/);
  expect(await readContract(path)).toEqual(await readContract(FIXTURE));
  expect(await write('1.6.0')).toMatch(/kept$/);
  await writeFile(path, '# another\n');
  await expect(write('1.6.0')).rejects.toThrow(/A release never changes/);
  expect(await readFile(path, 'utf8')).toBe('# another\n');
  expect(await write('1.10.0')).toMatch(/kept$/);
  expect(lastRelease(folder)).toBe(join(folder, '1.10.0.yaml'));
});

test('the tag of a release is set once, at a commit that has all files', () => {
  const git = (line: string) => execFileSync('git', line.split(' '), { cwd: folder });
  git('init --quiet');
  expect(() => tagRelease('1.6.0', folder)).toThrow(/1\.6\.0\.yaml/);
  git('add .');
  git('-c user.name=A -c user.email=a@example.com commit --quiet --message Release');
  tagRelease('1.6.0', folder);
  expect(() => tagRelease('1.6.0', folder)).toThrow(/v1\.6\.0$/m);
});
