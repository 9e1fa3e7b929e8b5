/**
 * Runs the tours of `docs/tours.md` exactly as they are written: every shell block after a line
 * `<!-- tour: NAME -->`, in order, in one shell that stops at the first failure, against a service of its own.
 */
import { join } from 'node:path';
import { pageBlocks, shellArgv } from '../../kit/page-blocks.ts';
import { joined, type Outcome, runCheck, type Step } from './run.ts';
import { type ServiceDatabase, withService } from './started.ts';

/** The file with the tours, from the root. */
const TOURS = 'docs/tours.md';

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
      const service = { data, database, options: ['--employees', '300'], hasSecondValidator: true };
      return withService(root, service, say, async () => {
        const outcomes: Outcome[] = [];
        for (const [name, those] of Map.groupBy(pageBlocks(TOURS, 'tour'), (block) => block.name)) {
          const script = those.map((block) => block.script.replaceAll('.data/', `${data}/`)).join('');
          const argv = shellArgv(END_JOBS + script);
          const outcome = await runCheck(`the tour of ${name}`, argv, { cwd: root, hear: say });
          say(`tour of ${name}: ${outcome.passed === 1 ? 'as written' : 'stopped'}\n`);
          outcomes.push(outcome);
        }
        return joined(outcomes);
      });
    },
  };
}
