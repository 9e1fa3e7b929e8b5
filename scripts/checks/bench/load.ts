/**
 * Requests to one process over connections that are kept alive: one by one, or as many as the process answers; and the
 * processor time that it spends on them.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { refuse } from '../../../conformance/command-line.ts';
import { prefix } from '../../../generated/operations.ts';
import { inTurn } from '../../testbed/ask.ts';
import { median, percentile } from '../statistics.ts';

/** An answer with its times by the clock of `performance`, in milliseconds. */
export interface TimedAnswer {
  /** 0 if there was no answer; then the text says why. */
  readonly status: number;
  readonly text: string;
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** The part of a request that is not its path. */
export interface RequestInput {
  readonly key: string;
  /** JSON; with it the request is a POST. */
  readonly body?: string | Uint8Array;
  readonly idempotencyKey?: string | undefined;
}

/** A client of one process. */
export class Client {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #isReading: boolean;

  /** @param isReading whether answers are read as texts; otherwise their texts are `''` */
  constructor(url: string, isReading = true) {
    this.#url = url + prefix;
    this.#isReading = isReading;
  }

  /** Sends one request, and again if the process has just closed the connection because it was idle. @param path below the prefix */
  async send(path: string, asked: RequestInput): Promise<TimedAnswer> {
    for (;;) {
      const answer = await this.#once(path, asked);
      if (answer !== undefined) return answer;
    }
  }

  /** @returns undefined if the connection was closed before it was used again */
  #once(path: string, { key, body, idempotencyKey }: RequestInput): Promise<TimedAnswer | undefined> {
    const headers = {
      'X-API-Key': key,
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    const sentMs = performance.now();
    return new Promise((resolve) => {
      const answered = (status: number, text: string) =>
        resolve({ status, text, sentMs, answeredMs: performance.now() });
      const method = body === undefined ? 'GET' : 'POST';
      const sent = request(this.#url + path, { agent: this.#agent, method, headers }, (response) => {
        let text = '';
        if (!this.#isReading) response.resume();
        else
          response.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
          });
        response.once('end', () => answered(response.statusCode ?? 0, text));
        response.once('error', ({ message }) => answered(0, message));
      });
      sent.once('error', (error: NodeJS.ErrnoException) => {
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(undefined);
        else answered(0, error.message);
      });
      sent.end(body);
    });
  }

  /** Like {@link send}. @throws Failure for any answer except 200 */
  async must(path: string, asked: RequestInput): Promise<TimedAnswer> {
    const answer = await this.send(path, asked);
    if (answer.status !== 200) refuse(`${path} was answered ${answer.status}: ${answer.text.slice(0, 500)}`);
    return answer;
  }

  /** Closes the connections. */
  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** How long each answer took, in milliseconds. @throws Failure if one is not 200: its time means nothing */
export function times(answers: readonly TimedAnswer[]): number[] {
  const others = answers.filter(({ status }) => status !== 200);
  const [one] = others;
  if (one !== undefined) {
    const many = `${others.length} of ${answers.length} requests were not answered 200`;
    refuse(`${many}; the first of them ${one.status}: ${one.text.slice(0, 500)}`);
  }
  return answers.map(({ sentMs, answeredMs }) => answeredMs - sentMs);
}

const TICK_US = 10_000;
const PAGE_BYTES = 4096;

/** The fields of a file of a process, split at spaces (Linux; elsewhere none). */
function fieldsOf(pid: number, file: string): number[] {
  try {
    return (readFileSync(`/proc/${pid}/${file}`, 'utf8').split(') ').at(-1) ?? '').split(' ').map(Number);
  } catch {
    return [];
  }
}

/** User and system time that a process has used so far, in microseconds (Linux; elsewhere 0). */
function cpuTimeUs(pid: number): number {
  const { 11: user = 0, 12: system = 0 } = fieldsOf(pid, 'stat');
  return (user + system) * TICK_US;
}

/** The resident memory of a process, in bytes (Linux; elsewhere 0). */
export function residentBytes(pid: number): number {
  return (fieldsOf(pid, 'statm')[1] ?? 0) * PAGE_BYTES;
}

/** What a process did in some seconds of load. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the server per request, in microseconds: meaningful on a busy machine, unlike response times. */
  readonly cpuUs: number;
  /** The same of the database; undefined if its process is not known. */
  readonly databaseCpuUs: number | undefined;
}

/** How a process is loaded. */
export interface LoadOptions {
  readonly url: string;
  /** The next request, below the prefix. */
  readonly path: () => string;
  /** Used in turn, so that no key reaches its limit. */
  readonly keys: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** The process that is measured. */
  readonly pid: number;
  /** The process of the database, if it is known. */
  readonly databasePid: number | undefined;
}

/** Creates load for some seconds; each connection sends one request at a time. @throws Failure for other answers than 200 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { url, path, keys, connections, seconds, pid, databasePid } = options;
  using client = new Client(url, false);
  const pids = databasePid === undefined ? [pid] : [pid, databasePid];
  const answers: TimedAnswer[] = [];
  const before = pids.map(cpuTimeUs);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  let turn = 0;
  async function run(): Promise<void> {
    while (performance.now() < endAt) {
      answers.push(await client.send(path(), { key: inTurn(keys, turn++) }));
    }
  }
  await Promise.all(Array.from({ length: connections }, run));
  const perSecond = (answers.length * 1000) / (performance.now() - startedAt);
  const [cpuUs = 0, databaseCpuUs] = pids.map((one, nth) => (cpuTimeUs(one) - (before[nth] ?? 0)) / answers.length);
  const took = times(answers);
  const [p50Ms, p99Ms] = [percentile(took, 0.5), percentile(took, 0.99)];
  return { requests: answers.length, perSecond, p50Ms, p99Ms, cpuUs, databaseCpuUs };
}

/**
 * Does each piece of work in turn, round by round, so that a busy machine affects all equally.
 * @param works by name; the time includes all threads of this process, which must be doing nothing else
 * @param rounds how many count; one more comes first, in which fonts are read and code is compiled
 * @param say is told when a round begins
 * @returns the median of each, in milliseconds
 */
export async function processorTimes(
  works: ReadonlyMap<string, () => Promise<unknown>>,
  rounds: number,
  say: (what: string) => void = () => {},
): Promise<Map<string, number>> {
  const times = new Map<string, number[]>([...works.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    for (const [name, work] of works) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) times.get(name)?.push((user + system) / 1_000);
    }
  }
  return new Map([...times].map(([name, taken]) => [name, median(taken)]));
}
