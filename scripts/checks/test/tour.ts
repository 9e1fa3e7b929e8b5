/**
 * Runs the tours of `docs/tours.md` exactly as they are written: every shell block after a line
 * `<!-- tour: NAME -->`, in order, in one shell that stops at the first failure, against a service of its own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { joined, type Outcome, runCheck, type Step } from './run.ts';
import { type ServiceDatabase, withService } from './started.ts';

/** The file with the tours, from the root. */
const TOURS = 'docs/tours.md';
const BLOCK = /<!-- tour: (\w+) -->\n+```sh\n([\s\S]*?)```/g;

/** Ends everything that a tour leaves running, even if the tour stopped half-way. */
const END_JOBS = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n";

/** A step that runs every tour. */
export function tourStep(root: string, scratch: string, database: ServiceDatabase): Step {
  return {
    name: 'tour',
    about: `the tours of ${TOURS}, as they are written`,
    cores: 1,
    run({ say }) {
      const data = join(scratch, 'tour');
      const service = { data, database, options: ['--employees', '300'] };
      return withService(root, service, say, async () => {
        const blocks = [...readFileSync(join(root, TOURS), 'utf8').matchAll(BLOCK)];
        if (blocks.length === 0) throw new Error(`${TOURS} has no tour.`);
        const outcomes: Outcome[] = [];
        for (const [name, those] of Map.groupBy(blocks, ([, name = '']) => name)) {
          const script = those.map(([, , block = '']) => block.replaceAll('.data/', `${data}/`)).join('');
          const argv = ['bash', '-euo', 'pipefail', '-c', END_JOBS + script];
          const outcome = await runCheck(`the tour of ${name}`, argv, { cwd: root, hear: say });
          say(`tour of ${name}: ${outcome.passed === 1 ? 'as written' : 'stopped'}\n`);
          outcomes.push(outcome);
        }
        return joined(outcomes);
      });
    },
  };
}
