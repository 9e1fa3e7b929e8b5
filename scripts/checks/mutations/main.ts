/**
 * `npm run mutations`: plants faults in the source of the service, one at a time, and says which of them the suite and
 * the unit tests find.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { runMain, untilStopped } from '../../../conformance/processes/ending.ts';
import { endPrograms } from '../../../conformance/processes/program.ts';
import { areas } from './catalogue/catalogue.ts';
import { realCommands } from './commands.ts';
import { type PlannedMutation, plannedOf } from './mutation.ts';
import { page } from './page.ts';
import { modules, runPure } from './pure.ts';
import { markdown, type Report, reportOf } from './report.ts';
import { runAll } from './run-all.ts';
import type { Reach } from './trial.ts';
import { isOpen, Verdicts } from './verdict.ts';
import { verify } from './verify.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

const EXIT = { found: 0, survived: 1, usage: 2, stopped: 130 } as const;

interface Options {
  readonly only: readonly string[];
  readonly area: readonly string[];
  readonly list?: true;
  readonly verify?: true;
  readonly report?: true;
  readonly again?: true;
  readonly ownRule?: true;
  readonly lanes: number;
  readonly unit: Reach;
  readonly suite: boolean;
  readonly json?: string;
  readonly out: string;
}

const words = (value: string, before: readonly string[]) => [...before, ...value.split(',').map((part) => part.trim())];

function lanes(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 99.');
  return Number(text);
}

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** @throws CommanderError if a name is unknown */
function chosenOf(
  planned: readonly PlannedMutation[],
  { only, area, ownRule }: Options,
  program: Command,
): PlannedMutation[] {
  const strange = [
    ...only.filter((name) => !planned.some(({ id }) => id === name)),
    ...area.filter((name) => !areas.some((one) => one.name === name)),
  ];
  if (strange.length > 0) program.error(`no mutation or area is called ${strange.join(', ')}; --list shows all`);
  const all = only.length + area.length === 0;
  const possible = planned.filter(({ rule }) => !ownRule || rule !== undefined);
  return possible.filter((mutation) => all || only.includes(mutation.id) || area.includes(mutation.area));
}

function writeReport(report: Report, { out, json }: Options): void {
  mkdirSync(out, { recursive: true });
  const data = `${JSON.stringify(report, null, 2)}\n`;
  writeFileSync(join(out, 'mutations.json'), data);
  writeFileSync(join(out, 'mutations.md'), markdown(report));
  writeFileSync(join(out, 'mutations.html'), page(report));
  if (json !== undefined) writeFileSync(json, data);
}

async function tryThem(planned: readonly PlannedMutation[], options: Options, stop: AbortSignal): Promise<number> {
  const verdicts = new Verdicts(options.out);
  const isKnown = (mutation: PlannedMutation) => {
    const verdict = verdicts.of(mutation, ROOT);
    const lacks = (side: 'suite' | 'unit') => verdict?.[side].state === 'not_run';
    return verdict !== undefined && !(lacks('suite') && options.suite) && !(lacks('unit') && options.unit !== 'none');
  };
  const left = planned.filter((mutation) => options.again || !isKnown(mutation));
  if (left.length < planned.length)
    say(`${planned.length - left.length} have a verdict already; --again tries them too`);
  if (left.length > 0 && !options.report) {
    await runAll({
      root: ROOT,
      mutations: left,
      commands: realCommands,
      verdicts,
      say,
      stop,
      lanes: options.lanes,
      reach: options.unit,
      runsSuite: options.suite,
      byOwnRule: options.ownRule ?? false,
    });
  }
  const valid = planned.flatMap((mutation) => verdicts.of(mutation, ROOT) ?? []);
  const report = reportOf(planned, new Map(valid.map((verdict) => [verdict.id, verdict])), new Date().toISOString());
  writeReport(report, options);
  say(`\n${markdown(report)}\nThe page: ${join(options.out, 'mutations.html')}`);
  return report.tried.some(isOpen) ? EXIT.survived : EXIT.found;
}

/** Verdicts of single rules are kept apart from those of the whole suite. */
const withOwnRules = (given: Options): Options => ({ ...given, unit: 'none', out: join(given.out, 'own-rule') });

const HELP = `
A run of all takes some hours. It keeps each verdict and goes on where it was interrupted; a change of the mutation or
of its file makes a verdict void, --again makes all of them void.

Exit codes: 0 everything was found, or the catalogue says why not · 1 something survived · 2 wrong usage · 130 stopped

Examples:
  npm run mutations -- --list
  npm run mutations -- --area http --lanes 2
  npm run mutations -- --only page-token-never-expires --again
  npm run mutations -- --own-rule
  npm run mutations -- --report
  npm run mutations -- pure rate status-by-dates`;

/** @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const planned = plannedOf(areas);
  let code: number = EXIT.found;
  const stop = untilStopped();
  stop.addEventListener('abort', () => void endPrograms());
  const program = new Command('npm run mutations --')
    .description('Plants faults in the source of the service, and says which of them the suite and unit tests find.')
    .option('--only <mutations>', 'only these', words, [])
    .option('--area <areas>', 'only those of these areas', words, [])
    .option('--list', 'show the catalogue and run nothing')
    .option('--verify', 'see that each mutation compiles, and run nothing else')
    .option('--report', 'make the reports from the verdicts that are there')
    .option('--again', 'try also what has a verdict')
    .option('--lanes <N>', 'how many are tried at once; they mostly wait', lanes, 4)
    .addOption(
      new Option('--unit <tests>', 'the unit tests that import the file, those in its folder, or none')
        .choices(['related', 'near', 'none'])
        .default('related'),
    )
    .option('--own-rule', 'only mutations for which a rule was written, each judged by this rule alone')
    .option('--no-suite', 'run the unit tests only')
    .option('--json <file>', 'write the report to this file too')
    .option('--out <folder>', 'where verdicts and reports are kept', 'reports/mutations')
    .addHelpText('after', HELP)
    .enablePositionalOptions()
    .exitOverride()
    .action(async (given: Options) => {
      const options = given.ownRule ? withOwnRules(given) : given;
      const chosen = chosenOf(planned, options, program);
      if (options.list) {
        for (const { area, id, customer } of chosen) say(`${area.padEnd(13)} ${id.padEnd(42)} ${customer}`);
        say(`${chosen.length} mutations`);
      } else if (options.verify) code = (await verify(ROOT, chosen, say, stop)) ? EXIT.found : EXIT.survived;
      else code = await tryThem(chosen, options, stop);
    });
  program
    .command('pure')
    .description('Has Stryker mutate pure modules in every way that it knows; their own unit tests judge.')
    .argument('[modules...]', `of ${modules.map(({ name }) => name).join(', ')}; all by default`)
    .option('--out <folder>', 'where the pages go', 'reports/mutations-pure')
    .action(async (names: readonly string[], { out }: { readonly out: string }) => {
      const strange = names.filter((name) => !modules.some((one) => one.name === name));
      if (strange.length > 0) program.error(`no module is called ${strange.join(', ')}`);
      code = await runPure(ROOT, names, out, say, stop);
    });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return stop.aborted ? EXIT.stopped : code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.found : EXIT.usage;
    throw error;
  }
}

if (import.meta.main) await runMain(main);
