/**
 * The program: reads its arguments and its configuration, and starts one process of the service. What the service is made
 * of is loaded only once there is something to start.
 */
import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { INDEX_LIST_USAGE, indexList } from './data/index-list.ts';
import { SHARD_PLAN_USAGE, shardPlan } from './data/shard-plan.ts';
import { databaseName, describeConfig, readConfig } from './runtime/config.ts';
import { type Environment, filledUp } from './runtime/environment.ts';

const USAGE = `Runs one process of the developer API.

  --role all|api|worker  overrides ROLE
  --env-file FILE        reads variables from NAME=value lines; those that are set already win
  shard-plan             runs nothing, but prints the commands that shard the database by tenant; shard-plan --help
  indexes                runs nothing, but prints every index with the queries that it serves
  check                  runs nothing, but checks the deployment, before its first start or beside it; check --help
  files                  runs nothing, but compares the storage with the rows, after a restore; files --help

An api process answers requests and leaves all other work to worker processes: sending events to webhooks, applying
ingested batches, what has to be done every day. A worker answers only /healthz and /readyz. There may be any number
of each on one database; a deployment needs at least one worker, or one process that is all.

It is configured by environment variables. One that looks like these but is none of them is an error:

${describeConfig()}

SIGTERM, SIGINT and SIGHUP stop it gracefully, after STOP_DELAY_MS: requests and deliveries under way finish, for up to 9 seconds. An error that
nothing handles is logged and stops it in the same way, so that its restart begins with a clean process.
Exit codes: 0 stopped, 1 wrong configuration, no port, a database older than MongoDB 6.0, or an unhandled error.`;

/** Where Node keeps compiled code from one start to the next. Where it cannot be written, each start compiles anew. */
const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled');

async function run(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'check') return checkDeployment(argv.slice(1));
  if (argv[0] === 'files') return storedFiles(argv.slice(1));
  const options = { help: { type: 'boolean' }, role: { type: 'string' }, 'env-file': { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
  const [command, extra] = positionals;
  Object.assign(process.env, variables(values['env-file']));
  if (command === 'shard-plan' && extra === undefined) {
    console.log(values.help === true ? SHARD_PLAN_USAGE : shardPlan(databaseName(process.env)));
    return 0;
  }
  if (command === 'indexes' && extra === undefined) {
    console.log(values.help === true ? INDEX_LIST_USAGE : await everyIndex());
    return 0;
  }
  if (command !== undefined) throw new Error(`unknown argument ${extra ?? command}`);
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const read = readConfig(values.role === undefined ? process.env : { ...process.env, ROLE: values.role });
  if ('problems' in read) {
    console.error(['The server cannot start:', ...read.problems, 'See npm run server -- --help.'].join('\n  '));
    return 1;
  }
  const stop = untilStopped();
  // Compiling is half of the processor time of a start.
  enableCompileCache(COMPILE_CACHE);
  const [{ runProcess }, { addFonts, fontsIn }] = await Promise.all([
    import('./process.ts'),
    import('./documents/pdf/faces.ts'),
  ]);
  const fonts = fontsIn(read.config.PDF_FONTS_DIR);
  addFonts(fonts);
  return runProcess(
    read.config,
    fonts.map(({ file }) => file),
    stop,
  );
}

/** The variables, with those of the file that are not set. */
function variables(file: string | undefined): Environment {
  if (file === undefined) return { ...process.env };
  return filledUp({ ...process.env }, parseEnv(readFileSync(file, 'utf8')));
}

/** The command that checks a deployment. Its wrong use has another exit code than a start that fails. */
async function checkDeployment(argv: readonly string[]): Promise<number> {
  const stopping = untilStopped();
  enableCompileCache(COMPILE_CACHE);
  const [{ runCheck }, { fontsIn }] = await Promise.all([
    import('./check/command.ts'),
    import('./documents/pdf/faces.ts'),
  ]);
  const fontFiles = (dir: string | undefined) => fontsIn(dir).map(({ file }) => file);
  return runCheck({ argv, variables, fontFiles, stopping });
}

/** The command that compares the storage with the rows. */
async function storedFiles(args: readonly string[]): Promise<number> {
  const { filesCommand } = await import('./files-command.ts');
  return filesCommand(args, variables);
}

/** The indexes of the store, and those of its jobs. */
async function everyIndex(): Promise<string> {
  const [{ collections }, { JOBS_COLLECTION, schedulerIndexes }] = await Promise.all([
    import('./data/store.ts'),
    import('./jobs/scheduler.ts'),
  ]);
  const ofStore = Object.entries(collections).map(([name, { indexes }]) => [name, indexes] as const);
  return indexList({ ...Object.fromEntries(ofStore), [JOBS_COLLECTION]: schedulerIndexes });
}

/** Aborted by the first signal, with its name. It is often sent twice: to each process of a group, and by npm. */
function untilStopped(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopping.abort(signal));
  return stopping.signal;
}

/** Runs the program to its end. @returns the exit code */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await run(argv);
  } catch (error) {
    console.error(`The server cannot start: ${(error as Error).message}.\n  See npm run server -- --help.`);
    return 1;
  }
}

if (import.meta.main) {
  const code = await main(process.argv.slice(2));
  // After what a pipe has not taken yet.
  process.stdout.write('', () => process.exit(code));
}
