/** What a test file gives to the programs that it tries: a folder, and an output that it can read. */
import type { Output } from './command-line.ts';

export { testFolder } from './testing/test-folder.ts';

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
