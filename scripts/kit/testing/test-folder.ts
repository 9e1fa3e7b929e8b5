/** For tests: a folder of its own for a file of tests. */
import { rmSync } from 'node:fs';
import { afterAll } from '@jest/globals';
import { temporaryFolder } from '../leftovers.ts';

/** A new folder, which is removed after the last test of the file. */
export function testFolder(): string {
  const folder = temporaryFolder('test-');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
