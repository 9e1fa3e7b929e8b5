/** `npm run bench:aims`: what the service promises in numbers, measured on its running processes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { runMain } from '../../../conformance/processes/ending.ts';
import { commaList, commandLine, exitingWith, Failure, misuse, runProgram } from '../../command-line.ts';
import { type Finding, line } from './aims/aim.ts';
import { creation } from './aims/creation.ts';
import { deliveries } from './aims/deliveries.ts';
import { ingest } from './aims/ingest.ts';
import type { Measure, MeasureOptions } from './aims/measure.ts';
import { memory } from './aims/memory.ts';
import { printing } from './aims/printing.ts';
import { processes } from './aims/processes.ts';
import { rateLimit } from './aims/rate-limit.ts';
import { start } from './aims/start.ts';
import { ENGINES, type Engine, withDatabase } from './database.ts';

const measures: readonly Measure[] = [creation, ingest, deliveries, rateLimit, start, memory, printing, processes];
const names = measures.map(({ name }) => name);

interface Flags {
  readonly only: readonly string[];
  readonly database: Engine;
  readonly quick?: true;
  readonly cpuProf?: string;
  readonly json?: string;
  readonly out: string;
}

/** What `aims.json` holds. */
interface AimsReport {
  readonly format_version: 1;
  readonly made_at: string;
  readonly engine: string;
  readonly node: string;
  readonly processors: number;
  /** How many processes wanted a processor, over the last minute before the measures. */
  readonly load_before: number;
  readonly quick: boolean;
  readonly measures: readonly Measured[];
}

/** What a measure found. */
interface Measured {
  readonly name: string;
  readonly findings: readonly Finding[];
  /** Why it ended before it had found everything. */
  readonly broke_off?: string;
}

/** Runs a measure on a database of its own, so that none works on what another has left. */
async function measured(measure: Measure, engine: Engine, options: Omit<MeasureOptions, 'place'>): Promise<Measured> {
  const { name } = measure;
  let findings: readonly Finding[] = [];
  try {
    await withDatabase({ engine }, async (place) => {
      findings = await measure.run({ ...options, place });
    });
  } catch (error) {
    // The service may refuse what a measure asks: on a slow machine, for example. Then the others still count.
    if (!(error instanceof Failure)) throw error;
    return { name, findings, broke_off: error.message };
  }
  return { name, findings };
}

/** Shows on a terminal what is done, and about how long the rest takes. @param later seconds of the measures after it */
function progressOf(measure: Measure, later: number): (what: string) => void {
  const startedAt = performance.now();
  return (what) => {
    if (!process.stderr.isTTY) return;
    const own = Math.max(0, measure.seconds - (performance.now() - startedAt) / 1000);
    const minutes = Math.ceil((own + later) / 60);
    process.stderr.write(`\r\u001b[K${measure.name}: ${what}  ~${minutes} min left`);
  };
}

async function bench({ only, database: engine, quick, cpuProf, json, out }: Flags): Promise<number> {
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) misuse(`There is no measure ${unknown}. There are: ${names.join(', ')}.`);
  const chosen = measures.filter(({ name }) => only.includes(name));
  const isQuick = quick === true;
  const [load_before = 0] = loadavg();
  const found: Measured[] = [];
  for (const [nth, measure] of chosen.entries()) {
    const later = chosen.slice(nth + 1).reduce((sum, { seconds }) => sum + seconds, 0);
    const say = isQuick ? () => {} : progressOf(measure, later);
    const one = await measured(measure, engine, { isQuick, say, profiles: cpuProf });
    found.push(one);
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    console.log(`${measure.name}: ${measure.about}`);
    for (const finding of one.findings) console.log(line(finding));
    if (one.broke_off !== undefined) console.log(`  broke off: ${one.broke_off}`);
  }
  const report: AimsReport = {
    ...{ format_version: 1, made_at: new Date().toISOString(), node: process.version, quick: isQuick },
    ...{ engine: process.env.MONGODB_URI ? 'MONGODB_URI' : engine, processors: availableParallelism(), load_before },
    measures: found,
  };
  const data = `${JSON.stringify(report, null, 2)}\n`;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'aims.json'), data);
  if (json !== undefined) writeFileSync(json, data);
  const isMet = ({ findings, broke_off }: Measured) =>
    broke_off === undefined && findings.every(({ met }) => met !== false);
  return found.every(isMet) ? 0 : 1;
}

const NOTES = `
Measures:
${measures.map(({ name, about }) => `  ${name.padEnd(12)}${about}`).join('\n')}

The database is MONGODB_URI; without it one is started for each measure, and removed afterwards.

Exit codes: 0 all aims are met, 1 an aim is not met or a measure broke off, 2 wrong usage

Examples:
  npm run bench:aims -- --database mongod
  npm run bench:aims -- --only ingest,start
  npm run bench:aims -- --only deliveries --cpu-prof reports/profiles`;

/** Runs the program. @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  const about = 'Measures what the service promises in numbers, and says which aims it meets.';
  const program = commandLine('npm run bench:aims --', about)
    .option('--only <names>', `of ${names.join(', ')}`, commaList, names)
    .addOption(new Option('--database <engine>', 'what is started').choices(ENGINES).default('embedded'))
    .option(
      '--cpu-prof <folder>',
      "writes CPU profiles of the service there (open them in a browser's developer tools)",
    )
    .option('--quick', 'small numbers, to see that all of it works')
    .option('--json <file>', 'write the figures to this file too')
    .option('--out <folder>', 'where the figures are written, as aims.json', 'reports/bench')
    .addHelpText('after', NOTES)
    .action(exitingWith(bench));
  return runProgram(program, argv);
}

if (import.meta.main) await runMain(main);
