/** The sample integration as a test runs it: behind a gate that can end it at any request, and beside its table. */
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { eventually } from '../../scripts/kit/eventually.ts';
import { closeServer, listenOnLoopback } from '../../scripts/kit/ports.ts';
import { RunningProgram } from '../../scripts/kit/program.ts';
import { DeveloperApi } from '../src/client.ts';

export type SyncRow = Readonly<Record<string, unknown>>;

export interface SyncSettings {
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  /** Where it receives events. */
  readonly port: number;
  /** The folder with the sample and the installed package. */
  readonly folder: string;
  readonly database: string;
}

/** A request of the program. */
export interface RequestPoint {
  readonly at: RegExp;
  /** How many such requests pass before. */
  readonly after?: number;
}

interface Interruption extends RequestPoint {
  passed: number;
  /** Before the service sees the request, before the program gets the answer, or after that. */
  readonly when: 'asked' | 'held' | 'answered';
  readonly act: () => Promise<void>;
  /** It does not come: the program has ended, or asks for something else. */
  readonly missed: (error: Error) => void;
}

/** Requests of employees: a page of a list, or one by its id. */
export const PAGE = /\/employees\?/;
export const ONE = /\/employees\/[0-9a-f-]{36}\b/;
/** Only ends a wait for a request that does not come. */
const LATE_MS = 60_000;
const NOT_COPIED = /^(host|connection|content-length|content-encoding|transfer-encoding|keep-alive)$/;

export class SampleSync {
  readonly #settings: SyncSettings;
  readonly #gate: Server;
  #gatePort = 0;
  #program: RunningProgram | undefined;
  #interruption: Interruption | undefined;

  private constructor(settings: SyncSettings) {
    this.#settings = settings;
    this.#gate = createServer(async (request, response) => {
      const interruption = this.#hit(request.url ?? '');
      if (interruption?.when === 'asked') return interruption.act();
      const answer = await fetch(settings.baseUrl + request.url, { headers: { 'X-API-Key': settings.key } });
      const headers = [...answer.headers].filter(([name]) => !NOT_COPIED.test(name));
      const body = Buffer.from(await answer.arrayBuffer());
      if (interruption?.when === 'held') await interruption.act();
      if (interruption?.when === 'answered') response.once('close', interruption.act);
      response.writeHead(answer.status, Object.fromEntries(headers)).end(body);
    });
  }

  static async open(settings: SyncSettings): Promise<SampleSync> {
    const sync = new SampleSync(settings);
    sync.#gatePort = await listenOnLoopback(sync.#gate);
    return sync;
  }

  #plan(interruption: Interruption): void {
    this.#interruption = interruption;
    setTimeout(() => interruption.missed(new Error(`no request ${interruption.at}`)), LATE_MS).unref();
  }

  #hit(url: string): Interruption | undefined {
    const planned = this.#interruption;
    if (planned?.at.test(url) !== true || planned.passed++ < (planned.after ?? 0)) return undefined;
    this.#interruption = undefined;
    return planned;
  }

  start(env: Readonly<Record<string, string>> = {}): void {
    const { key, secret, port, folder, database } = this.#settings;
    const own = { KEY: key, API: `http://127.0.0.1:${this.#gatePort}`, SECRETS: secret, PORT: String(port) };
    const program = new RunningProgram([process.execPath, 'payroll-sync.ts'], {
      cwd: folder,
      env: { ...process.env, ...own, DATABASE: database, ...env },
    });
    this.#program = program;
    void program.ended.then(() => this.#interruption?.missed(new Error(program.endReason)));
  }

  /** Settles once it takes events. */
  async listens(): Promise<void> {
    const { port } = this.#settings;
    const connects = () =>
      new Promise<true | undefined>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(undefined));
        socket.once('close', () => socket.destroy()).end();
      });
    await eventually('its port', connects);
  }

  /** Has the program killed at a request to come: before the service sees it, or once it is answered. */
  killAt(point: RequestPoint, when: 'asked' | 'answered' = 'asked'): Promise<void> {
    return new Promise((killed, missed) => {
      const act = async () => {
        await this.#program?.stop('SIGKILL');
        killed();
      };
      this.#plan({ ...point, passed: 0, when, act, missed });
    });
  }

  /** Does something after the service has answered a request to come and before the program gets the answer. */
  whileAt(point: RequestPoint, work: () => Promise<void>): Promise<void> {
    return new Promise((done, missed) => {
      const act = () => work().then(done, missed);
      this.#plan({ ...point, passed: 0, when: 'held', act, missed });
    });
  }

  /** Ends it as a service manager does. @returns how it ended, and what it complained of */
  async stop(): Promise<{ ending: number | string | undefined; stderr: string | undefined }> {
    return { ending: await this.#program?.stop('SIGTERM'), stderr: this.#program?.stderr };
  }

  /** Its table, by id. */
  table(): SyncRow[] {
    const database = new DatabaseSync(this.#settings.database, { readOnly: true });
    const rows = database.prepare('SELECT * FROM employees ORDER BY id').all();
    database.close();
    return rows.map(({ round: _, ...row }) => row);
  }

  /** What its table must hold: what the service shows to its key. */
  async shown(): Promise<SyncRow[]> {
    const { baseUrl, key: apiKey } = this.#settings;
    const client = new DeveloperApi({ apiKey, baseUrl });
    const employees = await client.employees.list({ limit: 1000, expand: ['person'] }).toArray(10_000);
    const rows = employees.map((employee) => ({
      id: employee.id,
      employee_number: employee.employee_number,
      full_name: employee.person?.full_name ?? null,
      iin: employee.person?.iin ?? null,
      status: employee.status,
      department_id: employee.department_id,
      start_date: employee.start_date,
      end_date: employee.end_date,
      update_time: employee.update_time,
    }));
    return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async close(): Promise<void> {
    await this.#program?.stop('SIGKILL');
    await closeServer(this.#gate);
  }
}
