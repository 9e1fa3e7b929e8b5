/** What a test file gives to the programs that it tries: a folder, and an output that it can read. */
import { rmSync } from 'node:fs';
import { afterAll } from '@jest/globals';
import type { Output } from '../../conformance/command-line.ts';
import { temporaryFolder } from '../../conformance/processes/leftovers.ts';

/** A new folder, which is removed after the last test of the file. */
export function testFolder(): string {
  const folder = temporaryFolder('test-');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface KeptOutput extends Output {
  readonly written: { out: string; err: string };
}

/** @param heard called with each piece of standard output, too */
export function keptOutput(heard: Output['stdout'] = () => {}): KeptOutput {
  const written = { out: '', err: '' };
  return {
    written,
    stdout(text) {
      written.out += text;
      heard(text);
    },
    stderr(text) {
      written.err += text;
    },
  };
}
