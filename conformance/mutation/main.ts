/**
 * `npm run faults:traffic`: plants faults between the suite and a service, and shows which of them the suite
 * finds.
 */
import { commandLine, exitingWith, listAdded, misuse, runProgram, wholeNumber } from '../command-line.ts';
import { runMain, untilStopped } from '../processes/ending.ts';
import { endPrograms } from '../processes/program.ts';
import { faults } from './all-faults.ts';
import { controls } from './controls.ts';
import { sectionOf } from './judge.ts';
import { MutationRun } from './mutation-run.ts';
import { outOfReach } from './out-of-reach.ts';
import { type FaultReport, isRight, text } from './report.ts';
import { writeReport } from './report-html.ts';
import { RunStopped } from './suite-run.ts';
import { startTarget, type Target } from './target.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Options {
  only: string[];
  section: string[];
  list?: true;
  profile: string[];
  size: number;
  lanes: number;
  controls?: true;
  null: boolean;
  json?: string;
  out: string;
}

/** Names on the command line that are no fault, rule or section. */
function unknownNames({ only, section }: Options): string[] {
  const known = (name: string) => faults.some(({ id, rule }) => id === name || rule === name);
  return [
    ...only.filter((name) => !known(name)),
    ...section.filter((name) => !faults.some(({ rule }) => sectionOf(rule) === name)),
  ];
}

/** Shows the chosen faults, and if all are chosen, also the rules that no fault can test. */
function list(chosen: typeof faults, all: boolean): void {
  for (const { id, rule, breaks } of chosen) say(`${rule.padEnd(9)} ${id.padEnd(34)} ${breaks}`);
  if (all) for (const { rule, reason } of outOfReach) say(`${rule.padEnd(9)} ${'(none)'.padEnd(34)} ${reason}`);
  say(`${chosen.length} faults for ${new Set(chosen.map(({ rule }) => rule)).size} rules`);
}

async function mutate(options: Options): Promise<number> {
  const { only, section } = options;
  const all = only.length + section.length === 0;
  const strange = unknownNames(options);
  if (strange.length > 0) misuse(`no fault is called ${strange.join(', ')}; --list shows all`);
  const chosen = faults.filter(
    ({ id, rule }) => all || only.includes(id) || only.includes(rule) || section.includes(sectionOf(rule)),
  );
  if (options.list) {
    list(chosen, all);
    return 0;
  }
  const began = Date.now();
  // What a suite was just doing is ended, and undone, by the suite.
  untilStopped().addEventListener('abort', () => void endPrograms());
  const targets: Target[] = [];
  try {
    const planted = options.controls ? [] : chosen;
    const lanes = planted.length < options.size ? 1 : options.lanes;
    while (options.profile.length === 0 && targets.length < lanes) targets.push(await startTarget(say));
    const profiles = [...options.profile, ...targets.map((one) => one.profile)];
    const run = new MutationRun({ profiles, faults: planted, size: options.size, say });
    await run.open();
    const unsound = options.null ? await run.unsound() : new Map();
    const judged = await run.judge(unsound);
    await run.close();
    const found = all || options.controls ? await controls(profiles[0] ?? '', say) : [];
    const report: FaultReport = {
      format_version: 2,
      title: 'Faults in traffic',
      how: 'Each fault is wrong in one way and is planted between suite and service; its own rule has to find it.',
      started_at: new Date(began).toISOString(),
      duration_ms: Date.now() - began,
      whole: all && !options.controls && options.null,
      faults: judged,
      controls: found,
      without: all ? outOfReach.map(({ rule, reason }) => ({ name: rule, reason })) : [],
    };
    writeReport(report, options.out, options.json);
    say(text(report));
    return isRight(report) ? 0 : 1;
  } finally {
    for (const target of targets) await target.stop();
  }
}

const program = commandLine(
  'npm run faults:traffic --',
  'Shows that the rules detect violations: injects faults outside the product and reports which of them their rule finds.',
)
  .option('--only <faults>', 'only these faults (ids of --list, or ids of rules)', listAdded, [])
  .option('--section <sections>', 'only faults for rules of these sections', listAdded, [])
  .option('--list', 'show every fault and run nothing')
  .option(
    '--profile <files>',
    'running services, each for one round at a time; without it they are started',
    listAdded,
    [],
  )
  .option(
    '--size <rules>',
    'maximum number of rules in a round; with 1, each fault is planted alone',
    wholeNumber(1, 9_999),
    120,
  )
  .option('--lanes <services>', 'number of services that are started', wholeNumber(1, 9), 2)
  .option('--controls', 'only the controls')
  .option('--no-null', 'do not first run the rules without any fault')
  .option('--json <file>', 'write the report to this file too')
  .option('--out <directory>', 'where faults.json and faults.html are written', 'reports/faults-traffic')
  .addHelpText('after', '\nExit codes: 0 every fault caught and every control right · 1 not · 2 bad command line')
  .action(exitingWith(mutate));

function codeOf(error: unknown): number | undefined {
  return error instanceof RunStopped || untilStopped().aborted ? 1 : undefined;
}

/** Runs the program. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await runProgram(program, argv, codeOf);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return 1;
  }
}

if (import.meta.main) await runMain(main);
