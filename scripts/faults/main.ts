/**
 * `npm run faults`: what the service promises to survive, tried out on real processes of its own on loopback. Exit
 * codes: 0 all promises held, 1 one was broken, 2 wrong usage.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { crash } from './crash.ts';
import { runRaces } from './races.ts';
import { isCompleting } from './races-table.ts';

const FINDINGS = ['lost', 'doubled', 'stuck', 'dangling', 'leftOver'] as const;

function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
  return Number(text);
}

interface Said {
  readonly seed: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

interface Flags extends Said {
  readonly cycles: number;
}

interface RacesFlags extends Said {
  readonly rounds: number;
  readonly completions: number;
}

async function runCrash({ cycles, seed, json, quiet }: Flags): Promise<number> {
  const startedAt = performance.now();
  const say = (line: string) => quiet || process.stderr.write(`${line}\n`);
  const report = await crash({ cycles, seed, say });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const wrong = FINDINGS.flatMap((kind) => report[kind].map((what) => `${kind}: ${what}`));
  if (json) process.stdout.write(`${JSON.stringify({ seconds, ...report })}\n`);
  else {
    const { documents, acknowledged, repeats, databaseKills, moments, diedAt } = report;
    const places = Object.keys(diedAt).filter((place) => place !== 'a random time').length;
    process.stdout.write(
      `${cycles} kills in ${seconds} s (${places} of ${moments} moments reached; ${databaseKills} times the database too): ` +
        `${documents} documents, ${acknowledged} steps acknowledged, ${repeats} asked for again; ` +
        `${FINDINGS.map((kind) => `${report[kind].length} ${kind}`).join(', ')}.\n`,
    );
    for (const line of wrong.slice(0, 50)) process.stdout.write(`  ${line}\n`);
  }
  return wrong.length === 0 ? 0 : 1;
}

async function runAllRaces({ rounds, completions, seed, json, quiet }: RacesFlags): Promise<number> {
  const startedAt = performance.now();
  const say = (line: string) => quiet || process.stderr.write(`${line}\n`);
  const reports = await runRaces({ rounds: (race) => (isCompleting(race) ? completions : rounds), seed, say });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const wrong = reports.flatMap((report) => report.wrong.map((what) => `${report.race}: ${what}`));
  if (json) process.stdout.write(`${JSON.stringify({ seconds, races: reports })}\n`);
  else {
    for (const { race, rounds: done, outcomes } of reports) {
      const counts = Object.entries(outcomes).map(([what, times]) => `${times} × ${what}`);
      process.stdout.write(`${race}, ${done} rounds: ${counts.join('; ')}.\n`);
    }
    process.stdout.write(`${wrong.length} outcomes that no order of the acts has, in ${seconds} s.\n`);
    for (const line of wrong.slice(0, 50)) process.stdout.write(`  ${line}\n`);
  }
  return wrong.length === 0 ? 0 : 1;
}

/** @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = new Command('npm run faults --')
    .description('Tries out what the service promises to survive, on processes of its own.')
    .exitOverride();
  program
    .command('crash')
    .description('Kills the server at named moments and at random times while documents are made and signed.')
    .option('--cycles <N>', 'how often', count, 200)
    .option('--seed <text>', 'decides the times and choices', '1')
    .addOption(new Option('--json', 'print one line of JSON'))
    .addOption(new Option('--quiet', 'say nothing while it runs'))
    .addHelpText('after', '\nExamples:\n  npm run faults -- crash\n  npm run faults -- crash --cycles 6 --seed 7')
    .action(async (flags: Flags) => {
      code = await runCrash(flags);
    });
  program
    .command('races')
    .description('Lets several act on one document at once, and compares with what some order of the acts gives.')
    .option('--rounds <N>', 'of each race', count, 1000)
    .option('--completions <N>', 'rounds of races with a signature, which take long', count, 100)
    .option('--seed <text>', 'decides who waits how long', '1')
    .addOption(new Option('--json', 'print one line of JSON'))
    .addOption(new Option('--quiet', 'say nothing while it runs'))
    .addHelpText(
      'after',
      '\nExamples:\n  npm run faults -- races\n  npm run faults -- races --rounds 20 --completions 5',
    )
    .action(async (flags: RacesFlags) => {
      code = await runAllRaces(flags);
    });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
