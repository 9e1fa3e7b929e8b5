import { bytesOf, type Delivery } from '../callbacks/delivery.ts';
import { arrived, deleteHook, envelopeOf, type Hook, makeHook, react, received, testHook } from '../callbacks/hooks.ts';
import { parseSignature } from '../callbacks/signature.ts';
import { sharedScenario } from '../engine/per-run.ts';
import type { TestContext } from '../engine/test-context.ts';
import { headerOf } from '../http/exchange.ts';
import { rulesWith } from './rule.ts';
import { series } from './shared/calls.ts';
import { done } from './shared/document-calls.ts';
import { many, reject, routedDraft, spanComplaint, waiting } from './shared/event-calls.ts';

const rule = rulesWith({
  place: 'webhooks',
  decisions: ['D-27'],
  runs: 'alone',
  because: 'It counts how often each event of the tenant is tried, for days.',
});

const ATTEMPTS = 8;
const NOT_YET = 19;
const DAY_S = 86_400;
/** Real time, in seconds, that a step of the scenario may take without making an attempt due; a longer one tells nothing. */
const SLACK_S = 20;
const POLL_MS = 100;

const types = ['document.sent', 'document.approval_started', 'document.signing_started', 'document.completed'] as const;

type Advance = (ms: number) => Promise<void>;

/** More than a day of failures, as the receiver saw them. */
interface Scenario {
  /** Attempts to deliver the first nineteen events, by event. */
  attempts: Delivery[][];
  /** Attempts that arrived before they were due. */
  early: string[];
  /** Events whose waits were longer than declared because of the suite. */
  late: string[];
  /** How often each event was delivered to the receiver that fails twice and then accepts. */
  third: number[];
  /**
   * Codes that `_test` answered; '' if the endpoint was active. The fields below are set only if it was active here.
   */
  afterNineteen: string;
  afterTwenty?: string;
  afterReset?: string;
  afterOnce?: string;
  afterThird?: string;
  toDisabled?: number;
  toOthers?: number;
  toDeleted: [before: number, after: number];
}

/** The deliveries of a hook by event, in the order of first arrival. */
async function byEvent(t: TestContext, hook: Hook): Promise<Delivery[][]> {
  const all = (await received(t, hook)).filter((one) => envelopeOf(one).type !== 'webhook_endpoint.test');
  return [...Map.groupBy(all, (one) => envelopeOf(one).id).values()];
}

/**
 * Waits until the hook has received this many events, each at least `times` times.
 * @param again makes few events that are left due once more: if the clock moved before a busy target had noted the answer
 * to an attempt, it counts the wait from the new time
 * @returns the events that had to be made due again
 */
