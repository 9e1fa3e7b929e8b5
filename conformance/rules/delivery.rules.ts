import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { bytesOf, type Delivery, type ReceiverMode } from '../callbacks/delivery.ts';
import {
  arrived,
  deleteHook,
  envelopeOf,
  type Hook,
  leftLate,
  makeHook,
  newRoute,
  ofType,
  react,
  received,
  setReceiverMode,
  testHook,
  waitFor,
  withHooks,
} from '../callbacks/hooks.ts';
import { RECEIVER_TEXT } from '../callbacks/receiver.ts';
import { parseSignature } from '../callbacks/signature.ts';
import { sharedScenario } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import { headerOf } from '../http/exchange.ts';
import { rulesWith } from './rule.ts';
import { cast, rejection } from './shared/document-calls.ts';
import { ageComplaint, many, reject, rejected, signatureComplaint, waiting } from './shared/event-calls.ts';
import { type AnswerKind, answerKinds, isSuccess, type ReceiverAnswer } from './shared/receiver-answers.ts';

const rule = rulesWith({ place: 'webhooks', decisions: ['D-27'] });

/** How many answers of a kind are tried as answers to events; all of them are tried by _test. */
const DELIVERED = 6;

/** Traces that are not valid, so that no delivery continues them. */
const INVALID = [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${'ab'.repeat(16)}-00f067aa0ba902b7-01`];

/** An event whose first delivery was answered so; later ones were accepted. */
interface AnsweredEvent extends ReceiverAnswer {
  readonly kind: string;
  readonly hook: Hook;
  readonly traceparent: string;
  readonly deliveries: readonly Delivery[];
}

/** One rejected document for each answer, after all failed deliveries were repeated. */
interface Outcomes {
  elsewhere: Hook;
  events: readonly AnsweredEvent[];
  /** How many events came in time to an endpoint that exists beside one that never answers. */
  besideCount: number;
}

const TIMEOUT_MS = 10_000;

/** Rejects a document with a trace of its own. */
async function rejectTraced(t: TestContext, id: string, traceparent: string): Promise<void> {
  const { api, id: me } = cast(t, { spread: true }).full;
  const headers = { traceparent, tracestate: TRACE_STATE };
  await t.mayWrite();
  const body = await rejection(api, id, me);
  (await api.post(`/documents/${id}/_reject`, body, { headers })).ok('rejectDocument');
}

/** Never passed on. */
const TRACE_STATE = 'suite=tracestateofthesuite';

async function tryAll(t: TestContext): Promise<Outcomes> {
  const [common, quick] = [await makeHook(t), await makeHook(t)];
  const elsewhere = await makeHook(t, { types: ['person.changed'] });
  const hanging = await makeHook(t, { reactions: [{ answer: 'hang' }] });
  // A target may send one thing at a time to an endpoint that is slow.
  const wishes = answerKinds.flatMap(({ id: kind, isSlow, answers }) =>
    answers
      .filter(({ isTestOnly }) => !isTestOnly)
      .slice(0, DELIVERED)
      .map((answer) => ({ ...answer, kind, isSlow })),
  );
  const all = await Promise.all(
    wishes.map(async (wish, nth) => ({
      ...wish,
      hook: wish.isSlow ? await makeHook(t) : common,
      id: await waiting(t),
      traceparent: INVALID[nth] ?? `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
    })),
  );
  for (const { reaction, hook, id } of all) react(t, hook, [reaction(elsewhere.url), { answer: 200 }], id);
  await Promise.all(all.map(({ id, traceparent }) => rejectTraced(t, id, traceparent)));
  const beside = await Promise.all(all.map(({ id }) => waitFor(t, quick, { containing: id })));
  await deleteHook(t, hanging);
  const { webhook_retry_waits_s: waits, webhook_retry_jitter: jitter, webhook_first_attempt_s: first } = t.values;
  const withinMs = TIMEOUT_MS + ((waits[0] ?? 0) * (1 + jitter) + first) * 1000;
  // Deliveries that must come only once are waited for too: if the target could not begin an attempt in time, it may
  // come later than the second attempts of others.
  const events = await Promise.all(
    all.map(async (one) => {
      await waitFor(t, one.hook, { containing: one.id, count: isSuccess(one) ? 1 : 2, withinMs });
      return one;
    }),
  );
  const found = await Promise.all(
    events.map(async (one) => ({ ...one, deliveries: await received(t, one.hook, one.id) })),
  );
  await Promise.all(
    [...new Set([...all.map(({ hook }) => hook), quick, elsewhere])].map((hook) => deleteHook(t, hook)),
  );
  return { elsewhere, events: found, besideCount: beside.filter((came) => came.length > 0).length };
}

const outcomes = sharedScenario(tryAll);

