/**
 * `npm test`: every check of the project, in the order in which a failure is cheapest to find. It starts what it needs
 * on free loopback ports in a temporary folder, ends it again, and closes with one line that counts everything.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { integrationSteps } from './integration.ts';
import { loadStep } from './load.ts';
import { joined, judged, nodeScript, type Outcome, runCheck, type Step } from './run.ts';
import { storageStep } from './storage.ts';
import { tourStep } from './tour.ts';
import { unitTests } from './unit.ts';

const root = resolve(import.meta.dirname, '../..');

const HELP = `Usage: npm test [-- --only STEP[,STEP]] [-- --list]

Runs every check of the project; each works alone too:
`;

/** A tool that says by its exit code whether all is well. */
function tool(name: string, about: string, argv: readonly string[]): Step {
  return { name, about, run: () => runCheck(name, argv, { cwd: root }) };
}

/** A tool that looks at files, beside the others of its kind; what it says comes when it has ended. */
function reader(name: string, about: string, argv: readonly string[]): Step {
  return {
    name,
    about,
    group: 'readers',
    async run() {
      let said = '';
      const hear = (text: string) => {
        said += text;
      };
      const outcome = await runCheck(name, argv, { cwd: root, hear });
      if (said !== '') console.log(said.trimEnd());
      return outcome;
    },
  };
}

function steps(scratch: string): readonly Step[] {
  return [
    reader('lint', 'style and common mistakes (Biome)', ['node_modules/.bin/biome', 'check', '.']),
    reader('typecheck', 'types (TypeScript)', nodeScript('node_modules/typescript7/bin/tsc', '--noEmit')),
    reader('generate', 'generated modules are up to date', nodeScript('scripts/generate/main.ts', '--check')),
    reader('lint:contract', 'the contract and the house rules for it', nodeScript('scripts/contract/lint.ts')),
    reader('contract:breaking', 'nothing breaks the last release', nodeScript('scripts/contract/breaking.ts')),
    unitTests(root, scratch),
    storageStep(root, scratch),
    tourStep(root, scratch),
    tool(
      'faults',
      'what is killed, stopped or without its database loses and doubles nothing, in short',
      nodeScript('scripts/faults/main.ts', 'quick', '--quiet'),
    ),
    ...integrationSteps(root, scratch),
    // Last, because k6 takes longest to build.
    loadStep(root, scratch),
  ];
}

/** Runs the program. @returns the exit code */
export async function main(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { only: { type: 'string' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const scratch = mkdtempSync(join(tmpdir(), 'developer-api-test-'));
  try {
    const all = steps(scratch);
    if (values.help || values.list) {
      console.log(HELP + all.map(({ name, about }) => `  ${name.padEnd(20)} ${about}`).join('\n'));
      return 0;
    }
    const only = values.only?.split(',');
    const unknown = only?.filter((name) => !all.some((step) => step.name === name)) ?? [];
    if (unknown.length > 0) {
      console.error(`There is no step ${unknown.join(', ')}; npm test -- --list names them.`);
      return 2;
    }
    return await runAll(all.filter(({ name }) => only === undefined || only.includes(name)));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The steps in their order, those that may run at the same time together. */
function grouped(chosen: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of chosen) {
    const last = groups.at(-1);
    if (step.group !== undefined && last?.[0]?.group === step.group) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** Lines of a failure that are shown again at the end. */
const SHOWN = 40;

async function runAll(chosen: readonly Step[]): Promise<number> {
  const outcomes: Outcome[] = [];
  for (const step of chosen) step.prepare?.();
  const finish = async (step: Step) => {
    console.log(`\n=== ${step.name}: ${step.about}`);
    const startedAt = performance.now();
    const outcome = await step.run().catch((error: Error) => judged(false, error.message));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const verdict = outcome.failures.length === 0 ? 'ok' : 'FAILED';
    if (outcome.notRun !== undefined) console.log(`--- ${step.name}: DID NOT RUN: ${outcome.notRun}`);
    else console.log(`--- ${step.name}: ${verdict} in ${seconds} s`);
    outcomes.push({ ...outcome, failures: outcome.failures.map((failure) => `${step.name}: ${failure}`) });
  };
  for (const together of grouped(chosen)) await Promise.all(together.map(finish));
  const { passed, failures } = joined(outcomes);
  for (const failure of failures) console.log(`\nFAILED ${failure.split('\n').slice(0, SHOWN).join('\n  ')}`);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  return failures.length === 0 ? 0 : 1;
}