async function tried(
  t: TestContext,
  hook: Hook,
  events: number,
  times: number,
  again?: () => Promise<void>,
): Promise<string[]> {
  const began = performance.now();
  const longestMs = 2 * t.values.webhook_first_attempt_s * 1000;
  let late: string[] = [];
  for (;;) {
    const tookMs = performance.now() - began;
    const known = await byEvent(t, hook);
    const missing = known.filter((attempts) => attempts.length < times);
    const enough = known.length - missing.length;
    if (enough >= events) return late;
    if (tookMs > longestMs) t.fail(`only ${enough} of ${events} events were sent for the ${times}. time`);
    const areFew = events - enough <= events / 8;
    if (again && late.length === 0 && areFew && tookMs > longestMs / 3) {
      late = missing.flatMap(([first]) => (first ? [envelopeOf(first).id] : []));
      await again();
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Sends, approves and signs until this many events were caused. @returns the last document; if `events` is 3 modulo 4,
 * its signature is still due
 */
async function cause(t: TestContext, drafts: string[], events: number): Promise<string> {
  const full = many(t);
  let last = '';
  let left = events;
  const whole = drafts.splice(0, Math.ceil(events / 4));
  for (const id of whole) {
    await done(full, id, '_send');
    await done(full, id, '_approve');
    left -= 3;
    last = id;
    if (left === 0) return id;
    await done(full, id, '_sign');
    left -= 1;
  }
  return last;
}

/** What the scenario plays with. */
interface Stage {
  drafts: string[];
  /** Refuses everything, until it is disabled. */
  failing: Hook;
  /** Refuses everything but the twentieth event. */
  resetting: Hook;
  /** Fails twice and then accepts. */
  third: Hook;
  /** Refuses one event, accepts what comes later, and then refuses everything. */
  once: Hook;
  /** The document of the event that `once` refuses. */
  refused: string;
  /** Is deleted while its deliveries wait. */
  doomed: Hook;
  marked: Hook;
  /** Waits for an event that is later than everything done before. */
  mark: () => Promise<void>;
}

async function setUp(t: TestContext): Promise<Stage> {
  const drafts = await Promise.all(series(10, () => routedDraft(t)));
  const marked = await makeHook(t, { types: ['document.rejected', 'document.sent', 'document.signing_started'] });
  const markers = await Promise.all(series(11, () => waiting(t)));
  // A target may distribute events a moment late, and then also to endpoints created meanwhile. So wait until all these
  // events have been distributed, so that none of them counts.
  for (const containing of markers) {
    for (const type of ['document.sent', 'document.signing_started']) await arrived(t, marked, { containing, type });
  }
  const failing = await makeHook(t, { types, reactions: [{ answer: 500 }] });
  const resetting = await makeHook(t, { types, reactions: [{ answer: 503 }] });
  const third = await makeHook(t, { types, reactions: [{ answer: 500 }, { answer: 404 }, { answer: 200 }] });
  const once = await makeHook(t, { types: [...types, 'document.rejected'], reactions: [{ answer: 200 }] });
  const refused = t.present(markers.pop(), 'there is no marker');
  react(t, once, [{ answer: 500 }], refused);
  const doomed = await makeHook(t, { types, reactions: [{ answer: 500 }] });
  const mark = async () => {
    const id = t.present(markers.pop(), 'the markers are used up');
    await reject(t, id);
    await arrived(t, marked, { containing: id, type: 'document.rejected' });
  };
  return { drafts, failing, resetting, third, once, refused, doomed, marked, mark };
}

/** Lets a wait pass, however long jitter makes it. */
const passed = ({ values }: TestContext, advance: Advance, wait: number): Promise<void> =>
  advance((wait * (1 + values.webhook_retry_jitter) + SLACK_S) * 1000);

/**
 * Lets all waits pass. After each of them the hook must have received all these events once more.
 * @param mark for a hook that is watched: waits until everything before has arrived
 * @returns what a watched hook received before it was due, and the events that had to be made due again
 */
async function exhaust(
  t: TestContext,
  advance: Advance,
  hook: Hook,
  events: number,
  mark?: Stage['mark'],
): Promise<Pick<Scenario, 'early' | 'late'>> {
  const { webhook_retry_waits_s: waits, webhook_retry_jitter: jitter } = t.values;
  const early: string[] = [];
  const late: string[] = [];
  let isUnmoved = true;
  let since = performance.now();
  await tried(t, hook, events, 1);
  for (const [i, wait] of waits.entries()) {
    const watched = mark !== undefined && wait > 2 * SLACK_S && isUnmoved;
    if (watched) {
      const [before] = await counts(t, hook);
      await advance((wait - SLACK_S) * 1000);
      await mark();
      const [after, most] = await counts(t, hook);
      const isEarly = after !== before && performance.now() - since < SLACK_S * 1000;
      if (isEarly) early.push(`attempt ${most} came less than ${wait} s after the one before`);
    }
    since = performance.now();
    await advance(((watched ? SLACK_S : wait) + wait * jitter + SLACK_S) * 1000);
    const again = () => passed(t, advance, wait);
    const found = i < waits.length - 1 || mark ? await tried(t, hook, events, i + 2, again) : [];
    isUnmoved = found.length === 0;
    late.push(...found);
  }
  return { early, late };
}

/** The code that `_test` of the hook answers; '' if the hook is active. */
async function codeOf(t: TestContext, hook: Hook): Promise<string> {
  const answer = await testHook(t, hook);
  return answer.status === 200 ? '' : (answer.code ?? String(answer.status));
}

/** In seconds, longer than the wait before a ninth attempt would be, if there were one. */
function beyondAll(waits: readonly number[], jitter: number): number {
  const [previous = 0, last = 0] = waits.slice(-2);
  return (last ** 2 / previous) * (1 + jitter) + DAY_S;
}

/**
 * Lets all waits pass for two hooks that refuse everything. Both are waited for: one that is not may miss a step of the
 * clock, but where it was disabled, it is waited for once.
 * @returns the code of `_test` if the first was disabled too early, else ''
 */
async function exhaustBoth(t: TestContext, advance: Advance, first: Hook, second: Hook): Promise<string> {
  let isSecondTried = true;
  for (const [i, wait] of t.values.webhook_retry_waits_s.entries()) {
    const makeDue = () => passed(t, advance, wait);
    await makeDue();
    try {
      await tried(t, first, 2 * NOT_YET, i + 2, makeDue);
    } catch (error) {
      const code = await codeOf(t, first);
      if (code !== '') return code;
      throw error;
    }
    if (!isSecondTried) continue;
    isSecondTried = await tried(t, second, NOT_YET + 1, i + 2, makeDue).then(
      () => true,
      () => false,
    );
  }
  return '';
}

async function play(t: TestContext): Promise<Scenario> {
  const { webhook_retry_waits_s: waits, webhook_retry_jitter: jitter } = t.values;
  const { drafts, failing, resetting, third, once, refused, doomed, marked, mark } = await setUp(t);
  const scenario: Partial<Scenario> = {};
  try {
    await t.withClock(async (advance) => {
      await reject(t, refused);
      const due = await cause(t, drafts, NOT_YET);
      await tried(t, doomed, NOT_YET, 1);
      (await deleteHook(t, doomed)).ok('deleteWebhookEndpoint');
      const [toDoomed] = await counts(t, doomed);
      Object.assign(scenario, await exhaust(t, advance, failing, NOT_YET, mark));
      await advance(beyondAll(waits, jitter) * 1000);
      await mark();
      scenario.attempts = await byEvent(t, failing);
      scenario.toDeleted = [toDoomed, (await counts(t, doomed))[0]];
      await tried(t, resetting, NOT_YET, ATTEMPTS);
      // A test never counts: its success does not begin the count anew.
      react(t, failing, [{ answer: 200 }], failing.id);
      scenario.afterNineteen = await codeOf(t, failing);
      scenario.third = await timesTried(t, third);
      // An endpoint that was disabled too early receives nothing of what follows.
      if (scenario.afterNineteen !== '') return;

      react(t, resetting, [{ answer: 200 }]);
      await done(many(t), due, '_sign');
      await tried(t, resetting, NOT_YET + 1, 1);
      await exhaust(t, advance, failing, NOT_YET + 1);
      await tried(t, failing, NOT_YET + 1, ATTEMPTS);
      await mark();
      scenario.afterTwenty = await codeOf(t, failing);

      for (const hook of [resetting, once]) react(t, hook, [{ answer: 503 }]);
      const again = await cause(t, drafts, NOT_YET);
      // The event that was accepted is not delivered again.
      await tried(t, resetting, 2 * NOT_YET + 1, 1);
      scenario.afterReset = await exhaustBoth(t, advance, resetting, once);
      if (scenario.afterReset !== '') return;
      await mark();
      scenario.afterReset = await codeOf(t, resetting);
      scenario.afterOnce = await codeOf(t, once);
      scenario.third = await timesTried(t, third);

      const [before] = await counts(t, failing);
      await done(many(t), again, '_sign');
      await tried(t, third, 2 * NOT_YET + 2, 1);
      await mark();
      scenario.afterThird = await codeOf(t, third);
      scenario.toOthers = (await received(t, third, again)).length;
      scenario.toDisabled = (await counts(t, failing))[0] - before;
    });
  } finally {
    for (const hook of [failing, resetting, third, once, doomed, marked]) await deleteHook(t, hook).catch(() => {});
  }
  return scenario as Scenario;
}

/** How often the hook was tried with each event. */
const timesTried = async (t: TestContext, hook: Hook): Promise<number[]> =>
  (await byEvent(t, hook)).map((attempts) => attempts.length);

/** The number of attempts at all events of a hook together, and the largest number at one event. */
async function counts(t: TestContext, hook: Hook): Promise<[all: number, most: number]> {
  const lengths = await timesTried(t, hook);
  return [lengths.reduce((sum, length) => sum + length, 0), Math.max(0, ...lengths)];
}

const scenario = sharedScenario(play);

/** When the attempts were signed, in seconds since 1970. */
const timesOf = (attempts: readonly Delivery[]): number[] =>
  attempts.map((one) => parseSignature(headerOf(one, 'Service-Signature'))?.t ?? 0);

/** What is wrong with the times of the attempts at one event; '' if nothing is. @param isOnTime whether no clock moved further for late ones */
function scheduleComplaint(times: readonly number[], waits: readonly number[], isOnTime: boolean): string {
  for (const [i, wait] of waits.entries()) {
    const gap = (times[i + 1] ?? Number.POSITIVE_INFINITY) - (times[i] ?? 0);
    if (gap < wait - 1) return `wait ${i + 1} took ${gap} s, at least ${wait - 1} are declared`;
  }
  if (!isOnTime) return '';
  return spanComplaint(times);
}

rule({
  id: 'DLV-6',
  text: 'A delivery has at most eight attempts with one body, over about a day (18 to 30 hours); the waits between them grow and are as the target declares.',
  check: async (t) => {
    const { attempts, early, late } = await scenario(t);
    const { webhook_retry_waits_s: waits } = t.values;
    const lengths = attempts.map((one) => one.length);
    const wanted = series(NOT_YET, () => ATTEMPTS);
    t.equal(lengths, wanted, 'how often each event was tried, also long after the last wait');
    t.equal(early, [], 'what came early');
    for (const [i, wait] of waits.slice(1).entries()) {
      t.check(wait > 1.2 * (waits[i] ?? 0), `a wait of ${wait} s is declared after one of ${waits[i]} s`);
    }
    for (const one of attempts) {
      t.equal(new Set(one.map((attempt) => bytesOf(attempt).toString())).size, 1, 'how many bodies one event had');
      // Each wait is at least and, as every attempt came when it was due, about as long as declared.
      const complaint = scheduleComplaint(timesOf(one), waits, late.length === 0);
      t.check(complaint === '' || one.some((attempt) => late.includes(envelopeOf(attempt).id)), complaint);
    }
  },
});

rule({
  id: 'DLV-10',
  text: 'A successful attempt is the last of its delivery, whichever attempt it is.',
  check: async (t) => {
    const { third } = await scenario(t);
    t.equal([...new Set(third)], [3], 'how often an event was tried that was accepted at the third attempt');
  },
});

rule({
  id: 'DLV-11',
  text: 'The twentieth delivery in a row that failed for good disables the endpoint, whatever its tests say; a success begins the count anew, and a late success is one.',
  decisions: ['D-25', 'D-27'],
  check: async (t) => {
    const { afterNineteen, afterTwenty, afterReset, afterOnce, third, afterThird } = await scenario(t);
    t.equal(afterNineteen, '', '_test after nineteen deliveries failed for good');
    t.equal(afterTwenty, 'WEBHOOK_ENDPOINT.DISABLED', '_test after twenty, and a test that succeeded between them');
    t.equal(afterReset, '', '_test after nineteen failures, a success, and nineteen failures');
    t.equal(afterOnce, '', '_test after one failure, successes, and nineteen failures');
    t.check(third.length > 20, `only ${third.length} deliveries failed before they succeeded`);
    t.equal(afterThird, '', '_test after more than twenty deliveries that succeeded at the third attempt');
  },
});

rule({
  id: 'DLV-14',
  text: 'A disabled endpoint gets nothing more and a deleted one not even what waits for it; the others of the tenant do.',
  decisions: ['D-24', 'D-27'],
  check: async (t) => {
    const { toDisabled, toOthers, toDeleted } = await scenario(t);
    t.check(toDeleted[0] > 0, 'nothing was tried before the deletion');
    t.equal(toDeleted[1], toDeleted[0], 'how often the deleted endpoint was tried in all');
    t.equal(toDisabled, 0, 'deliveries to the disabled endpoint');
    t.check((toOthers ?? 0) > 0, 'the other endpoints got nothing either');
  },
});
