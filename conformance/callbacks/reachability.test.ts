/** What a run reports about a target that breaks the contract while the suite tests whether deliveries arrive. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { errors } from '../../generated/errors.ts';
import { Coordinator } from '../engine/coordinator.ts';
import { Link } from '../engine/link.ts';
import { runRules } from '../engine/run.ts';
import { TestContext } from '../engine/test-context.ts';
import type { Profile } from '../profile/profile.ts';
import { Redactor } from '../report/redact.ts';
import { rules } from '../rules/all-rules.ts';
import { CallbackState } from './callback-state.ts';
import { findReachability } from './reachability.ts';
import { Receiver } from './receiver.ts';

const ID = 'eb628c91-950a-41d4-8f6b-28170305e41c';
const SECRET = `whsec_${'x'.repeat(43)}`;
const TIME = '2026-03-02T03:50:00.000Z';

type Reply = [status: number, body: unknown];

const refusal = (name: 'INVALID_ARGUMENT' | 'WEBHOOK_ENDPOINT_NOT_FOUND'): Reply => {
  const { httpStatus, reason, rpcCode } = errors[name];
  return [httpStatus, { code: rpcCode, message: 'It is so.', details: [{ '@type': 'x', reason }] }];
};

const endpoint = (url: string) => ({
  id: ID,
  url,
  event_types: ['document.rejected'],
  status: 'ACTIVE',
  disabled_reason: '',
  disabled_at: '',
  create_time: TIME,
  update_time: TIME,
});

/** How the small server behaves; by default it is correct and delivers. */
interface Manner {
  created?: (url: string) => Reply;
  tested?: Reply;
  delivers?: boolean;
}

let manner: Manner = {};
/** The URL to which the next event is delivered. */
let subscribed = '';
const deleted: string[] = [];

const deliver = async () => {
  const sent = request(subscribed.replace('https:', 'http:'), { method: 'POST', agent: false });
  sent.end('{}');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
};

async function respond(req: IncomingMessage, body: string): Promise<Reply> {
  if (req.method === 'DELETE') {
    deleted.push(req.url ?? '');
    return [200, {}];
  }
  const { url = '' } = JSON.parse(body || '{}') as { url?: string };
  if (url.startsWith('https://127.0.0.1/')) return refusal('INVALID_ARGUMENT');
  if (/webhook_endpoints$/.test(req.url ?? '')) {
    subscribed = url;
    return manner.created?.(url) ?? [200, { webhook_endpoint: endpoint(url), secret: SECRET }];
  }
  if (!req.url?.includes(ID)) return refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  if (manner.delivers !== false) await deliver();
  return manner.tested ?? [200, { status_code: 218, error: '' }];
}

const server = createServer(async (req: IncomingMessage, res: ServerResponse) => {
  let body = '';
  for await (const part of req) body += String(part);
  const [status, said] = await respond(req, body);
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(said));
});

let profile: Profile;
let receiver: Receiver;
let coordinator: Coordinator;
let link: Link;
let port: number;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  const example = parse(readFileSync(join(import.meta.dirname, '../profile.example.yaml'), 'utf8')) as Profile;
  profile = { ...example, base_url: `http://127.0.0.1:${at}`, keys: { full: ['CONF_KEY_FULL_1'] } };
  process.env.CONF_KEY_FULL_1 = 'dev_key';
});

afterAll(async () => {
  delete process.env.CONF_KEY_FULL_1;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

beforeEach(async () => {
  deleted.length = 0;
  receiver = new Receiver();
  port = await receiver.listen('127.0.0.1', 0);
  const state = new CallbackState(receiver);
  coordinator = new Coordinator({ maxWrites: 100, failedAuthPerSecond: 1, onCallbacks: (ask) => state.answer(ask) });
  link = new Link(await coordinator.listen());
});

afterEach(async () => {
  link.close();
  await coordinator.close();
  await receiver.close();
});

/** What the suite finds about a target that behaves in this manner. */
async function found(how: Manner) {
  manner = how;
  const rule = rules.find(({ id }) => id === 'WHK-1');
  if (!rule) throw new Error('there is no rule WHK-1');
  const run = {
    profile,
    inputs: {},
    run_id: 'r',
    callbacks: { url: `https://127.0.0.1:${port}`, problem: '', speaks_tls: false },
  };
  return findReachability(
    new TestContext(rule, { ...run, record: '' } as never, link, new Redactor('salt', {}, '^dev')),
  );
}

const without = (url: string): Reply => [200, { webhook_endpoint: endpoint(url) }];

describe('the way of deliveries', () => {
  test('is open if a test event arrives, no matter what _test answers', async () => {
    expect(await found({})).toEqual({ is: 'open' });
    expect(deleted).toEqual([expect.stringContaining(ID)]);
    expect(await found({ tested: [500, {}] })).toEqual({ is: 'open' });
  });

  test('is closed if the target keeps the contract and nothing arrives', async () => {
    expect(await found({ created: () => refusal('INVALID_ARGUMENT') })).toEqual({
      is: 'closed',
      reason: expect.stringContaining('no endpoint can be made'),
    });
    const tested: Reply = [200, { status_code: 0, error: 'connect_error' }];
    expect(await found({ delivers: false, tested })).toEqual({
      is: 'closed',
      reason: expect.stringContaining('connect_error'),
    });
  });

  test.each([
    ['has no secret', without],
    [
      'has a secret of another form',
      (url: string): Reply => [200, { webhook_endpoint: endpoint(url), secret: 'short' }],
    ],
    ['is a server error', (): Reply => [500, {}]],
    ['is an error that the contract does not know', (): Reply => [400, { details: [{ reason: 'NO' }] }]],
    ['is another success', (): Reply => [201, { webhook_endpoint: endpoint('https://x/'), secret: SECRET }]],
  ])('is broken where the answer to a creation %s', async (_what, created) => {
    expect(await found({ created })).toMatchObject({ is: 'broken', at: 'createWebhookEndpoint' });
    const made = created('https://x/');
    expect(deleted.length).toBe(made[0] === 200 ? 1 : 0);
  });

  test.each<[string, Reply]>([
    ['has another shape', [200, {}]],
    ['is a server error', [500, {}]],
    ['refuses a new endpoint', refusal('WEBHOOK_ENDPOINT_NOT_FOUND')],
    ['says a status that nobody gave', [200, { status_code: 218, error: '' }]],
  ])('is broken where nothing arrives and the answer of _test %s', async (_what, tested) => {
    expect(await found({ delivers: false, tested })).toMatchObject({ is: 'broken', at: 'testWebhookEndpoint' });
  });
});

test('a run fails only the rules about the broken operation, and shows the exchange', async () => {
  manner = { created: without };
  const { values } = profile;
  const results = await runRules({
    loaded: {
      profile: { ...profile, callbacks: { mode: 'loopback' }, values: { ...values, rate_fields: 'none' } },
      secrets: { CONF_KEY_FULL_1: 'dev_key' },
    },
    profilePath: 'p.yaml',
    selected: rules.filter(({ id }) => ['WHK-1', 'SIG-5'].includes(id)),
  });
  expect(results.rules).toMatchObject([
    {
      rule: 'WHK-1',
      status: 'FAIL',
      reason: expect.stringContaining('secret'),
      exchange: expect.stringContaining('> POST /developer/v1/webhook_endpoints'),
    },
    { rule: 'SIG-5', status: 'UNTESTED', code: 'not_exercised', reason: expect.stringContaining('secret') },
  ]);
  expect(results.exit_code).toBe(1);
  expect(deleted.some((path) => path.endsWith(ID))).toBe(true);
});
