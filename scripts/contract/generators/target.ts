/**
 * The service as clients see it in a run: a proxy in front of it records batches and answers as a later release may.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { closeServer, listenOnLoopback } from '../../../conformance/processes/ports.ts';
import { run } from './command.ts';
import { type Place, StageFailed } from './generator.ts';

const LIST = '/developer/v1/employees';
/** The records that every program sends, by payload type. */
const RECORDS: Readonly<Record<string, unknown>> = {
  PERSONS: { external_id: 'G-1', first_name: 'Әсел', birth_date: '1990-03-15', email: '' },
  EMPLOYEES_FULL: { ТабельныйНомер: 'G-1', ФизЛицо: { Имя: 'Дәулет' } },
};

interface Employee {
  readonly manager_id: string;
  readonly work_email?: string;
  readonly end_date: string;
  readonly person?: { readonly full_name?: string };
  readonly manager?: { readonly full_name?: string };
}

interface Page {
  readonly employees: Employee[];
  readonly next_page_token: string;
}

/** A service with a key, and the proxy in front of it. */
export class Target {
  readonly url: string;
  readonly #service: string;
  readonly #key: string;
  readonly #server: Server;
  readonly #batches: { payload_type: string; records: unknown[] }[] = [];

  private constructor(service: string, key: string, server: Server, port: number) {
    this.#service = service;
    this.#key = key;
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  /**
   * Starts the proxy. @param service base URL without the prefix @param key has the scopes of employees and of ingest
   */
  static async open(service: string, key: string): Promise<Target> {
    const server = createServer();
    const target = new Target(service, key, server, await listenOnLoopback(server));
    server.on('request', (request, response) => {
      target.#forward(request, response).catch((error: Error) => response.writeHead(502).end(error.message));
    });
    return target;
  }

  /** One form of the contract, as the service serves it. */
  async contract(kind: 'yaml' | 'json'): Promise<string> {
    const answer = await fetch(`${this.#service}/openapi.${kind}`);
    if (!answer.ok) throw new StageFailed(`the service answers ${answer.status} to /openapi.${kind}`);
    return answer.text();
  }

  /** Stops the proxy. */
  close(): Promise<void> {
    return closeServer(this.#server);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const body = await text(request);
    const kept = ['x-api-key', 'content-type', 'idempotency-key'].flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const answer = await fetch(this.#service + url, { method, headers: kept, ...(body === '' ? {} : { body }) });
    if (method === 'POST' && answer.ok) this.#batches.push(JSON.parse(body));
    const given = await answer.text();
    const passed = [...answer.headers].filter(
      ([name]) => !/^(?:connection|keep-alive|content-(?:length|encoding)|transfer-encoding)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(passed));
    response.end(answer.ok && url.startsWith(`${LIST}?`) ? laterRelease(given) : given);
  }

  /**
   * Runs a program that uses a client, and checks that it has seen every employee, has sent both records unchanged, and
   * has read the refusal of a third request.
   */
  async judge(program: string, argv: readonly string[], { cwd, env = {} }: Place = {}): Promise<string> {
    this.#batches.length = 0;
    const BATCH = `generators-${crypto.randomUUID()}`;
    const place = {
      env: { ...env, BASE_URL: this.url, KEY: this.#key, BATCH, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
    };
    const out = await run(program, argv, cwd === undefined ? place : { ...place, cwd });
    const seen = JSON.parse(out.trim().split('\n').at(-1) ?? '');
    const truth = await this.#truth();
    if (!isDeepStrictEqual(seen, truth)) {
      throw new StageFailed(`the program saw ${JSON.stringify(seen)}, and not ${JSON.stringify(truth)}`);
    }
    const sent = Object.fromEntries(this.#batches.map(({ payload_type, records }) => [payload_type, records]));
    const due = Object.fromEntries(Object.entries(RECORDS).map(([type, record]) => [type, [record]]));
    if (!isDeepStrictEqual(sent, due)) throw new StageFailed(`the program sent ${JSON.stringify(sent)}`);
    return `${truth.employees} employees on ${truth.pages} pages, 2 batches, a refusal`;
  }

  /** The expected results, read without any generated client. */
  async #truth(): Promise<Record<string, number | string>> {
    const pages: Page[] = [];
    for (let token = '', isMore = true; isMore; isMore = token !== '') {
      const query = `limit=1000&expand=person&expand=manager&page_token=${encodeURIComponent(token)}`;
      const answer = await fetch(`${this.#service}${LIST}?${query}`, { headers: { 'X-API-Key': this.#key } });
      if (!answer.ok) throw new StageFailed(`the service answers ${answer.status} to ${LIST}`);
      const page = (await answer.json()) as Page;
      pages.push(page);
      token = page.next_page_token;
    }
    const employees = pages.flatMap((page) => page.employees);
    const count = (isSo: (one: Employee) => boolean) => employees.filter(isSo).length;
    return {
      pages: pages.length,
      employees: employees.length,
      persons: count(({ person }) => (person?.full_name ?? '') !== ''),
      managers: count(({ manager }) => (manager?.full_name ?? '') !== ''),
      without_manager: count(({ manager_id }) => manager_id === ''),
      without_email: count(({ work_email }) => work_email === ''),
      without_end: count(({ end_date }) => end_date === ''),
      PERSONS: 1,
      EMPLOYEES_FULL: 1,
      refusal: 'EMPLOYEE_NOT_FOUND',
    };
  }
}

/** A page as a later release may send it: with a status and with fields that the present contract does not have. */
function laterRelease(page: string): string {
  const {
    employees: [first, ...others],
    ...rest
  } = JSON.parse(page);
  const later = { ...first, status: 'EMPLOYEE_STATUS_OF_A_LATER_RELEASE', of_a_later_release: { a: [1] } };
  return JSON.stringify({ ...rest, employees: first === undefined ? [] : [later, ...others], of_a_later_release: 'x' });
}
