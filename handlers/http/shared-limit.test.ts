/**
 * The rate limit over several processes on one database (D-7). Admissions are checked against bounds that hold for any
 * delay between a client and the decision: each request was decided at some time between its sending and its answer.
 */

import { Agent, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rateLimit } from '../../generated/rate-limit.ts';
import type { RunningServer } from '../../scripts/testbed/server.ts';
import { TestTenant } from '../../scripts/testbed/tenant.ts';
import { testDeployment } from '../../scripts/testbed/test-deployment.ts';

const deployment = await testDeployment();
const { store } = deployment;
let tenant: TestTenant;
let servers: RunningServer[];
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  tenant = await TestTenant.create(store);
  servers = await Promise.all([deployment.start(), deployment.start()]);
});

afterAll(() => agent.destroy());

/** One request: when it was sent and answered (in seconds), and the answer. */
interface Probe {
  readonly sent: number;
  readonly answered: number;
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly rateLimit: string | undefined;
}

function probe(server: RunningServer, key: string): Promise<Probe> {
  const sent = performance.now() / 1000;
  return new Promise((resolve, reject) => {
    get(`${server.url}/developer/v1/api_key/_verify`, { agent, headers: { 'X-API-Key': key } }, (res) => {
      res.resume().once('end', () => {
        const { 'retry-after': retryAfter, ratelimit } = res.headers;
        const answered = performance.now() / 1000;
        resolve({
          sent,
          answered,
          status: res.statusCode ?? 0,
          retryAfter,
          rateLimit: ratelimit as string | undefined,
        });
      });
    }).once('error', reject);
  });
}

/** Sends requests at a steady rate to the servers in turn, without regard to the answers. */
async function hammer(key: string, perSecond: number, seconds: number): Promise<Probe[]> {
  const startedAt = performance.now();
  const probes: Promise<Probe>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      while (probes.length < due) probes.push(probe(servers[probes.length % servers.length] as RunningServer, key));
      if (due < perSecond * seconds) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  return Promise.all(probes);
}

const { perSecond: RATE, burst: BURST } = rateLimit;
/** One token of tolerance, because clocks round. */
const SLACK = 1;
/** The limit of failed authentications of one address a second, and how many each process may have taken ahead. */
const FAILURES = 100;
const TAKEN_AHEAD = 10;

/**
 * Within any span of t seconds at most a burst and t times the rate is admitted; a span without its whole request does not
 * count.
 */
function tooLax(admitted: readonly Probe[]): string[] {
  const wrong: string[] = [];
  const byAnswer = admitted.toSorted((a, b) => a.answered - b.answered);
  for (const { sent: from } of admitted) {
    let inside = 0;
    for (const { sent, answered: until } of byAnswer) {
      if (sent < from) continue;
      inside++;
      if (inside > BURST + RATE * (until - from) + SLACK) wrong.push(`${inside} within ${until - from} s`);
    }
  }
  return wrong;
}

/**
 * A refusal is right only if the bucket could be empty. The bucket was last full just before some admission was
 * decided, between its sending and its answer. So the refill began at the latest when that admission was answered, and
 * every admission answered after that one was sent may have taken a token since.
 */
function tooStrict(admitted: readonly Probe[], refused: readonly Probe[]): string[] {
  return refused.flatMap(({ sent, answered }) => {
    const firsts = admitted.filter((each) => each.sent <= answered);
    const least = Math.min(
      BURST,
      ...firsts.map(
        (first) =>
          BURST +
          RATE * Math.max(0, sent - first.answered) -
          admitted.filter((a) => a.answered >= first.sent && a.sent <= answered).length,
      ),
    );
    return least >= 1 + SLACK ? [`${least} tokens at ${sent}`] : [];
  });
}

describe('two processes on one database', () => {
  test('admit what one bucket does at ten times the limit of one key, and refuse none too early', async () => {
    const probes = await hammer(await tenant.key(), 10 * RATE, 4);
    const admitted = probes.filter(({ status }) => status === 200);
    const refused = probes.filter(({ status }) => status === 429);
    expect(admitted.length + refused.length).toBe(probes.length);
    const span = Math.max(...probes.map((p) => p.answered)) - Math.min(...probes.map((p) => p.sent));
    // How many more depends on when the requests were decided, which the two checks below take into account.
    expect(admitted.length).toBeGreaterThanOrEqual(BURST);
    expect(admitted.length).toBeLessThanOrEqual(BURST + RATE * span + SLACK);
    expect(tooLax(admitted)).toEqual([]);
    expect(tooStrict(admitted, refused)).toEqual([]);
    for (const { retryAfter, rateLimit } of refused) {
      expect([retryAfter, rateLimit]).toEqual(['1', expect.stringMatching(/^"key";r=0;t=2$/)]);
    }
    for (const { rateLimit } of admitted) expect(rateLimit).toMatch(/^"key";r=(1?\d);t=[12]$/);
  });

  test('keep four keys apart', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => tenant.key()));
    const bursts = await Promise.all(
      keys.map((key) => Promise.all(Array.from({ length: 40 }, (_, i) => probe(servers[i % 2] as RunningServer, key)))),
    );
    for (const probes of bursts) {
      const admitted = probes.filter(({ status }) => status === 200);
      expect(admitted.length).toBeGreaterThanOrEqual(BURST);
      expect(tooLax(admitted)).toEqual([]);
    }
  });

  test('throttle failed authentication of an address together, but not its valid keys', async () => {
    const key = await tenant.key();
    const failed = await hammer('wrong', 10 * FAILURES, 2);
    const refused = failed.filter(({ status }) => status === 429);
    const looked = failed.filter(({ status }) => status === 401);
    const span = Math.max(...failed.map((p) => p.answered)) - Math.min(...failed.map((p) => p.sent));
    expect(looked.length + refused.length).toBe(failed.length);
    expect(looked.length).toBeGreaterThanOrEqual(FAILURES);
    expect(looked.length).toBeLessThanOrEqual(FAILURES + FAILURES * span + TAKEN_AHEAD * servers.length);
    for (const { rateLimit, retryAfter } of refused) expect([rateLimit, retryAfter]).toEqual([undefined, '1']);
    for (const server of servers) expect((await probe(server, key)).status).toBe(200);
  });
});
