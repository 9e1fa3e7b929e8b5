import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceiverMode } from '../callbacks/delivery.ts';
import { arrived, received, setReceiverMode, testHook, withHooks } from '../callbacks/hooks.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { many, reject, waiting } from './shared/event-calls.ts';

/** Runs `work`, and leaves the listener open again. */
async function withDoors(t: TestContext, work: () => Promise<void>): Promise<void> {
  if (!t.run.callbacks.speaks_tls) {
    t.untested('missing_callbacks', 'TLS ends before the suite, so the suite cannot break it');
  }
  try {
    await work();
  } finally {
    await setReceiverMode(t, 'open');
  }
}

/** The error that `_test` states for each state of the listener. */
const modesOf = ({ spelling }: TestContext): readonly [ReceiverMode, string][] => {
  const { connect_error, tls_error } = spelling.test_webhook_endpoint_response_error;
  return [
    ['closed', connect_error],
    ['no_tls', tls_error],
    ['strange_certificate', tls_error],
    ['tls_1_1', tls_error],
  ];
};

rule({
  id: 'WHK-25',
  text: '_test distinguishes a refused connection from TLS that cannot be trusted or cannot be established, as before version 1.2; it succeeds with version 1.2.',
  place: 'testWebhookEndpoint',
  decisions: ['D-25', 'D-27'],
  runs: 'alone',
  check: async (t) => {
    await withDoors(t, async () => {
      await withHooks(t, [{}], async (hook) => {
        for (const [mode, error] of modesOf(t)) {
          await setReceiverMode(t, mode);
          const answer = await testHook(t, hook);
          t.equal(answer.ok('testWebhookEndpoint'), { status_code: 0, error }, `_test at ${mode}`, answer);
        }
        for (const mode of ['tls_1_2', 'open'] as const) {
          await setReceiverMode(t, mode);
          const answer = await testHook(t, hook);
          t.equal(answer.ok('testWebhookEndpoint'), { status_code: 200, error: '' }, `_test at ${mode}`, answer);
        }
      });
    });
  },
});

/** Lets the wait for the second attempt pass, at once if the target's clock can be moved. */
async function waited(t: TestContext, ms: number, work: () => Promise<void>): Promise<void> {
  if (!t.has('clock')) return work();
  await t.withClock(async (advance) => {
    await advance(ms);
    await work();
  });
}

/** Waits for a connection, or if none can be made, for as long as an attempt takes and less than until the next. */
async function attempted(t: TestContext, before: number): Promise<void> {
  await many(t).verify();
  for (const end = performance.now() + 2_000; performance.now() < end; await sleep(50))
    if (t.run.receiver.connectionsMet > before) return;
}

rule({
  id: 'DLV-5',
  text: 'A delivery fails if the connection is refused, or if its TLS is missing or cannot be trusted.',
  place: 'webhooks',
  decisions: ['D-27'],
  runs: 'alone',
  check: async (t) => {
    const [first = 0] = t.values.webhook_retry_waits_s;
    const withinMs = (first * (1 + t.values.webhook_retry_jitter) + t.values.webhook_first_attempt_s) * 1000;
    await withDoors(t, async () => {
      await withHooks(t, [{}], async (hook) => {
        const modes = modesOf(t);
        const ids = await Promise.all(modes.map(() => waiting(t)));
        for (const [i, [mode]] of modes.entries()) {
          await setReceiverMode(t, mode);
          const { connectionsMet } = t.run.receiver;
          await reject(t, ids[i] ?? '');
          await attempted(t, connectionsMet);
          t.equal((await received(t, hook, ids[i])).length, 0, `deliveries that came through ${mode}`);
        }
        await setReceiverMode(t, 'open');
        await waited(t, withinMs, async () => {
          for (const id of ids) await arrived(t, hook, { containing: id, type: 'document.rejected', withinMs });
        });
      });
    });
  },
});
