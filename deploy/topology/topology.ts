/**
 * The whole deployment on loopback, without containers: three members of a replica set, an S3-compatible service, two api
 * and two worker processes, the terminator, and Prometheus where it is on the PATH. What it does not start anew is what
 * operators are given: the files of `deploy/`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMongod } from '../../scripts/kit/mongod-tool.ts';
import { freePort } from '../../scripts/kit/ports.ts';
import { saidBy } from '../../scripts/kit/run-program.ts';
import { needed, onPath, runTool } from '../../scripts/kit/tools.ts';
import { logFileWriter } from '../../scripts/operate/start/log-file.ts';
import { restartOnSignal } from '../../scripts/operate/start/notes.ts';
import { Parts } from '../../scripts/operate/start/parts.ts';
import { startService } from '../../scripts/operate/start/server.ts';
import { serverEnvFile } from '../../scripts/operate/suite/folder.ts';
import { programLine, ROOT } from '../../scripts/operate/suite/profile.ts';
import { RunningPrometheus } from '../../scripts/world/prometheus.ts';
import { ReplicaSet } from '../../scripts/world/replica-set.ts';
import type { RunningServer } from '../../scripts/world/server.ts';
import { DEPLOY, filledFile } from './filled.ts';
import { BUCKET, openStorage } from './storage.ts';
import { startTerminator, type TerminatorKind, type TerminatorWords, terminatorProgram } from './terminator.ts';

const HOST = '127.0.0.1';
/** How long the members wait for the primary before they elect another one, in milliseconds: MongoDB's own time. */
const ELECTION_MS = 10_000;
const PROCESSES = ['api-1', 'api-2', 'worker-1', 'worker-2'];
const at = (port: number) => `${HOST}:${port}`;

interface TopologyOptions {
  readonly terminator: TerminatorKind;
  /** Gets secrets, logs, the profile and the files of the storage. */
  readonly folder: string;
  readonly employees: number;
  readonly say: (text: string) => void;
}

/** One process of the service, and its addresses on loopback. */
interface ProcessPlace {
  readonly name: string;
  readonly role: string;
  readonly api: string;
  readonly metrics: string;
  readonly control: string;
}

/** What the parts are told of each other. */
interface Plan extends TopologyOptions {
  readonly secrets: string;
  /** The file of the authority of every certificate. */
  readonly authority: string;
  /** The folder with the profile of the suite. */
  readonly suite: string;
  readonly places: readonly ProcessPlace[];
  readonly s3: string;
  readonly words: TerminatorWords;
}

async function placeOf(name: string): Promise<ProcessPlace> {
  const [api, metrics, control] = [at(await freePort()), at(await freePort()), at(await freePort())];
  return { name, role: name.replace(/-\d$/, ''), api, metrics, control };
}

async function makeSecrets(secrets: string, authority: string, members: readonly number[]): Promise<void> {
  const env = {
    PATH: process.env.PATH,
    MONGODB_HOSTS: members.map(at).join(),
    MONGODB_SET: 'test',
    MONGODB_CA_FILE: authority,
  };
  const failure = await runTool('sh', [join(DEPLOY, 'secrets.sh'), secrets], { env });
  if (failure !== undefined) throw new Error(`The secrets could not be made: ${failure}`);
}

/** A replica set that speaks only TLS, with a user who has the rights of the service. */
async function openDatabase(secrets: string, members: readonly number[], say: TopologyOptions['say']) {
  const file = (name: string) => join(secrets, name);
  const secret = (name: string) => readFileSync(file(name), 'utf8');
  const set = new ReplicaSet(needed(await findMongod(say)), ELECTION_MS, 3, {
    key: secret('mongod-keyfile'),
    tls: { certificate: file('mongod.pem'), authority: file('ca.pem') },
    root: { username: 'root', password: secret('mongodb-root-password') },
    user: { username: 'developer_api', password: secret('mongodb-password') },
    role: JSON.parse(filledFile('provision/role.json', {})),
  });
  await set.start(members);
  return set;
}

/** By the command of operators. */
async function makeTenants({ folder, employees, places, secrets, suite, s3, words }: Plan): Promise<void> {
  const restart = programLine('scripts/operate/start/restart.ts', '--data', folder);
  const files = places.map(({ name }) => join(folder, `${name}.log`));
  const logs = programLine('scripts/operate/suite/logs.ts', ...files, '--since');
  const inQuotes = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');
  const options = {
    '--out': suite,
    '--name': 'qa',
    '--employees': String(employees),
    '--base-url': `https://${words.API_LISTEN}`,
    '--terminator': 'on',
    '--replicas': `http://${words.API_2}`,
    '--clock': places.map(({ control }) => `http://${control}`).join(),
    '--callbacks-listen': at(await freePort()),
    '--restart': inQuotes(restart),
    '--logs': `${inQuotes(logs)} "$1"`,
  };
  const given = Object.entries(options).flat();
  const create = programLine('scripts/operate/settings/main.ts', 'conformance', 'create', ...given);
  const secret = (name: string) => join(secrets, name);
  // All processes must be given this alike: the command writes it into their file.
  const env = {
    MONGODB_URI_FILE: secret('mongodb-uri'),
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: s3,
    S3_PUBLIC_ENDPOINT: `https://${words.STORAGE_LISTEN}`,
    S3_FORCE_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID_FILE: secret('s3-access-key-id'),
    S3_SECRET_ACCESS_KEY_FILE: secret('s3-secret-access-key'),
  };
  await saidBy('The making of the tenants of the suite', create, { cwd: ROOT, env });
}

