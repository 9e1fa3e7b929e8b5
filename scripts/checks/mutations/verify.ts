/** Checks that each mutation compiles. One that does not compile is a fault that no developer could commit. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeScript } from '../../../conformance/processes/program.ts';
import { run } from '../../testbed/run-program.ts';
import { copyProject } from './copy.ts';
import { inFolder } from './folder.ts';
import { mutated, type PlannedMutation } from './mutation.ts';

/** Errors about names that are not used any more: a developer would have deleted the name too. */
const UNUSED = /error TS(6133|6192|6196|6198|6199):/;

async function errorsIn(folder: string): Promise<string[]> {
  let said = '';
  const hear = (text: string) => {
    said += text;
  };
  await run(nodeScript('node_modules/typescript7/bin/tsc', '--noEmit', '--pretty', 'false'), { cwd: folder, hear });
  return said.split('\n').filter((line) => line.includes('error TS') && !UNUSED.test(line));
}

/** The errors of the compiler while the copy contains all of these mutations. No two of them are of the same file. */
async function errorsWith(folder: string, mutations: readonly PlannedMutation[]): Promise<string[]> {
  const sources = mutations.map(({ file }) => readFileSync(join(folder, file), 'utf8'));
  const writeAll = (texts: readonly string[]) => {
    for (const [nth, { file }] of mutations.entries()) writeFileSync(join(folder, file), texts[nth] ?? '');
  };
  writeAll(mutations.map((each, nth) => mutated(sources[nth] ?? '', each)));
  const errors = await errorsIn(folder);
  writeAll(sources);
  return errors;
}

/**
 * Compiles one mutation of each file together. If there are errors, compiles each of these mutations alone.
 * @returns whether all compile
 */
export function verify(
  root: string,
  mutations: readonly PlannedMutation[],
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<boolean> {
  return inFolder('mutations-verify', async (folder) => {
    copyProject(root, folder);
    const ofFile = [...Map.groupBy(mutations, ({ file }) => file).values()];
    let wrong = 0;
    for (let round = 0; ofFile.some((each) => each[round] !== undefined); round++) {
      const together = ofFile.flatMap((each) => each[round] ?? []);
      if ((await errorsWith(folder, together)).length === 0) continue;
      for (const mutation of together) {
        const errors = await errorsWith(folder, [mutation]);
        if (stop.aborted) return false;
        if (errors.length === 0) continue;
        wrong++;
        say(`${mutation.id} does not compile:\n  ${errors.join('\n  ')}`);
      }
    }
    if (stop.aborted) return false;
    say(`${mutations.length - wrong} of ${mutations.length} mutations compile`);
    return wrong === 0;
  });
}
