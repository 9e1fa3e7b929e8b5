/** What a run reports about a target that breaks the contract while the suite tests whether deliveries arrive. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runRules } from '../engine/run.ts';
import type { RunContext } from '../engine/run-context.ts';
import { rules } from '../rules/all-rules.ts';
import {
  type AskedRequest,
  contextIn,
  ENDPOINT_ID,
  exampleProfile,
  inJson,
  madeEndpoint,
  type Reply,
  refusal,
  runWith,
  served,
} from '../testing/small-target.ts';
import { findReachability } from './reachability.ts';
import { Receiver } from './receiver.ts';

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

const deliver = () => fetch(subscribed.replace('https:', 'http:'), { method: 'POST', body: '{}' });

async function respond({ method, url: path, body }: AskedRequest): Promise<Reply> {
  if (method === 'DELETE') {
    deleted.push(path);
    return [200, {}];
  }
  const { url = '' } = JSON.parse(body || '{}') as { url?: string };
  if (url.startsWith('https://127.0.0.1/')) return refusal('INVALID_ARGUMENT');
  if (/webhook_endpoints$/.test(path)) {
    subscribed = url;
    return manner.created?.(url) ?? [200, madeEndpoint(url)];
  }
  if (!path.includes(ENDPOINT_ID)) return refusal('WEBHOOK_ENDPOINT_NOT_FOUND');
  if (manner.delivers !== false) await deliver();
  return manner.tested ?? [200, { status_code: 218, error: '' }];
}

const target = served(inJson(respond));

const secrets = { CONF_KEY_FULL_1: 'dev_key' };
const ring = { keys: { full: ['CONF_KEY_FULL_1'] } };
let receiver: Receiver;
let run: RunContext;

beforeEach(async () => {
  deleted.length = 0;
  receiver = new Receiver();
  const url = `https://127.0.0.1:${await receiver.listen('127.0.0.1', 0)}`;
  run = runWith({ base_url: target.baseUrl, ...ring }, secrets, { receiver, url });
});

afterEach(async () => {
  await run.close();
  await receiver.close();
});

/** What the suite finds about a target that behaves in this manner. */
function found(how: Manner) {
  manner = how;
  return findReachability(contextIn(run, 'WHK-1'));
}

const without = (url: string): Reply => [200, { ...madeEndpoint(url), secret: undefined }];

describe('the way of deliveries', () => {
  test('is open if a test event arrives, no matter what _test answers', async () => {
    expect(await found({})).toEqual({ is: 'open' });
    expect(deleted).toEqual([expect.stringContaining(ENDPOINT_ID)]);
    expect(await found({ tested: [500, {}] })).toEqual({ is: 'open' });
  });

  test('is open whatever an answer has that nothing is received by', async () => {
    const created = (url: string): Reply => {
      const { webhook_endpoint, secret } = madeEndpoint(url);
      return [200, { webhook_endpoint: { ...webhook_endpoint, status: undefined, create_time: 1 }, secret, new: 1 }];
    };
    expect(await found({ created })).toEqual({ is: 'open' });
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
    ['has a secret of another form', (url: string): Reply => [200, { ...madeEndpoint(url), secret: 'short' }]],
    ['is a server error', (): Reply => [500, {}]],
    ['is an error that the contract does not know', (): Reply => [400, { details: [{ reason: 'NO' }] }]],
    ['is another success', (): Reply => [201, madeEndpoint('https://x/')]],
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
  const profile = { ...exampleProfile(), base_url: target.baseUrl, ...ring };
  const results = await runRules({
    loaded: { profile: { ...profile, callbacks: { mode: 'loopback' } }, secrets },
    profilePath: 'p.yaml',
    selected: rules.filter(({ id }) => ['WHK-1', 'WHK-32'].includes(id)),
  });
  expect(results.rules).toMatchObject([
    {
      rule: 'WHK-1',
      status: 'FAIL',
      reason: expect.stringContaining('secret'),
      exchange: expect.stringContaining('> POST /developer/v1/webhook_endpoints'),
    },
    { rule: 'WHK-32', status: 'UNTESTED', code: 'not_exercised', reason: expect.stringContaining('secret') },
  ]);
  expect(results.exit_code).toBe(1);
  expect(deleted.some((path) => path.endsWith(ENDPOINT_ID))).toBe(true);
});