/** What a process is started with, beside its role. */
export function processOf({ secrets, authority, suite }: Plan, { api, metrics, control }: ProcessPlace) {
  const portOf = (address: string) => address.slice(HOST.length + 1);
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_EXTRA_CA_CERTS: authority,
    PAGE_TOKEN_KEYS_FILE: join(secrets, 'page-token-keys'),
    WEBHOOK_SECRET_KEYS_FILE: join(secrets, 'webhook-secret-keys'),
    TRUSTED_PROXIES: HOST,
    PORT: portOf(api),
    METRICS_PORT: portOf(metrics),
    CONTROL_PORT: portOf(control),
    READY_JSON: 'true',
  };
  return { args: ['--env-file', serverEnvFile(suite)], env };
}

/** Starts a process and waits until it is ready. @throws Error with what it said, when it ends instead */
function startProcess(plan: Plan, place: ProcessPlace): Promise<RunningServer> {
  const { args, env } = processOf(plan, place);
  const onOutput = logFileWriter(join(plan.folder, `${place.name}.log`));
  return startService({ args: ['--role', place.role, ...args], env, onOutput }, place.name);
}

function runTerminator({ terminator, folder, words, authority }: Plan) {
  const program = terminatorProgram(terminator, words, join(folder, 'terminator'));
  const log = logFileWriter(join(folder, 'terminator.log'));
  return startTerminator(program, words, readFileSync(authority, 'utf8'), log);
}

/** @returns undefined where it is not on the PATH */
async function openPrometheus({ folder, places, say }: Plan, parts: Parts): Promise<RunningPrometheus | undefined> {
  if (onPath('prometheus', process.env) === undefined) {
    say('Prometheus is not on the PATH: the topology goes without it.');
    return undefined;
  }
  const targets = Object.groupBy(places, ({ role }) => role);
  const of = (role: string) => targets[role]?.map(({ metrics }) => metrics) ?? [];
  const folderOf = join(folder, 'prometheus');
  return parts.start('prometheus', () => RunningPrometheus.start(folderOf, { api: of('api'), worker: of('worker') }));
}

/** Starts everything. It ends with this process. @throws Error in words when a part cannot be had or does not start */
export async function openTopology(options: TopologyOptions) {
  const { folder, say } = options;
  const [secrets, suite] = [join(folder, 'secrets'), join(folder, 'qa')];
  const authority = join(secrets, 'ca.pem');
  mkdirSync(folder, { recursive: true });
  const members = [await freePort(), await freePort(), await freePort()];
  await makeSecrets(secrets, authority, members);
  say('Starting the database and the storage …');
  const database = await openDatabase(secrets, members, say);
  const parts = new Parts();
  const { endpoint: s3 } = await openStorage(parts, join(folder, 's3'), secrets, say);
  const places = await Promise.all(PROCESSES.map(placeOf));
  const [API_1 = '', API_2 = ''] = places.map(({ api }) => api);
  const words = {
    API_LISTEN: at(await freePort()),
    STORAGE_LISTEN: at(await freePort()),
    API_1,
    API_2,
    STORAGE: new URL(s3).host,
    CERTIFICATE: join(secrets, 'terminator.pem'),
    ERROR_DOMAIN: 'developer-api.hr-docflow',
  };
  const plan: Plan = { ...options, secrets, authority, suite, places, s3, words };
  say('Making the tenants of the suite …');
  await makeTenants(plan);
  say('Starting the processes of the service and the terminator …');
  await Promise.all(places.map((place) => parts.start(place.name, () => startProcess(plan, place))));
  await parts.start('terminator', () => runTerminator(plan));
  const prometheus = await openPrometheus(plan, parts);
  // Together: nothing of what they know may stay in one of them.
  const restart = () => Promise.all(['api-1', 'api-2'].map((name) => parts.restart(name)));
  restartOnSignal(folder, () => parts.pidOf('api-1'), restart);
  return { ...plan, parts, database, prometheus };
}

export type Topology = Awaited<ReturnType<typeof openTopology>>;
