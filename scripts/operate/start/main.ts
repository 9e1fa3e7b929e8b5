/** `npm start`: the whole service on this machine. Exit codes: 0 stopped, 1 it or a part failed, 2 wrong usage. */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Engine, engineOf } from '../../../handlers/data/engine.ts';
import { openStore, type Store } from '../../../handlers/data/store.ts';
import { prepareStore } from '../../../handlers/prepare-store.ts';
import { databaseName } from '../../../handlers/runtime/config.ts';
import { commandLine, exitingWith, messageOf, portNumber, runProgram, wholeNumber } from '../../kit/command-line.ts';
import { runMain, untilStopped } from '../../kit/ending.ts';
import { freePort, isFree } from '../../kit/ports.ts';
import { endPrograms } from '../../kit/program.ts';
import { startEmbedded } from '../../world/engine.ts';
import { type Connection, connect, givenSecret, withoutCredentials } from '../settings/connect.ts';
import {
  envFile,
  loopbackCallbacks,
  type ProfileFacts,
  profileFile,
  programLine,
  ROOT,
  writeProfile,
} from '../suite/profile.ts';
import { ensureReceiver, type WebhookReceiver } from '../suite/receiver.ts';
import { ensureSuiteTenants, type SuiteTenants } from '../suite/suite-tenants.ts';
import { demoTenants, USUAL_EMPLOYEES } from '../suite/tenant-set.ts';
import { ensureDemo } from './demo.ts';
import { ensureDocs } from './docs.ts';
import { databaseNote, instanceNote, restartOnSignal } from './notes.ts';
import { Parts } from './parts.ts';
import { readyJson, readyText } from './screen.ts';
import { type RunningSecondValidator, startSecondValidator } from './second-validator/start.ts';
import { docsUrlOf, logFile, startReplica, startServer } from './server.ts';
import { writeTour } from './tour.ts';

interface Flags {
  port: number;
  receiverPort?: number;
  data: string;
  employees: number;
  processes: number;
  secondValidator?: true | string;
  quiet?: boolean;
  json?: boolean;
}

/** A reason not to run, reported without a stack trace. */
class CannotStart extends Error {}

/** Refuses a folder that another `npm start` is using. */
async function mustBeUnused(dataDir: string): Promise<void> {
  const note = databaseNote.read(dataDir);
  if (note?.embedded !== true) return;
  let store: Store | undefined;
  try {
    store = await openStore(note.uri, 'admin');
    await store.db.command({ ping: 1 });
  } catch {
    return;
  } finally {
    await store?.close();
  }
  throw new CannotStart(
    `The service runs already on the folder ${dataDir}. Stop it first, or take another folder: npm start -- --data OTHER`,
  );
}

/** The database of MONGODB_URI, or else an embedded one that is started here. Other commands find it by the note. */
async function database({ data }: Flags, parts: Parts): Promise<string> {
  await mustBeUnused(data);
  const name = databaseName(process.env);
  const given = givenSecret(process.env, 'MONGODB_URI');
  parts.atEnd(() => {
    databaseNote.forget(data);
    instanceNote.forget(data);
  });
  if (given) {
    databaseNote.write(data, { uri: given, name, embedded: false });
    return given;
  }
  const embedded = await parts.start('database', () => startEmbedded(data));
  databaseNote.write(data, { uri: embedded.uri, name, embedded: true });
  return embedded.uri;
}

/** Makes the demo tenants and the conformance keys. @returns null if the database holds other tenants */
async function prepare(store: Store, flags: Flags) {
  await prepareStore(store);
  const output = flags.quiet || flags.json ? undefined : process.stderr;
  if (!(await ensureDemo(store, flags.employees, output))) return null;
  return ensureSuiteTenants(store, demoTenants, flags.data, new Date());
}

