/** The databases that the service can run on: the embedded one, a standalone MongoDB, members of a replica set. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { eventually } from '../kit/eventually.ts';
import { freePort } from '../kit/ports.ts';
import { PATIENCE_MS, type RunningProgram } from '../kit/program.ts';
import { startAlone, startPart } from '../kit/run-program.ts';

const MAIN = join(import.meta.dirname, '../embedded-db/main.ts');

export function databaseDir(dataDir: string): string {
  return join(dataDir, 'db');
}

/** Starts the database of `dataDir`; it ends with this process. @throws Error with its output, when it ends sooner */
export async function startEmbedded(dataDir: string): Promise<StartedEngine> {
  mkdirSync(dataDir, { recursive: true });
  const process = startPart('The embedded database', MAIN, { args: ['--data', databaseDir(dataDir)] });
  const find = (line: string) => /^listening (mongodb:\/\/\S+)/.exec(line)?.[1];
  return { process, uri: await process.line(find) };
}

/** The name of every replica set here. */
const SET = 'test';
const LOG = 'mongod.log';
const SHOWN = 1_000;
/** The longest wait for one answer of a process that may still be starting, in milliseconds. */
const LOOK_MS = 2_000;

interface MongodOptions {
  readonly program: string;
  readonly folder: string;
  readonly port: number;
  /** Whether it is a member of a replica set, which {@link initiate} makes, once. */
  readonly isMember: boolean;
  /** Whether it can be made to fail in a certain way (`configureFailPoint`). */
  readonly hasFailPoints?: boolean;
  /** Without it, it takes everybody for its owner. */
  readonly security?: MongodSecurity | undefined;
}

/** The key by which the members know each other: such a process asks who calls. With PEM files, it speaks only TLS. */
export interface MongodSecurity {
  readonly key: string;
  readonly tls?: { readonly certificate: string; readonly authority: string };
}

function securityArgs({ key, tls }: MongodSecurity, folder: string): string[] {
  // mongod refuses a key that others may read.
  const file = join(folder, 'keyfile');
  rmSync(file, { force: true });
  writeFileSync(file, key, { mode: 0o400 });
  if (tls === undefined) return ['--keyFile', file];
  const args = ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', tls.certificate, '--tlsCAFile', tls.authority];
  return [...args, '--tlsAllowConnectionsWithoutCertificates', '--keyFile', file];
}

/** Starts a process, without waiting for its first answer. */
export function runMongod(options: MongodOptions): RunningProgram {
  const { program, folder, port, isMember, hasFailPoints, security } = options;
  mkdirSync(folder, { recursive: true });
  const args = [
    '--dbpath',
    folder,
    '--port',
    String(port),
    '--bind_ip',
    '127.0.0.1',
    '--nounixsocket',
    // The longest allowed interval, which reveals an acknowledgement that does not wait for the journal.
    '--journalCommitInterval',
    '500',
    // Several of them share a machine with the tests.
    '--wiredTigerCacheSizeGB',
    '0.25',
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
    '--logpath',
    join(folder, LOG),
    '--logappend',
    '--quiet',
    ...(isMember ? ['--replSet', SET, '--oplogSize', '100'] : []),
    ...(hasFailPoints ? ['--setParameter', 'enableTestCommands=1'] : []),
    ...(security ? securityArgs(security, folder) : []),
  ];
  return startAlone(program, args, {});
}

/** A connection string. @param ports of the members of a replica set, or the one of a standalone */
export function uriOf(ports: readonly number[], isMember: boolean): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join();
  return `mongodb://${hosts}/${isMember ? `?replicaSet=${SET}` : ''}`;
}

/** Runs a function on one process, in any role of its replica set. @throws MongoServerSelectionError */
export async function atMongod<T>(
  port: number,
  work: (client: MongoClient) => Promise<T>,
  more: MongoClientOptions = {},
): Promise<T> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, {
    directConnection: true,
    serverSelectionTimeoutMS: LOOK_MS,
    connectTimeoutMS: LOOK_MS,
    ...more,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function isWritable(port: number, access?: MongoClientOptions): Promise<boolean> {
  const hello = await atMongod(port, (client) => client.db('admin').command({ hello: 1 }), access);
  return hello.isWritablePrimary === true;
}

/** Waits until the process answers. @param folder of its log @param access how to connect, where it has security @throws Error with the end of the log, when it ended */
export async function answering(
  running: RunningProgram,
  port: number,
  folder: string,
  access?: MongoClientOptions,
): Promise<void> {
  await eventually('mongod', async () => {
    if (running.hasEnded) throw new Error(`mongod ended as it started. It said: ${running.stderr}${endOfLog(folder)}`);
    return atMongod(port, (client) => client.db('admin').command({ ping: 1 }), access).catch(() => undefined);
  });
}

function endOfLog(folder: string): string {
  const log = join(folder, LOG);
  return existsSync(log) ? readFileSync(log, 'utf8').slice(-SHOWN) : '';
}

/** Makes a replica set of processes that answer. @param settings of its configuration */
export async function initiate(
  ports: readonly number[],
  settings: Readonly<Record<string, number>> = {},
  access?: MongoClientOptions,
): Promise<void> {
  const members = ports.map((port, _id) => ({ _id, host: `127.0.0.1:${port}` }));
  const command = { replSetInitiate: { _id: SET, members, settings } };
  // It is asked once.
  const patient = { serverSelectionTimeoutMS: PATIENCE_MS, connectTimeoutMS: PATIENCE_MS, ...access };
  await atMongod(ports[0] as number, (client) => client.db('admin').command(command), patient);
}

/** Waits until one of the processes takes writes. @returns its port */
export function primaryOf(ports: readonly number[], access?: MongoClientOptions): Promise<number> {
  return eventually('a primary', async () => {
    for (const port of ports) if (await isWritable(port, access).catch(() => false)) return port;
    return undefined;
  });
}

export interface StartedEngine {
  readonly uri: string;
  readonly process: RunningProgram;
}

/** Starts a process and waits until it takes writes. @throws Error with the end of its log, when it ended */
async function startMongod(options: MongodOptions): Promise<StartedEngine> {
  const { port, folder, isMember } = options;
  const isNew = !existsSync(folder);
  const process = runMongod(options);
  try {
    await answering(process, port, folder);
    if (isMember && isNew) await initiate([port]);
    await primaryOf([port]);
  } catch (error) {
    await process.stop('SIGKILL');
    throw error;
  }
  return { uri: uriOf([port], isMember), process };
}

/** What a database is started on: `mongod` is a replica set of one, and `standalone` one without `--replSet`. */
export type Engine =
  | { readonly name: 'embedded' }
  | { readonly name: 'mongod' | 'standalone'; readonly program: string };

/** The engine, or the address of a deployment, that somebody names. @throws Error for an unknown name */
export function engineNamed(name: string): Engine['name'] | { readonly uri: string } {
  if (/^mongodb(\+srv)?:\/\//.test(name)) return { uri: name };
  const known = (['embedded', 'mongod', 'standalone'] as const).find((each) => each === (name || 'embedded'));
  if (known === undefined) throw new Error(`The database is embedded, mongod, standalone or mongodb://…, not ${name}`);
  return known;
}

/** Starts a database on the folder. @param port by default a free one; the embedded database needs none */
export async function startEngine(engine: Engine, folder: string, port?: number): Promise<StartedEngine> {
  if (engine.name === 'embedded') return startEmbedded(folder);
  const isMember = engine.name === 'mongod';
  return startMongod({ program: engine.program, folder, port: port ?? (await freePort()), isMember });
}
