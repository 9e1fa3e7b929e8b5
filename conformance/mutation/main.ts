/**
 * `npm run conformance:mutation`: plants faults between the suite and a service, and shows which of them the suite
 * finds.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandLine, exitingWith, listAdded, misuse, runProgram, wholeNumber } from '../command-line.ts';
import { runMain, untilStopped } from '../processes/ending.ts';
import { endPrograms } from '../processes/program.ts';
import { BadProfile } from '../profile/profile.ts';
import { faults } from './all-faults.ts';
import { controls } from './controls.ts';
import { sectionOf } from './judge.ts';
import { MutationRun } from './mutation-run.ts';
import { outOfReach } from './out-of-reach.ts';
import { countsOf, isAllCaught, type MutationReport, text } from './report.ts';
import { html } from './report-html.ts';
import { RunStopped } from './suite-run.ts';
import { startTarget } from './target.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Options {
  only: string[];
  section: string[];
  list?: true;
  profile?: string;
  isolated?: true;
  size: number;
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

function write(report: MutationReport, { out, json }: Options): void {
  mkdirSync(out, { recursive: true });
  const data = `${JSON.stringify(report, null, 2)}\n`;
  writeFileSync(join(out, 'mutation.json'), data);
  writeFileSync(join(out, 'mutation.html'), html(report));
  if (json !== undefined) {
    mkdirSync(dirname(json), { recursive: true });
    writeFileSync(json, data);
  }
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
  const target = options.profile === undefined ? await startTarget(say) : undefined;
  const profile = options.profile ?? target?.profile ?? '';
  try {
    const planted = options.controls ? [] : chosen;
    const run = new MutationRun({
      profile,
      faults: planted,
      size: options.size,
      isolated: options.isolated ?? false,
      say,
    });
    await run.open();
    const unsound = options.null ? await run.unsound() : new Map();
    const judged = await run.judge(unsound);
    await run.close();
    const report: MutationReport = {
      format_version: 1,
      started_at: new Date(began).toISOString(),
      duration_ms: 0,
      whole: all && !options.controls && options.null,
      counts: countsOf(judged),
      faults: judged,
      controls: all || options.controls ? await controls(profile, say) : [],
      out_of_reach: all ? outOfReach : [],
    };
    report.duration_ms = Date.now() - began;
    write(report, options);
    say(text(report));
    return isAllCaught(report) ? 0 : 1;
  } finally {
    await target?.stop();
  }
}

const program = commandLine(
  'conformance:mutation',
  'Shows that the rules detect violations: injects faults outside the product and reports which of them their rule finds.',
)
  .option('--only <faults>', 'only these faults (ids of --list, or ids of rules)', listAdded, [])
  .option('--section <sections>', 'only faults for rules of these sections', listAdded, [])
  .option('--list', 'show every fault and run nothing')
  .option('--profile <file>', 'a running service; without it one is started for this run')
  .option('--isolated', 'a separate run for each fault: slow, but it is certain which fault was found')
  .option('--size <rules>', 'maximum number of rules in a round', wholeNumber(1, 9_999), 60)
  .option('--controls', 'only the controls')
  .option('--no-null', 'do not first run the rules without any fault')
  .option('--json <file>', 'write the report to this file too')
  .option('--out <directory>', 'where mutation.json and mutation.html are written', 'reports/conformance-mutation')
  .addHelpText('after', '\nExit codes: 0 every fault caught and every control right · 1 not · 2 bad command line')
  .action(exitingWith(mutate));

function codeOf(error: unknown): number | undefined {
  if (error instanceof BadProfile) return 2;
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
