import { bytesOf, type Delivery, headerOf, type Reaction } from '../callbacks/delivery.ts';
import {
  arrived,
  deleteHook,
  envelopeOf,
  type Hook,
  makeHook,
  react,
  received,
  waitFor,
  withHooks,
} from '../callbacks/hooks.ts';
import { parseSignature } from '../callbacks/signature.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { ageComplaint, marker, reject, rejected, signatureComplaint, waiting } from './shared/event-calls.ts';
import { need, together } from './shared/needs.ts';
import { interim, plainAnswer, UNASKED } from './shared/raw-answers.ts';
import { sharedScenario } from './shared/shared-scenario.ts';

const PLAIN_STATUSES = [200, 201, 202, 204, 206, 299] as const;
const BAD_STATUSES = [300, 304, 400, 401, 404, 408, 410, 429, 500, 503] as const;
const REDIRECTS = [301, 302, 307, 308] as const;

/**
 * `slow` cases have their own endpoints, since a target may send one thing at a time to an endpoint that is slow or
 * fails.
 */
type Case = { name: string; reaction: Reaction; fails: boolean; slow: boolean };

/** How receivers behave at the first attempt; at later attempts they accept. */
function cases(elsewhere: Hook): Case[] {
  const failing = (name: string, reaction: Reaction, slow = false): Case => ({ name, reaction, fails: true, slow });
  const right = (name: string, reaction: Reaction, slow = false): Case => ({ name, reaction, fails: false, slow });
  return [
    ...PLAIN_STATUSES.map((answer) => right(`status ${answer}`, { answer })),
    ...BAD_STATUSES.map((answer) => failing(`status ${answer}`, { answer })),
    ...REDIRECTS.map((answer) => failing(`redirect ${answer}`, { answer, location: elsewhere.url })),
    right('nine seconds', { answer: 200, delayMs: 9_000 }, true),
    failing('eleven seconds', { answer: 200, delayMs: 11_000 }, true),
    failing('slow body', { answer: 'slow_body', delayMs: 11_500 }, true),
    failing('broken head', { answer: 'raw', parts: ['HTTP/1.1 200 OK\r\nContent-Le'] }),
    right('endless', { answer: 'endless' }),
    right('interim answers', { answer: 'raw', parts: [UNASKED, interim(31), plainAnswer(200)] }),
    failing('interim answers before a refusal', { answer: 'raw', parts: [UNASKED + plainAnswer(503)] }),
    failing('no HTTP', { answer: 'raw', parts: ['SSH-2.0-OpenSSH_9.2\r\n'] }),
  ];
}

/** The result of one rejected document for each case, after all failed deliveries were repeated. */
interface Outcomes {
  elsewhere: Hook;
  attempts: Map<string, { fails: boolean; hook: Hook; deliveries: Delivery[] }>;
  /** How many events came in time to an endpoint that exists beside one that never answers. */
  besideCount: number;
}

const TIMEOUT_MS = 10_000;

async function tryAll(t: TestContext): Promise<Outcomes> {
  const [common, quick] = [await makeHook(t), await makeHook(t)];
  const elsewhere = await makeHook(t, { types: ['person.changed'] });
  const hanging = await makeHook(t, { reactions: [{ answer: 'hang' }] });
  const wishes = cases(elsewhere);
  const hooks = await Promise.all(wishes.map(({ slow }) => (slow ? makeHook(t) : common)));
  const ids = await Promise.all(wishes.map(() => waiting(t)));
  const all = wishes.map((wish, i) => ({ ...wish, hook: hooks[i] as Hook, id: ids[i] as string }));
  for (const { reaction, hook, id } of all) await react(t, hook, [reaction, { answer: 200 }], id);
  await Promise.all(ids.map((id) => reject(t, id)));
  const beside = await Promise.all(ids.map((id) => waitFor(t, quick, { containing: id })));
  await deleteHook(t, hanging);
  const { webhook_retry_waits_s: waits, webhook_retry_jitter: jitter, webhook_first_attempt_s: first } = t.values;
  const withinMs = TIMEOUT_MS + ((waits[0] ?? 0) * (1 + jitter) + first) * 1000;
  // Deliveries that must come only once are waited for too: if the target could not begin an attempt in time, it may
  // come later than the second attempts of others.
  await Promise.all(
    all.map(({ fails, hook, id }) => waitFor(t, hook, { containing: id, count: fails ? 2 : 1, withinMs })),
  );
  const attempts: Outcomes['attempts'] = new Map();
  for (const { name, fails, hook, id } of all) {
    attempts.set(name, { fails, hook, deliveries: await received(t, hook, id) });
  }
  await Promise.all([...new Set([...hooks, quick, elsewhere])].map((hook) => deleteHook(t, hook)));
  const besideCount = beside.filter((found) => found.length > 0).length;
  return { elsewhere, attempts, besideCount };
}

const outcomes = sharedScenario(tryAll);

const timeOf = (one: Delivery) => parseSignature(headerOf(one, 'service-signature'))?.t ?? 0;

/**
 * Whether the target cannot have waited ten seconds for the answer to one attempt before it planned the next, by the
 * times that it signed. On a busy machine an answer may reach it later than the receiver meant to give it.
 */
function wasHasty(t: TestContext, one: Delivery, next: Delivery, wait: number): boolean {
  const between = timeOf(next) - timeOf(one);
  // The times are whole seconds.
  return between + 1 < TIMEOUT_MS / 1000 + (t.values.webhook_retry_waits_s[wait] ?? 0);
}

