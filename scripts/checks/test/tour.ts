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

/** The tours of a text in Markdown, each as one shell script. @param dataDir replaces `.data` */
export function toursOf(markdown: string, dataDir: string): Map<string, string> {
  const tours = new Map<string, string>();
  for (const [, name = '', block = ''] of markdown.matchAll(BLOCK)) {
    tours.set(name, (tours.get(name) ?? '') + block.replaceAll('.data/', `${dataDir}/`));
  }
  return tours;
}

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
        const tours = toursOf(readFileSync(join(root, TOURS), 'utf8'), data);
        if (tours.size === 0) throw new Error(`${TOURS} has no tour.`);
        const outcomes: Outcome[] = [];
        for (const [name, script] of tours) {
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
