/**
 * The whole deployment on loopback, without containers: three members of a replica set, an S3-compatible service, two api
 * and two worker processes, the terminator, and Prometheus where it is on the PATH. What it does not start anew is what
 * operators are given: the files of `deploy/`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../conformance/processes/ports.ts';
import type { RunningProgram } from '../../conformance/processes/program.ts';
import { logFileWriter } from '../../scripts/operate/start/log-file.ts';
import { instanceNote, RESTART_SIGNAL } from '../../scripts/operate/start/notes.ts';
import { Parts } from '../../scripts/operate/start/parts.ts';
import { serverEnvFile } from '../../scripts/operate/suite/folder.ts';
import { profileFile, programLine, ROOT } from '../../scripts/operate/suite/profile.ts';
import { onPath, runTool } from '../../scripts/testbed/go-tool.ts';
import { RunningPrometheus } from '../../scripts/testbed/prometheus.ts';
import type { Member, ReplicaSet } from '../../scripts/testbed/replica-set.ts';
import { run } from '../../scripts/testbed/run-program.ts';
import { startDatabase } from './database.ts';
import { DEPLOY } from './filled.ts';
import { deploymentVariables, type ProcessPlace, startProcess } from './processes.ts';
import { type Storage, startStorage } from './storage.ts';
import { startTerminator, type TerminatorKind, type TerminatorWords, terminatorProgram } from './terminator.ts';

const HOST = '127.0.0.1';
/** Of three members, the storage, four processes with three each, and two of the terminator. */
const PORTS = 18;
const at = (port: number) => `${HOST}:${port}`;

interface TopologyOptions {
  readonly terminator: TerminatorKind;
  /** Gets secrets, logs, the profile and the files of the storage. */
  readonly folder: string;
  readonly employees: number;
  readonly say: (text: string) => void;
}

/** A process of the service, and how it runs at the moment. */
interface PlacedProcess extends ProcessPlace {
  running: RunningProgram;
}

export class Topology {
  readonly parts = new Parts();
  readonly options: TopologyOptions;
  #set: ReplicaSet | undefined;
  #storage: Storage | undefined;
  #terminator: RunningProgram | undefined;
  #words: TerminatorWords | undefined;
  /** Absent where it is not on the PATH. */
  prometheus: RunningPrometheus | undefined;
  #processes: PlacedProcess[] = [];
  #restarting: Promise<unknown> = Promise.resolve();

  constructor(options: TopologyOptions) {
    this.options = options;
  }

  get secrets(): string {
    return join(this.options.folder, 'secrets');
  }

  /** The authority of every certificate. */
  get authorityFile(): string {
    return join(this.secrets, 'ca.pem');
  }

  get suiteFolder(): string {
    return join(this.options.folder, 'qa');
  }

