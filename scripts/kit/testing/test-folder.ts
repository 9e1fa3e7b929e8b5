/** For tests: a folder of its own for a file of tests. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { temporaryFolder } from '../leftovers.ts';

/** A new folder, which is removed after the last test of the file. */
export function testFolder(): string {
  const folder = temporaryFolder('test-');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files of a folder: a text as it is, anything else as JSON. */
export const writerIn =
  (folder: string) =>
  (name: string, content: unknown): string => {
    const file = join(folder, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