const timeOf = (one: Delivery) => parseSignature(headerOf(one, 'Service-Signature'))?.t ?? 0;

/**
 * Whether the target cannot have waited ten seconds for the answer to one attempt before it planned the next, by the
 * times that it signed. On a busy machine an answer may reach it later than the receiver meant to give it.
 */
function wasHasty(t: TestContext, one: Delivery, next: Delivery, wait: number): boolean {
  const between = timeOf(next) - timeOf(one);
  // The times are whole seconds.
  return between + 1 < TIMEOUT_MS / 1000 + (t.values.webhook_retry_waits_s[wait] ?? 0);
}

/** Checks that the event of each answer of a kind was delivered as often as it must be. */
function judgeEvents(t: TestContext, { events }: Outcomes, kind: string): void {
  for (const one of events.filter((event) => event.kind === kind)) {
    const wanted = isSuccess(one) ? 1 : 2;
    const [taken, odd] = one.deliveries.slice(wanted - 1);
    if (taken && odd && !wasHasty(t, taken, odd, wanted - 1)) {
      t.untested(
        'not_exercised',
        `${one.what}: the answer may have come after ten seconds, by the times of the signatures`,
      );
    }
    t.equal(one.deliveries.length, wanted, `${one.what}: how often the event came`);
  }
}

/** What `_test` must say; undefined if any error will do. */
function saidOf({ spelling }: TestContext, { outcome }: ReceiverAnswer) {
  if (typeof outcome === 'number') return { status_code: outcome, error: '' };
  if (outcome === 'broken') return undefined;
  return { status_code: 0, error: spelling.test_webhook_endpoint_response_error[outcome] };
}

/** Calls `_test` while the receiver answers so. */
async function judgeTest(t: TestContext, hook: Hook, one: ReceiverAnswer, elsewhere: string): Promise<void> {
  react(t, hook, [one.reaction(elsewhere)]);
  const answer = await testHook(t, hook);
  const said = answer.ok('testWebhookEndpoint');
  const { timeout } = t.spelling.test_webhook_endpoint_response_error;
  // On a busy machine an answer may reach the target late.
  const isLate = (await received(t, hook)).slice(-1).some(leftLate) || (isSuccess(one) && answer.tookMs >= TIMEOUT_MS);
  if (one.outcome !== 'timeout' && said.error === timeout && isLate) {
    t.untested('not_exercised', `${one.what}: the answer may have come after ten seconds`);
  }
  const wanted = saidOf(t, one);
  const isRight = wanted === undefined ? said.status_code === 0 && said.error !== '' : isDeepStrictEqual(said, wanted);
  t.check(isRight, `_test of ${one.what} says ${JSON.stringify(said)}`, answer);
  const shown = [answer.text, ...answer.exchange.headers.flat()].join('\n');
  t.check(!shown.includes(RECEIVER_TEXT), `_test of ${one.what} repeats what the receiver said`, answer);
  if (one.outcome === 'timeout') t.check(answer.tookMs > 9_000, `${one.what}: it waited ${answer.tookMs} ms`, answer);
}

/** Every answer of a kind, by `_test`: each comes as one test event, and a redirect leads nowhere. */
async function judgeTests(t: TestContext, { answers, isSlow }: AnswerKind): Promise<void> {
  const own = isSlow ? answers.map(() => ({})) : [{}];
  await withHooks(t, [{ types: ['person.changed'] }, ...own], async (elsewhere, ...hooks) => {
    const each = answers.map((one, n) => () => judgeTest(t, hooks[n % hooks.length] as Hook, one, elsewhere.url));
    if (isSlow) await Promise.all(each.map((judge) => judge()));
    else for (const judge of each) await judge();
    const routes = hooks.map((hook) => received(t, hook));
    const tests = (await Promise.all(routes)).flat().filter(ofType('webhook_endpoint.test'));
    t.equal(new Set(tests.map((one) => envelopeOf(one).id)).size, answers.length, 'how many test events came');
    await mustBeUnvisited(t, elsewhere);
  });
}

/** Changes of persons by other rules arrive there too. */
async function mustBeUnvisited(t: TestContext, elsewhere: Hook): Promise<void> {
  const visits = (await received(t, elsewhere)).filter((one) => envelopeOf(one).type !== 'person.changed');
  t.equal(visits.length, 0, 'how often the place of a redirect was visited');
}

for (const kind of answerKinds) {
  const { id, text } = kind;
  rule({
    id,
    family: 'answers of receivers',
    text,
    place: 'webhooks, testWebhookEndpoint',
    decisions: ['D-25', 'D-27'],
    check: async (t) => {
      const [played] = await Promise.all([outcomes(t), judgeTests(t, kind)]);
      judgeEvents(t, played, id);
      await mustBeUnvisited(t, played.elsewhere);
    },
  });
}