/** Writes what leads to the running instance: the profile of the suite, and the file of the tours. */
function writeFiles(
  prepared: SuiteTenants,
  dataDir: string,
  at: Pick<ProfileFacts, 'baseUrl' | 'replicas' | 'controlUrl'>,
  webhookReceiver: WebhookReceiver | undefined,
): void {
  const logs = [undefined, ...at.replicas].map((_, n) => path.resolve(logFile(dataDir, n + 1)));
  const facts = {
    ...prepared,
    ...at,
    name: 'npm start',
    tag: demoTenants.names.main,
    folder: dataDir,
    dataDir,
    callbacks: loopbackCallbacks(webhookReceiver, dataDir),
    restart: programLine('scripts/operate/start/restart.ts', '--data', path.resolve(dataDir)),
    logs: programLine('scripts/operate/suite/logs.ts', '--since', '{since}', ...logs),
    consentToLargeBodies: true,
    hasTerminator: false,
  };
  writeProfile(facts, 'npm start for its own instance');
  writeTour({ ...facts, webhookReceiver });
}

async function start(flags: Flags, parts: Parts, second?: Promise<RunningSecondValidator>): Promise<void> {
  const started = performance.now();
  const say = (text: string) => flags.quiet || flags.json || process.stderr.write(`${text}\n`);
  mkdirSync(flags.data, { recursive: true });
  const host = process.env.HOST || '127.0.0.1';
  if (!(await isFree(host, flags.port))) {
    throw new CannotStart(
      `Port ${flags.port} is taken. Stop what uses it, or take another one: npm start -- --port 8081 (0 picks a free one).`,
    );
  }
  const [uri, docsFile, validator] = await Promise.all([database(flags, parts), ensureDocs(say), second]);
  const connection: Connection = await connect({
    env: { ...process.env, MONGODB_URI: uri, MONGODB_URI_FILE: '' },
    dataDir: flags.data,
    patient: true,
  });
  let prepared: Awaited<ReturnType<typeof prepare>>;
  let engine: Engine;
  try {
    engine = await engineOf(connection.store.client);
    prepared = await prepare(connection.store, flags);
  } finally {
    await connection.close();
  }
  const env = { ...process.env, ...validator?.env };
  const storagePort = await portBeside(host, flags);
  const ports = { asked: flags.receiverPort, taken: [flags.port, storagePort] };
  const webhookReceiver = await ensureReceiver(flags.data, env, ports, new Date());
  // Before it listens, so that its errors can name it.
  const port = flags.port || (await freePort());
  const docs = { docsFile, docsUrl: docsUrlOf(docsFile, host, port) };
  // A restart leaves every address as it was.
  const own = { port, storagePort, metricsPort: await freePort(), controlPort: await freePort() };
  const options = { env, dataDir: flags.data, uri, ...own, ...docs, webhookReceiver };
  const server = await parts.start('server', () => startServer(options));
  restartOnSignal(
    flags.data,
    () => parts.pidOf('server'),
    () => parts.restart('server'),
  );
  const replicas: string[] = [];
  for (let number = 2; number <= flags.processes; number++) {
    const replica = await parts.start(`server-${number}`, () => startReplica(server, options, number));
    replicas.push(replica.url);
  }
  const at = { baseUrl: server.url, replicas, controlUrl: server.controlUrl || null };
  if (prepared) writeFiles(prepared, flags.data, at, webhookReceiver);
  const ready = {
    ...server,
    replicas,
    docs: docsFile !== null,
    database: givenSecret(env, 'MONGODB_URI') === undefined ? ('embedded' as const) : ('MONGODB_URI' as const),
    engine,
    dataDir: flags.data,
    webhookReceiver: webhookReceiver ?? null,
    secrets: prepared?.secrets ?? null,
    employees: prepared?.employees ?? 0,
    seconds: (performance.now() - started) / 1000,
  };
  const files = prepared && { profile: path.resolve(profileFile(flags.data)), env: path.resolve(envFile(flags.data)) };
  if (flags.json) process.stdout.write(`${JSON.stringify(readyJson(ready, files))}\n`);
  else if (flags.quiet) process.stdout.write(`${server.url}\n`);
  else process.stdout.write(readyText(ready));
}

/** The port after the API's, so that URLs of files stay the same in later starts; if it is not free, any free port. */
async function portBeside(host: string, { port, receiverPort }: Flags): Promise<number> {
  const next = port + 1;
  return port > 0 && next < 65_536 && next !== receiverPort && (await isFree(host, next)) ? next : freePort();
}