/** Checks that the event of each case was delivered as often as it must be. */
async function judge(t: TestContext, names: readonly string[]): Promise<void> {
  const { attempts } = await outcomes(t);
  for (const name of names) {
    const { fails, deliveries } = t.present(attempts.get(name), `there is no case ${name}`);
    const wanted = fails ? 2 : 1;
    const [taken, odd] = deliveries.slice(wanted - 1);
    if (taken && odd && !wasHasty(t, taken, odd, wanted - 1)) {
      t.untested(
        'not_exercised',
        `${name}: the answer may have come after ten seconds, by the times of the signatures`,
      );
    }
    t.equal(deliveries.length, wanted, `${name}: how often the event came`);
  }
}

rule({
  id: 'DLV-1',
  level: 'MUST',
  text: 'An answer of the receiver with any 2xx status is a success: the event is not sent again.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: (t) =>
    judge(
      t,
      PLAIN_STATUSES.map((status) => `status ${status}`),
    ),
});
rule({
  id: 'DLV-2',
  level: 'MUST',
  text: 'An answer of the receiver with a status other than 2xx is a failure: the event is sent again.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: (t) =>
    judge(
      t,
      BAD_STATUSES.map((status) => `status ${status}`),
    ),
});
rule({
  id: 'DLV-3',
  level: 'MUST',
  text: 'A receiver may take nine seconds to answer.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: (t) => judge(t, ['nine seconds']),
});
rule({
  id: 'DLV-4',
  level: 'MUST',
  text: 'A receiver that takes eleven seconds, for the head or for the body, has failed.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: (t) => judge(t, ['eleven seconds', 'slow body']),
});
rule({
  id: 'DLV-19',
  level: 'MUST',
  text: 'A connection that ends within the head of the answer is a failure: the event is sent again.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: (t) => judge(t, ['broken head']),
});
rule({
  id: 'DLV-21',
  level: 'MUST',
  text: 'Interim answers of the receiver are skipped: the status of the final answer decides. What is no HTTP is a failure.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: (t) => judge(t, ['interim answers', 'interim answers before a refusal', 'no HTTP']),
});
rule({
  id: 'DLV-20',
  level: 'MUST',
  text: 'An answer of the receiver that never ends is cut off; its status decides.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: (t) => judge(t, ['endless']),
});

rule({
  id: 'DLV-17',
  level: 'MUST',
  text: 'A redirect by the receiver is a failure and is not followed.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: async (t) => {
    await judge(
      t,
      REDIRECTS.map((status) => `redirect ${status}`),
    );
    const { elsewhere } = await outcomes(t);
    // Changes of persons by other rules arrive there too.
    const visits = (await received(t, elsewhere)).filter((one) => envelopeOf(one).type !== 'person.changed');
    t.equal(visits.length, 0, 'how often the place of a redirect was visited');
  },
});

rule({
  id: 'DLV-16',
  level: 'MUST',
  text: 'A receiver that hangs does not hold up the others.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: async (t) => {
    const { besideCount, attempts } = await outcomes(t);
    // So many events, each after ten seconds of the one that hangs, would take longer than a first attempt may.
    t.equal(besideCount, attempts.size, 'how many events came in time to the endpoint beside the one that hangs');
  },
});

/** The pairs of first and second attempt, with the endpoint that received them. */
async function pairs(t: TestContext): Promise<[Delivery, Delivery, Hook][]> {
  const { attempts } = await outcomes(t);
  const twice = [...attempts.values()].filter(({ deliveries }) => deliveries.length > 1);
  t.check(twice.length > 0, 'nothing was delivered twice');
  return twice.map(({ deliveries, hook }) => [deliveries[0] as Delivery, deliveries[1] as Delivery, hook]);
}

rule({
  id: 'SIG-4',
  level: 'MUST',
  text: 'A repeated attempt is signed anew: with a later t, and verifiably.',
  place: 'Service-Signature',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery),
  check: async (t) => {
    for (const [first, second, hook] of await pairs(t)) {
      t.equal(
        [first, second].map((one) => signatureComplaint(one, hook.secret)),
        ['', ''],
        'both signatures',
      );
      t.equal(ageComplaint(second), '', 'the age of the second signature');
      const between = timeOf(second) - timeOf(first);
      t.check(between >= (t.values.webhook_retry_waits_s[0] ?? 0) - 1, `the second t is ${between} s after the first`);
    }
  },
});

rule({
  id: 'EVT-3',
  level: 'MUST',
  text: 'An event has an id of its own, which every repeat of its delivery keeps.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, { callbacks: true }),
  check: async (t) => {
    const { attempts } = await outcomes(t);
    for (const [first, second] of await pairs(t)) {
      t.equal(envelopeOf(second).id, envelopeOf(first).id, 'the id of the second attempt');
      t.equal(bytesOf(second).toString(), bytesOf(first).toString(), 'the body of the second attempt');
    }
    const ids = [...attempts.values()].flatMap(({ deliveries }) =>
      deliveries.slice(0, 1).map((one) => envelopeOf(one).id),
    );
    t.equal(new Set(ids).size, ids.length, 'how many ids the events have');
  },
});

rule({
  id: 'DLV-15',
  level: 'MUST',
  text: 'Events from the time when an endpoint was disabled are not sent after it is enabled.',
  place: 'webhooks',
  decisions: ['D-27'],
  needs: together(need.documentEvents, need.testDelivery, {
    admin: ['disable_webhook_endpoint', 'enable_webhook_endpoint'],
  }),
  check: async (t) => {
    await withHooks(t, [{}, {}], async (hook, other) => {
      await t.admin('disable_webhook_endpoint', { endpoint_id: hook.id });
      const missed = await rejected(t);
      await arrived(t, other, { containing: missed });
      await t.admin('enable_webhook_endpoint', { endpoint_id: hook.id });
      await marker(t, hook);
      await marker(t, hook);
      t.equal((await received(t, hook, missed)).length, 0, 'how often an event of the downtime came');
    });
  },
});