  get words(): TerminatorWords {
    return started(this.#words);
  }

  get processes(): readonly ProcessPlace[] {
    return this.#processes;
  }

  get database(): ReplicaSet {
    return started(this.#set);
  }

  /** What is running where, for people and programs. */
  get addresses() {
    const { API_LISTEN, STORAGE_LISTEN } = this.words;
    return {
      url: `https://${API_LISTEN}`,
      storage_url: `https://${STORAGE_LISTEN}`,
      api: this.#processes.filter(({ role }) => role === 'api').map(({ port }) => `http://${at(port)}`),
      metrics: this.#processes.map(({ name, metricsPort }) => ({ name, url: `http://${at(metricsPort)}/metrics` })),
      mongod: this.database.members.map(({ port }) => at(port)),
      s3: started(this.#storage).endpoint,
      prometheus: this.prometheus?.url ?? null,
      authority: this.authorityFile,
      profile: profileFile(this.suiteFolder),
      folder: this.options.folder,
    };
  }

  /** Starts everything. @throws Error in words when a part cannot be had or does not start */
  async start(): Promise<void> {
    const { folder, say } = this.options;
    mkdirSync(folder, { recursive: true });
    const ports = await Promise.all(Array.from({ length: PORTS }, freePort));
    const next = () => ports.pop() as number;
    const members = [next(), next(), next()];
    await this.#makeSecrets(members);
    say('Starting the database and the storage …');
    this.#set = await startDatabase(members, this.secrets, say);
    this.#storage = await startStorage(join(folder, 's3'), next(), this.secrets, say);
    for (const what of this.#storage.lacks)
      say(`The storage does not support ${what}; the rest of it is as in production.`);
    this.parts.add(this.#storage.running);
    const places = (['api', 'api', 'worker', 'worker'] as const).map((role, index) => ({
      name: `${role}-${1 + (index % 2)}`,
      role,
      port: next(),
      metricsPort: next(),
      controlPort: next(),
    }));
    const [one, two] = places as [ProcessPlace, ProcessPlace];
    this.#words = {
      API_LISTEN: at(next()),
      STORAGE_LISTEN: at(next()),
      API_1: at(one.port),
      API_2: at(two.port),
      STORAGE: new URL(this.#storage.endpoint).host,
      CERTIFICATE: join(this.secrets, 'terminator.pem'),
      ERROR_DOMAIN: 'developer-api.hr-docflow',
    };
    say('Making the tenants of the suite …');
    await this.#makeTenants(places);
    say('Starting the processes of the service and the terminator …');
    this.#processes = await Promise.all(places.map(async (place) => ({ ...place, running: await this.#run(place) })));
    for (const { running } of this.#processes) this.parts.add(running);
    this.#terminator = await this.#runTerminator();
    this.parts.add(this.#terminator);
    await this.#startPrometheus();
    this.#restartOnSignal();
  }

  async #makeSecrets(members: readonly number[]): Promise<void> {
    const env = {
      PATH: process.env.PATH,
      MONGODB_HOSTS: members.map(at).join(),
      MONGODB_SET: 'test',
      MONGODB_CA_FILE: this.authorityFile,
    };
    const failure = await runTool('sh', [join(DEPLOY, 'secrets.sh'), this.secrets], { env });
    if (failure !== undefined) throw new Error(`The secrets could not be made: ${failure}`);
  }

  /** By the command of operators. */
  async #makeTenants(places: readonly ProcessPlace[]): Promise<void> {
    const { folder, employees } = this.options;
    const { API_LISTEN, STORAGE_LISTEN } = this.words;
    const restart = programLine('scripts/operate/start/restart.ts', '--data', folder);
    const files = places.map(({ name }) => join(folder, `${name}.log`));
    const logs = programLine('scripts/operate/suite/logs.ts', ...files, '--since');
    const inQuotes = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');
    const [, second] = places;
    const options = {
      '--out': this.suiteFolder,
      '--name': 'qa',
      '--employees': String(employees),
      '--base-url': `https://${API_LISTEN}`,
      '--terminator': 'on',
      '--replicas': `http://${at(second?.port ?? 0)}`,
      '--clock': places.map(({ controlPort }) => `http://${at(controlPort)}`).join(),
      '--callbacks-listen': at(await freePort()),
      '--restart': inQuotes(restart),
      '--logs': `${inQuotes(logs)} "$1"`,
    };
    const create = programLine(
      'scripts/operate/settings/main.ts',
      'conformance',
      'create',
      ...Object.entries(options).flat(),
    );
    const endpoints = [started(this.#storage).endpoint, `https://${STORAGE_LISTEN}`] as const;
    const env = deploymentVariables(this.secrets, ...endpoints);
    let said = '';
    const hear = (text: string) => {
      said += text;
    };
    const code = await run(create, { cwd: ROOT, env, hear });
    if (code !== 0) throw new Error(`The tenants of the suite could not be made: ${said}`);
  }

  #run(place: ProcessPlace): Promise<RunningProgram> {
    const { folder } = this.options;
    return startProcess(place, { secrets: this.secrets, envFile: serverEnvFile(this.suiteFolder), folder });
  }

  async #runTerminator(): Promise<RunningProgram> {
    const { terminator, folder } = this.options;
    const program = terminatorProgram(terminator, this.words, join(folder, 'terminator'));
    const log = logFileWriter(join(folder, 'terminator.log'));
    return startTerminator(program, this.words, readFileSync(this.authorityFile, 'utf8'), log);
  }

  async #startPrometheus(): Promise<void> {
    const { folder, say } = this.options;
    if (onPath('prometheus', process.env) === undefined) {
      return say('Prometheus is not on the PATH: the topology goes without it.');
    }
    const of = (role: 'api' | 'worker') =>
      this.#processes.filter((one) => one.role === role).map(({ metricsPort }) => at(metricsPort));
    const targets = { api: of('api'), worker: of('worker') };
    this.prometheus = await RunningPrometheus.start(join(folder, 'prometheus'), targets);
    this.parts.add(this.prometheus.process);
  }

  /** Ends a process of the service, as an operator or as a failure does, and starts it again at its address. */
  async restartProcess(name: string, signal: 'SIGTERM' | 'SIGKILL', away?: () => Promise<void>): Promise<void> {
    const placed = started(this.#processes.find((one) => one.name === name));
    placed.running = await this.parts.replace(
      placed.running,
      async () => {
        await away?.();
        return this.#run(placed);
      },
      signal,
    );
  }

  /** Kills a member of the replica set, and starts it again. @param away what happens while it is away */
  async killMember(member: Member, away: () => Promise<void>): Promise<void> {
    await this.database.kill(member);
    await away();
    this.database.restart(member);
    await this.database.whole();
  }

  /** Kills the terminator; what watches it starts it again at once. */
  async killTerminator(): Promise<void> {
    this.#terminator = await this.parts.replace(started(this.#terminator), () => this.#runTerminator(), 'SIGKILL');
  }

  /** Kills the storage; what watches it starts it again at once. */
  async killStorage(): Promise<void> {
    const storage = started(this.#storage);
    const running = await this.parts.replace(storage.running, async () => (await storage.again()).running, 'SIGKILL');
    this.#storage = { ...storage, running };
  }

  /** Restarts the api processes together when the suite asks for it: nothing of what they know may stay in one of them. */
  #restartOnSignal(): void {
    const { folder } = this.options;
    const note = () => {
      const [first] = this.#processes;
      instanceNote.write(folder, { start_pid: process.pid, server_pid: started(first).running.pid });
    };
    note();
    process.on(RESTART_SIGNAL, () => {
      this.#restarting = this.#restarting.then(async () => {
        await Promise.all(['api-1', 'api-2'].map((name) => this.restartProcess(name, 'SIGTERM')));
        note();
      });
    });
  }

  /** Ends everything that was started, the terminator first, the database last. */
  async stop(): Promise<void> {
    await this.parts.stop();
    await this.#set?.remove();
  }
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The topology has not started this part.');
  return part;
}
