/**
 * The program: reads its arguments and its configuration, and starts one process of the service. What the service is made
 * of is loaded only once there is something to start.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SHARD_PLAN_USAGE, shardPlan } from './data/shard-plan.ts';
import { databaseName, describeConfig, readConfig } from './process/config.ts';

const USAGE = `Runs one process of the developer API.

  --role all|api|worker  overrides ROLE
  shard-plan             runs nothing, but prints the commands that shard the database by tenant; shard-plan --help

An api process answers requests and leaves all other work to worker processes: sending events to webhooks, applying
ingested batches, what has to be done every day. A worker answers only /healthz and /readyz. There may be any number
of each on one database; a deployment needs at least one worker, or one process that is all.

It is configured by environment variables:

${describeConfig()}

SIGTERM and SIGINT stop it gracefully: requests and deliveries under way finish, for up to 9 seconds. An error that
nothing handles is logged and stops it in the same way, so that its restart begins with a clean process.
Exit codes: 0 stopped, 1 wrong configuration, no port, a database older than MongoDB 6.0, or an unhandled error.`;

/** Where Node keeps compiled code from one start to the next. Where it cannot be written, each start compiles anew. */
const COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled');

async function main(): Promise<void> {
  const options = { help: { type: 'boolean' }, role: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, extra] = positionals;
  if (command === 'shard-plan' && extra === undefined) {
    return void console.log(values.help === true ? SHARD_PLAN_USAGE : shardPlan(databaseName(process.env)));
  }
  if (command !== undefined) throw new Error(`unknown argument ${extra ?? command}`);
  if (values.help === true) return void console.log(USAGE);
  const read = readConfig(values.role === undefined ? process.env : { ...process.env, ROLE: values.role });
  if ('problems' in read) {
    console.error(['The server cannot start:', ...read.problems, 'See npm run server -- --help.'].join('\n  '));
    process.exitCode = 1;
    return;
  }
  // Compiling is half of the processor time of a start.
  enableCompileCache(COMPILE_CACHE);
  const { runProcess } = await import('./process.ts');
  await runProcess(read.config);
}

main().catch((error: Error) => {
  console.error(`The server cannot start: ${error.message}.\n  See npm run server -- --help.`);
  process.exit(1);
});
