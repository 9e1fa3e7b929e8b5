/**
 * The README's tours, run as they are written: every shell block that follows a line `<!-- tour: NAME -->`, in order, in
 * one shell that stops at the first failure, against a service of its own.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { background, nodeScript, type Outcome, run, type Step } from './run.ts';

const BLOCK = /<!-- tour: (\w+) -->\n+```sh\n([\s\S]*?)```/g;

/** The tours of the README, each as one shell script. @param dataDir stands for `.data` */
export function toursOf(readme: string, dataDir: string): Map<string, string> {
  const tours = new Map<string, string>();
  for (const [, name = '', block = ''] of readme.matchAll(BLOCK)) {
    tours.set(name, (tours.get(name) ?? '') + block.replaceAll('.data/', `${dataDir}/`));
  }
  return tours;
}

/** Whatever a tour has left running ends with it, also where it stopped half-way. */
const END_JOBS = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n";

/** A step that runs every tour. */
export function tourStep(root: string, scratch: string): Step {
  return {
    name: 'tour',
    about: "the README's tours, as they are written",
    async run() {
      const folder = mkdtempSync(join(scratch, 'tour-'));
      const data = join(folder, 'data');
      const start = nodeScript('scripts/start/main.ts', '--port', '0', '--data', data, '--employees', '300', '--json');
      const service = await background(start, { cwd: root, env: { LOG_LEVEL: 'warn' } });
      const outcome: Outcome = { passed: 0, failed: 0 };
      try {
        const tours = toursOf(readFileSync(join(root, 'README.md'), 'utf8'), data);
        if (tours.size === 0) throw new Error('The README has no tour.');
        for (const [name, script] of tours) {
          const code = await run(['bash', '-euo', 'pipefail', '-c', END_JOBS + script], { cwd: root });
          if (code === 0) outcome.passed++;
          else outcome.failed++;
          console.log(`tour of ${name}: ${code === 0 ? 'as written' : `stopped with ${code}`}`);
        }
      } finally {
        if ((await service.stop()) !== 0) outcome.failed++;
        rmSync(folder, { recursive: true, force: true });
      }
      return outcome;
    },
  };
}
