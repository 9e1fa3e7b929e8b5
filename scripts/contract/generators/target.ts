/**
 * The service as clients see it in a run: a proxy in front of it records batches and answers as a later release may.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { closeServer, listenOnLoopback } from '../../kit/ports.ts';
import { type Place, run } from './command.ts';

const LIST = '/developer/v1/employees';
/** The records that every program sends, by payload type. */
const RECORDS = {
  PERSONS: [{ external_id: 'G-1', first_name: 'Әсел', birth_date: '1990-03-15', email: '' }],
  EMPLOYEES_FULL: [{ ТабельныйНомер: 'G-1', ФизЛицо: { Имя: 'Дәулет' } }],
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

/** A service behind the proxy. */
export interface Target {
  readonly url: string;
  /** One form of the contract, as the service serves it. */
  contract(kind: 'yaml' | 'json'): Promise<string>;
  /**
   * Runs a program that uses a client, and checks that it has seen every employee, has sent both records unchanged, and
   * has read the refusal of a third request. @returns what it did, in a few words @throws Error if it did not
   */
  judge(program: string, argv: readonly string[], place?: Place): Promise<string>;
  /** Stops the proxy, and the service if it was started for it. */
  close(): Promise<void>;
}

/**
 * Starts the proxy.
 * @param service base URL without the prefix @param key has the scopes of employees and of ingest @param stop ends the service
 */
export async function openTarget(
  service: string,
  key: string,
  stop = async (): Promise<unknown> => undefined,
): Promise<Target> {
  let batches: { payload_type: string; records: unknown[] }[] = [];
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await text(request);
    const kept = ['x-api-key', 'content-type', 'idempotency-key'].flatMap((name): [string, string][] =>
      typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
    );
    const answer = await fetch(service + url, { method, headers: kept, ...(body === '' ? {} : { body }) });
    if (method === 'POST' && answer.ok) batches.push(JSON.parse(body));
    const given = await answer.text();
    const passed = [...answer.headers].filter(
      ([name]) => !/^(?:connection|keep-alive|content-(?:length|encoding)|transfer-encoding)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(passed));
    response.end(answer.ok && url.startsWith(`${LIST}?`) ? laterRelease(given) : given);
  };
  const server = createServer((request, response) => {
    forward(request, response).catch((error: Error) => response.writeHead(502).end(error.message));
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    url,
    async contract(kind) {
      const answer = await fetch(`${service}/openapi.${kind}`);
      if (!answer.ok) throw new Error(`the service answers ${answer.status} to /openapi.${kind}`);
      return answer.text();
    },
    async judge(program, argv, { env, ...place } = {}) {
      batches = [];
      const BATCH = `generators-${crypto.randomUUID()}`;
      const access = { BASE_URL: url, KEY: key, BATCH, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
      const out = await run(program, argv, { ...place, env: { ...env, ...access } });
      const seen = JSON.parse(out.trim().split('\n').at(-1) ?? '');
      const truth = await truthOf(service, key);
      if (!isDeepStrictEqual(seen, truth)) {
        throw new Error(`the program saw ${JSON.stringify(seen)}, and not ${JSON.stringify(truth)}`);
      }
      const sent = Object.fromEntries(batches.map(({ payload_type, records }) => [payload_type, records]));
      if (!isDeepStrictEqual(sent, RECORDS)) throw new Error(`the program sent ${JSON.stringify(sent)}`);
      return `${truth.employees} employees on ${truth.pages} pages, 2 batches, a refusal`;
    },
    async close() {
      await closeServer(server);
      await stop();
    },
  };
}

/** The expected results, read without any generated client. */
async function truthOf(service: string, key: string): Promise<Record<string, number | string>> {
  const employees: Employee[] = [];
  let pages = 0;
  for (let token: string | undefined = ''; pages === 0 || token; pages += 1) {
    const query = `limit=1000&expand=person&expand=manager&page_token=${encodeURIComponent(token)}`;
    const answer = await fetch(`${service}${LIST}?${query}`, { headers: { 'X-API-Key': key } });
    if (!answer.ok) throw new Error(`the service answers ${answer.status} to ${LIST}`);
    const page = (await answer.json()) as Page;
    employees.push(...page.employees);
    token = page.next_page_token;
  }
  const count = (isSo: (one: Employee) => boolean) => employees.filter(isSo).length;
  return {
    pages,
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

/** A page as a later release may send it: with a status and with fields that the present contract does not have. */
function laterRelease(page: string): string {
  const {
    employees: [first, ...others],
    ...rest
  } = JSON.parse(page);
  const later = { ...first, status: 'EMPLOYEE_STATUS_OF_A_LATER_RELEASE', of_a_later_release: { a: [1] } };
  return JSON.stringify({ ...rest, employees: first === undefined ? [] : [later, ...others], of_a_later_release: 'x' });
}
