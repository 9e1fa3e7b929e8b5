/** What tests of the client share: invented time, recorded answers, and a client that knows both. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import nock from 'nock';
import { signatureOf as signatureBy } from '../../conformance/callbacks/signature.ts';
import { DeveloperApi } from '../src/client.ts';
import type { Clock } from '../src/clock.ts';
import type { AttemptReport, ClientOptions } from '../src/transport.ts';

export const ORIGIN = 'https://api.docflow.test';
export const PREFIX = '/developer/v1';
export const KEY = 'test_key-that-nobody-may-see';
export const ID = 'eb628c91-950a-41d4-8f6b-28170305e41c';

/** Time that passes only where the client waits. */
export class TestClock implements Clock {
  readonly waits: number[] = [];
  #nowMs = 0;

  now(): number {
    return this.#nowMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.waits.push(ms);
    this.#nowMs += ms;
    // Whoever aborts meanwhile does it now.
    await setImmediate();
    signal?.throwIfAborted();
  }
}

/** A client on invented time whose retries wait exactly as long as the service asks. */
export function testClient(options: Partial<ClientOptions> = {}) {
  const clock = new TestClock();
  const reports: AttemptReport[] = [];
  const onAttempt = (report: AttemptReport) => reports.push(report);
  const client = new DeveloperApi({ apiKey: KEY, baseUrl: ORIGIN, clock, random: () => 0, onAttempt, ...options });
  return { client, clock, reports };
}

/** A connection on which nothing comes. */
export const hanging: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    const end = () => reject(new DOMException('aborted', 'AbortError'));
    if (init?.signal?.aborted) end();
    init?.signal?.addEventListener('abort', end);
  });

// Importing nock has it intercept the requests of all tests of this process.
nock.restore();

/** Lets no request of a test file out; what a test has recorded must be asked for. */
export function interceptNetwork(): void {
  beforeAll(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    const pending = nock.pendingMocks();
    nock.cleanAll();
    expect(pending).toEqual([]);
  });
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });
}

/** Answers that the service would give to requests with the key, each once. */
export const recorded = () => nock(ORIGIN, { reqheaders: { 'x-api-key': KEY } });

/** The body of an error. */
export function refusal(reason: string, more: object[] = [], metadata = {}) {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'd', metadata };
  return { code: 9, message: 'What went wrong.', details: [info, ...more] };
}

export const SECRET = 'whsec_Zm9yLXRlc3RzLW9ubHktYW5kLW5vLXNlY3JldC1hdC1hbA';
export const NOW_MS = Date.parse('2026-03-02T04:15:00Z');

/** `Service-Signature` as the contract describes it, made without the code under test. */
export function signatureOf(body: string, { secret = SECRET, atMs = NOW_MS } = {}): string {
  const t = Math.floor(atMs / 1000);
  return `t=${t},v1=${signatureBy(secret, t, Buffer.from(body))}`;
}

/** What a promise is rejected with. */
export async function rejection(work: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await work;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('it succeeded');
}
