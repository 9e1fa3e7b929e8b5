import { afterAll, describe, expect, jest, test } from '@jest/globals';
import type { Api, Call } from '../../http/api.ts';
import { tokenBucket } from '../../judge/oracle-models.ts';
import { RuleUntested, Violation } from '../../judge/outcome.ts';
import { contextIn, runWith } from '../../testing/small-target.ts';
import { atOnce, judged, shoot, tried } from './limit-probe.ts';

const run = runWith({}, {});
afterAll(() => run.close());

/** A key whose requests are decided by `decide` and take `tookMs` milliseconds. */
function key(decide: (call: Call) => number | Error, tookMs = 1, context = contextIn(run)): Api {
  return {
    send: async (call: Call) => {
      const status = decide(call);
      if (status instanceof Error) throw status;
      const sentAtMs = performance.now();
      await call.onAnswer?.();
      const exchange = { sentAtMs, receivedAtMs: sentAtMs + tookMs };
      return { context, isUnavailable: status === 503, status, exchange };
    },
  } as unknown as Api;
}

describe('shooting', () => {
  test('keeps every answer waiting until all have come, and does not wait for one that never will', async () => {
    const events: string[] = [];
    const retryAfter = {
      send: async ({ onAnswer }: Call) => {
        events.push('sent');
        await onAnswer?.();
        events.push('judged');
        return { status: 200, exchange: { sentAtMs: 0, receivedAtMs: 1 } };
      },
    } as unknown as Api;
    await shoot([retryAfter], [0, 0, 30]);
    expect(events).toEqual(['sent', 'sent', 'sent', 'judged', 'judged', 'judged']);
    const broken = key(({ path }) => (path === '/b' ? new Error('the connection failed') : 429));
    await expect(shoot([broken], atOnce(3), [{ path: '/a' }, { path: '/b' }])).rejects.toThrow('the connection failed');
  });

  test('sends kinds of requests in turn', async () => {
    const seen: string[] = [];
    const decide = ({ path }: Call) => {
      seen.push(path);
      return 200;
    };
    await shoot(
      [key(decide)],
      atOnce(7),
      ['/a', '/b', '/c'].map((path) => ({ path })),
    );
    expect(seen).toEqual(['/a', '/b', '/c', '/a', '/b', '/c', '/a']);
  });
});

describe('what is answered 503', () => {
  const away = (times: number) => {
    const t = contextIn(run);
    const excused = jest.spyOn(t, 'excuseUnavailable');
    let left = times;
    return { api: key(() => (left-- > 0 ? 503 : 200), 1, t), t, excused };
  };

  test('is sent again with all others, once', async () => {
    const { api, t, excused } = away(1);
    expect(await shoot([api], atOnce(3), [{ path: '/a' }], 0)).toHaveLength(3);
    expect(t.notes).toEqual(['1 of 3 requests were answered 503 UNAVAILABLE, so all were sent again']);
    expect(excused).toHaveBeenCalledTimes(1);
  });

  test('twice says nothing', async () => {
    const { api, excused } = away(4);
    await expect(shoot([api], atOnce(3), [{ path: '/a' }], 0)).rejects.toThrow('1 of 3 requests were answered 503');
    expect(excused).toHaveBeenCalledTimes(2);
  });
});

describe('a burst', () => {
  const burst = async (capacity: number, tookMs: number, send: typeof tried | typeof judged = tried) => {
    const bucket = tokenBucket(10, capacity);
    const t = contextIn(run);
    const decide = () => (bucket.take(1000).admitted ? 200 : 429);
    const shooting = { keys: [key(decide, tookMs)], silenceMs: 0, coarsest: 6, hint: () => '; every GET was' };
    return { t, outcome: await send(t, 'a burst', atOnce(30), shooting).catch((error: unknown) => error) };
  };

  test('is judged, and states how finely, whatever the verdict is', async () => {
    const { t, outcome } = await burst(20, 40);
    expect(outcome).toBe(true);
    expect(t.notes).toEqual(['a burst: 20 of 30 admitted (round trip 40 ms, 95 % within 40 ms: ±1 token resolution)']);
    expect(run.limits[0]).toMatchObject({ is_probe: false, requests: 30, sharpness: { tokens: 1 } });
    const lax = (await burst(22, 40)).outcome;
    expect(lax).toBeInstanceOf(Violation);
    expect(String(lax)).toMatch(/22 of 30 were admitted, [12] of them .*; every GET was \(round trip 40 ms.*±1 token/);
    expect(String((await burst(19, 40)).outcome)).toMatch(/11 of 30 were refused, 11 of them .*±1 token resolution\)$/);
  });

  test('of slow answers shows nothing: it is sent again, and then the rule is untested', async () => {
    expect((await burst(20, 700)).outcome).toBe(false);
    expect((await burst(20, 300)).outcome).toBe(true);
    expect((await burst(30, 300)).outcome).toBeInstanceOf(Violation);
    const { t, outcome } = await burst(50, 2000, judged);
    expect(outcome).toBeInstanceOf(RuleUntested);
    expect(String(outcome)).toMatch(/take too long to show anything .*±21 tokens resolution/);
    expect(t.notes).toHaveLength(2);
  });
});