rule({
  id: 'DLV-16',
  text: 'A receiver that hangs does not hold up the others.',
  check: async (t) => {
    const { besideCount, events } = await outcomes(t);
    // So many events, each after ten seconds of the one that hangs, would take longer than a first attempt may.
    t.equal(besideCount, events.length, 'how many events came in time to the endpoint beside the one that hangs');
  },
});

/** The pairs of first and second attempt, with the endpoint that received them. */
async function pairs(t: TestContext): Promise<[Delivery, Delivery, Hook][]> {
  const { events } = await outcomes(t);
  const twice = events.filter(({ deliveries }) => deliveries.length > 1);
  t.check(twice.length > 0, 'nothing was delivered twice');
  return twice.map(({ deliveries, hook }) => [deliveries[0] as Delivery, deliveries[1] as Delivery, hook]);
}

rule({
  id: 'SIG-4',
  text: 'A repeated attempt is signed anew: with a later t, and verifiably.',
  place: 'Service-Signature',
  check: async (t) => {
    for (const [first, second, hook] of await pairs(t)) {
      const complaints = [first, second].map((one) => signatureComplaint(one, hook.secret));
      t.equal(complaints, ['', ''], 'both signatures');
      t.equal(ageComplaint(second), '', 'the age of the second signature');
      const between = timeOf(second) - timeOf(first);
      t.check(between >= (t.values.webhook_retry_waits_s[0] ?? 0) - 1, `the second t is ${between} s after the first`);
    }
  },
});

rule({
  id: 'EVT-3',
  text: 'An event has an id of its own, which every repeat of its delivery keeps.',
  check: async (t) => {
    const { events } = await outcomes(t);
    for (const [first, second] of await pairs(t)) {
      t.equal(envelopeOf(second).id, envelopeOf(first).id, 'the id of the second attempt');
      t.equal(bytesOf(second).toString(), bytesOf(first).toString(), 'the body of the second attempt');
    }
    const firsts = events.flatMap(({ deliveries }) => deliveries.slice(0, 1));
    t.equal(new Set(firsts.map((one) => envelopeOf(one).id)).size, firsts.length, 'how many ids the events have');
    const signatures = firsts.map((one) => headerOf(one, 'Service-Signature'));
    t.equal(new Set(signatures).size, firsts.length, 'how many signatures the events have');
  },
});

const TRACE = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

rule({
  id: 'EVT-40',
  text: 'Each attempt of an event continues the trace of the request that caused it, with a parent of its own; a trace that is not valid is ignored, and tracestate is not passed on.',
  place: 'Traceparent',
  check: async (t) => {
    const { events } = await outcomes(t);
    const parents: string[] = [];
    for (const { what, traceparent, deliveries } of events) {
      const [, , span] = TRACE.exec(traceparent) ?? [];
      const isValid = !INVALID.includes(traceparent);
      for (const one of deliveries) {
        const [, sent, parent = ''] = TRACE.exec(headerOf(one, 'traceparent') ?? '') ?? [];
        t.equal(sent === traceparent.split('-')[1], isValid, `whether the event answered with ${what} is in its trace`);
        if (isValid) t.check(parent !== span, 'the parent of an attempt is the span of the request');
        if (parent !== '') parents.push(parent);
        t.check(!JSON.stringify(one.headers).includes(TRACE_STATE), 'tracestate is passed on');
      }
    }
    t.equal(new Set(parents).size, parents.length, 'how many parents the attempts have');
  },
});

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
  because: 'The receiver refuses the connections of all.',
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
  because: 'The receiver refuses the connections of all.',
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

rule({
  id: 'SIG-8',
  text: 'To replace a secret, a second endpoint at the same URL gets each event signed with its own secret, beside the first until that is deleted.',
  place: 'Service-Signature',
  decisions: ['D-24'],
  check: async (t) => {
    const route = newRoute(t);
    await withHooks(t, [{ route }, { route }, {}], async (old, fresh, other) => {
      const signers = async (id: string, count: number) => {
        const found = await arrived(t, old, { containing: id, count });
        return [old, fresh].map(({ secret }) => found.some((one) => signatureComplaint(one, secret) === ''));
      };
      t.equal(
        await signers(await rejected(t), 2),
        [true, true],
        'whether old and new secret sign while both are there',
      );
      (await deleteHook(t, old)).ok('deleteWebhookEndpoint');
      const id = await rejected(t);
      t.equal(await signers(id, 1), [false, true], 'whether old and new secret sign after the deletion');
      await arrived(t, other, { containing: await rejected(t) });
      t.equal((await received(t, old, id)).length, 1, 'how often the event came after the deletion');
    });
  },
});
