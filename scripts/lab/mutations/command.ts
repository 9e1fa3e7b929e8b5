/**
 * `npm run lab -- faults-source`: plants faults in the source of the service, and says which of them the suite and the unit
 * tests find.
 */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { isRight, text } from '../../../conformance/mutation/report.ts';
import { writeReport } from '../../../conformance/mutation/report-html.ts';
import { EXIT, exitingWith, listAdded, misuse, wholeNumber } from '../../kit/command-line.ts';
import { areaOf, catalogue, type Mutation, misfitOf, mutationsIn } from './mutation.ts';
import { modules, runPure } from './pure.ts';
import { runAll } from './run-all.ts';
import { reportOf, verdictsIn } from './verdict.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

interface Options {
  readonly only: readonly string[];
  readonly area: readonly string[];
  readonly catalogue?: string;
  readonly project: string;
  readonly list?: true;
  readonly verify?: true;
  readonly report?: true;
  readonly again?: true;
  readonly lanes: number;
  readonly unit: boolean;
  readonly json?: string;
  readonly out: string;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

function chosenOf({ only, area, catalogue: file }: Options): Mutation[] {
  const planned = file === undefined ? catalogue() : mutationsIn(file);
  const strange = [
    ...only.filter((name) => !planned.some(({ id }) => id === name)),
    ...area.filter((name) => !planned.some((one) => areaOf(one) === name)),
  ];
  if (strange.length > 0) misuse(`no mutation or area is called ${strange.join(', ')}; --list shows all`);
  const all = only.length + area.length === 0;
  return planned.filter((mutation) => all || only.includes(mutation.id) || area.includes(areaOf(mutation)));
}

/** Shows the mutations, or tries them. @returns the exit code */
async function mutate(options: Options): Promise<number> {
  const chosen = chosenOf(options);
  if (options.list) {
    for (const one of chosen) say(`${areaOf(one).padEnd(13)} ${one.id.padEnd(42)} ${one.effect}`);
    say(`${chosen.length} mutations`);
    return EXIT.ok;
  }
  const root = resolve(options.project);
  const misfits = new Map(chosen.flatMap((one) => misfitOf(root, one) ?? []));
  for (const why of misfits.values()) say(why);
  if (options.verify) {
    say(`${chosen.length - misfits.size} of ${chosen.length} mutations fit the source`);
    return misfits.size > 0 ? EXIT.refused : EXIT.ok;
  }
  const began = Date.now();
  const { out } = options;
  const verdicts = verdictsIn(out, root);
  const mutations = chosen.filter(({ id }) => !misfits.has(id));
  if (options.again) for (const mutation of mutations) verdicts.forget(mutation);
  if (!options.report) {
    const { lanes, unit: runsUnitTests } = options;
    await runAll({ root, mutations, verdicts, say, lanes, runsUnitTests });
  }
  const report = reportOf(chosen, verdicts, misfits, began);
  writeReport(report, out, options.json);
  say(`${text(report)}\nThe page: ${join(out, 'faults.html')}`);
  return isRight(report) && misfits.size === 0 ? EXIT.ok : EXIT.refused;
}

const HELP = `
Where a rule was written for a mutation, it is asked first, and then all. What failed is asked again, and without the
mutation. Each verdict is kept, and the next run goes on where this one was interrupted. A change of the mutation or of its file makes
its verdict void, --again makes all of them void.

Exit codes: 0 everything was found, or the catalogue says why not · 1 something survived or does not fit the source ·
2 wrong usage

Examples:
  npm run lab -- faults-source --list
  npm run lab -- faults-source --area http --lanes 2
  npm run lab -- faults-source --only every-page-token-sealed-alike --again
  npm run lab -- faults-source --catalogue my-faults.json
  npm run lab -- faults-source pure rate status-by-dates`;

/** Adds the command. */
export function withSourceFaults(lab: Command): void {
  const command = lab
    .command('faults-source')
    .description(
      'Plants faults in the source of the service, and says which of them the suite and the unit tests find.\nIt finds: a mistake of developers that neither of them notices.',
    )
    .option('--only <mutations>', 'only these', listAdded, [])
    .option('--area <areas>', 'only those of these folders of handlers/', listAdded, [])
    .option('--catalogue <file>', 'faults of your own: a list in YAML or JSON, as those of the catalogue')
    .option('--project <folder>', 'the project that is mutated, and whose suite and unit tests judge', ROOT)
    .option('--list', 'show the mutations and run nothing')
    .option('--verify', 'say which mutations do not fit the source, and run nothing')
    .option('--report', 'make the reports from the verdicts that are there')
    .option('--again', 'try also what has a verdict')
    .option('--lanes <N>', 'how many copies of the project are used at once; they mostly wait', wholeNumber(1, 99), 3)
    .option('--no-unit', 'without the unit tests, which run for what the suite has missed')
    .option('--json <file>', 'write the report to this file too')
    .option('--out <folder>', 'where verdicts and reports are kept', 'reports/faults-source')
    .addHelpText('after', HELP)
    .action(exitingWith(mutate));
  command
    .command('pure')
    .description('Has Stryker make every small change that it knows in modules without a database; unit tests judge.')
    .argument('[modules...]', `of ${modules.map(({ name }) => name).join(', ')}; all by default`)
    .action(
      exitingWith((names: readonly string[]) => {
        const strange = names.filter((name) => !modules.some((one) => one.name === name));
        if (strange.length > 0) misuse(`no module is called ${strange.join(', ')}`);
        return runPure(ROOT, names, join(command.opts<Options>().out, 'pure'), say);
      }),
    );
}
