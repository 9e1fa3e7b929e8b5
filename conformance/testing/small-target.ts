/** What tests share: a small target on loopback, the profile of the example, and runs without deliveries. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { parse } from 'yaml';
import { type ErrorName, errors } from '../../generated/contract.ts';
import { closeServer, listenOnLoopback } from '../../scripts/kit/ports.ts';
import type { Receiver } from '../callbacks/receiver.ts';
import { RunContext } from '../engine/run-context.ts';
import { Runner, type RunnerOptions } from '../engine/runner.ts';
import type { StallWatch } from '../engine/stall-watch.ts';
import { TestContext } from '../engine/test-context.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Profile } from '../profile/profile.ts';
import { spellingOf } from '../profile/spelling.ts';
import type { Check, Rule } from '../rules/rule.ts';

export interface AskedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Reply = readonly [status: number, body: unknown];

/** An error of the contract. */
export function refusal(name: ErrorName): Reply {
  const { httpStatus, reason, rpcCode } = errors[name];
  return [httpStatus, { code: rpcCode, message: 'It is so.', details: [{ '@type': 'x', reason }] }];
}

/** Answers in JSON. */
export const inJson =
  (answer: (asked: AskedRequest) => Reply | Promise<Reply>): RequestListener =>
  async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const { method = '', url = '', headers } = request;
    const [status, said] = await answer({ method, url, headers, body });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(said));
  };

/** Listens while the tests of a file run. */
export function served(listener: RequestListener): { readonly baseUrl: string } {
  const server = createServer(listener);
  const target = { baseUrl: '' };
  beforeAll(async () => {
    target.baseUrl = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  });
  afterAll(() => closeServer(server));
  return target;
}

/** A new one each time, so that tests may change it. */
export const exampleProfile = (): Profile =>
  parse(readFileSync(join(import.meta.dirname, '../profile.example.yaml'), 'utf8')) as Profile;

/** A run. @param more a receiver of deliveries and its address, if there is one */
export function runWith(
  change: Partial<Profile>,
  secrets: Readonly<Record<string, string>>,
  more: { receiver?: Receiver; url?: string; stalls?: StallWatch } = {},
): RunContext {
  const { receiver, url = '', stalls } = more;
  const facts = { url, problem: 'none', speaks_tls: false };
  const loaded = { profile: { ...exampleProfile(), ...change }, secrets: { ...secrets } };
  return new RunContext(loaded, { facts, receiver, close: async () => {} }, '', stalls);
}

/** Checks rules in a run, which then ends. @returns how each ended */
export async function checkedIn(
  run: RunContext,
  rules: readonly Rule[],
  options: RunnerOptions = {},
  atOnce = 8,
): Promise<Outcome[]> {
  const runner = new Runner(run, options);
  await runner.check({ rules, atOnce });
  await run.close();
  return runner.outcomes;
}

export const ruleWith = (id: string, check: Check, more: Partial<Rule> = {}): Rule => ({
  id,
  section: 'X',
  level: 'MUST',
  text: 'It is so.',
  place: 'x',
  decisions: [],
  check,
  ...more,
});

/** The context of a rule that is checked in a run. */
export const contextIn = (run: RunContext, id = 'X-1'): TestContext =>
  new TestContext(
    ruleWith(id, () => {}),
    run,
    run.redactorOf(''),
  );

export const ENDPOINT_ID = 'eb628c91-950a-41d4-8f6b-28170305e41c';

/** The answer to the creation of an endpoint. */
export const madeEndpoint = (url: string) => ({
  webhook_endpoint: {
    id: ENDPOINT_ID,
    url,
    event_types: ['document.rejected'],
    status: spellingOf({}).webhook_endpoint_status.ACTIVE,
    disabled_reason: '',
    disabled_at: '',
    create_time: '2026-03-02T03:50:00.000Z',
    update_time: '2026-03-02T03:50:00.000Z',
  },
  secret: `whsec_${'x'.repeat(43)}`,
});