/** Runs everything to its end. @returns the exit code */
async function run(flags: Flags): Promise<number> {
  const { secondValidator } = flags;
  const parts = new Parts();
  const contract = secondValidator === true ? path.join(ROOT, 'openapi.yaml') : secondValidator;
  const second = contract ? startSecondValidator(path.resolve(contract), parts.fail, console.error) : undefined;
  // Whether it starts is seen when all else has.
  const started = second?.catch(() => undefined);
  const code = await runParts(flags, parts, second);
  return (await (await started)?.end()) === false ? 1 : code;
}

/** Starts everything, and stops it at a signal or when a part ends. @returns the exit code */
async function runParts(flags: Flags, parts: Parts, second?: Promise<RunningSecondValidator>): Promise<number> {
  const stop = untilStopped();
  const stopped = once(stop, 'abort');
  const running = start(flags, parts, second);
  running.catch(() => {});
  try {
    const reason = (await Promise.race([stopped, parts.died, running])) ?? (await Promise.race([stopped, parts.died]));
    if (await isAsked(stop)) return 0;
    process.stderr.write(`${reason}\nThe rest was stopped; see ${path.join(flags.data, 'server.log')}.\n`);
    return 1;
  } catch (error) {
    if (!(error instanceof CannotStart) && (await isAsked(stop))) return 0;
    process.stderr.write(`The service cannot start: ${withoutCredentials(messageOf(error))}\n`);
    return 1;
  } finally {
    await parts.stop();
    // Those that were just being started.
    await endPrograms();
  }
}

/** How long after the end of a part the request to stop may arrive that has ended it, in milliseconds. */
const SAME_REQUEST_MS = 500;

/** Whether this process is asked to stop. A service manager sends its signal to all processes, the parts among them. */
async function isAsked(stop: AbortSignal): Promise<boolean> {
  const tooLate = new Promise((resolve) => setTimeout(resolve, SAME_REQUEST_MS));
  if (!stop.aborted) await Promise.race([once(stop, 'abort'), tooLate]);
  return stop.aborted;
}

const HELP = `
Environment: PORT, MONGODB_URI or MONGODB_URI_FILE (a MongoDB instead of the embedded database), and every variable of the server
(npm run server -- --help).

Examples:
  npm start
  npm start -- --port 0 --data /tmp/trial --employees 500
  npm start -- --processes 1
  npm start -- --json`;

const ABOUT = 'Runs the whole service on this machine: database, demo tenants, docs, server. Ctrl-C stops it.';
const program = commandLine('npm start --', ABOUT)
  .option('-p, --port <port>', 'port of the service; 0 picks a free one (default: PORT or 8080)', portNumber)
  .option(
    '--receiver-port <port>',
    'port of a receiver of webhooks; 0 picks a free one (default: 8443 if free)',
    portNumber,
  )
  .option('--data <folder>', 'where the data, the keys and the logs are', '.data')
  .option('--employees <N>', 'employees of the demo tenant when it is made', wholeNumber(1, 1_000_000), USUAL_EMPLOYEES)
  .option('--processes <N>', 'processes that answer requests, each on its own port', wholeNumber(1, 8), 2)
  .option(
    '--second-validator [contract]',
    'express-openapi-validator judges each request and answer too, by the contract of this file (default: openapi.yaml), and standard error says where it disagrees; then the exit code is 1',
  )
  .option('--quiet', 'print only the base URL')
  .option('--json', 'print one line of JSON when everything runs')
  .addHelpText('after', HELP)
  .action(exitingWith((flags: Flags) => run({ ...flags, port: flags.port ?? portOfEnvironment() })));

function portOfEnvironment(): number {
  try {
    return portNumber(process.env.PORT || '8080');
  } catch (error) {
    return program.error(`The environment variable PORT is wrong. ${messageOf(error)}`);
  }
}

/** @returns the exit code */
export function main(argv: readonly string[]): Promise<number> {
  return runProgram(program, argv);
}

if (import.meta.main) await runMain(main);
