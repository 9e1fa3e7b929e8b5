/** Sends requests by a schedule with the load key, and states what they show about the limit. */

import { setTimeout as sleep } from 'node:timers/promises';
import { rateLimit } from '../../../generated/contract.ts';
import { oncePerRun } from '../../engine/per-run.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';
import type { Api, Call } from '../../http/api.ts';
import { sharpnessText } from '../../judge/limit-facts.ts';
import {
  burstAt,
  fullProbe,
  judgeLimiter,
  lightProbe,
  type Observation,
  partOf,
  type Schedule,
  type Sharpness,
  SILENCE_MS,
  scheduleOf,
  sharpnessOf,
  type Verdict,
} from '../../judge/oracle.ts';

/**
 * With a coarser resolution than this, in tokens, the requests of a burst or a probe show nothing about the bucket.
 */
const COARSEST = 10;

let lastUsedMs = Number.NEGATIVE_INFINITY;

/** Waits until the load key was idle for this long; by default until its bucket must be full. */
export async function silence(ms = SILENCE_MS): Promise<void> {
  const waitMs = lastUsedMs + ms - performance.now();
  // At the first use the suite does not know what an earlier run left behind.
  await sleep(Number.isFinite(waitMs) ? Math.max(0, waitMs) : ms);
}

export const verifyCall: Call = { path: '/api_key/_verify' };

export interface Shot {
  answer: Answer;
  observation: Observation;
}

/** The load key, without pacing. */
export function loadKey(t: TestContext, baseUrl?: string): Api {
  t.mayBeRefused = true;
  return t.as('load', { unpaced: true, baseUrl });
}

/**
 * Sends one request per instant of the schedule, whatever happened to earlier ones. They are judged when all are
 * answered. What is answered 503 says nothing about the limit: then all are sent again to a full bucket, once.
 */
export async function shoot(
  keys: readonly Api[],
  schedule: Schedule,
  calls: readonly Call[] = [verifyCall],
  silenceMs = SILENCE_MS,
): Promise<Shot[]> {
  for (let tries = 1; ; tries++) {
    const shots = await shootOnce(keys, schedule, calls);
    const away = shots.filter(({ answer }) => answer.isUnavailable);
    const [first] = away;
    if (first === undefined) return shots;
    const { context } = first.answer;
    context.excuseUnavailable();
    const said = `${away.length} of ${shots.length} requests were answered 503 UNAVAILABLE`;
    if (tries === 2) context.untested('not_exercised', `${said}, twice`);
    context.notes.push(`${said}, so all were sent again`);
    await silence(silenceMs);
  }
}

async function shootOnce(keys: readonly Api[], schedule: Schedule, calls: readonly Call[]): Promise<Shot[]> {
  let open = schedule.length;
  const { promise: allAnswered, resolve } = Promise.withResolvers<void>();
  const onAnswer = () => {
    open--;
    if (open === 0) resolve();
    return allAnswered;
  };
  const begin = performance.now();
  const shots = schedule.map(async (at, n): Promise<Shot> => {
    const waitMs = begin + at - performance.now();
    if (at > 0 && waitMs > 0) await sleep(waitMs);
    const call = calls[n % calls.length] ?? verifyCall;
    const answer = await (keys[n % keys.length] as Api).send({ ...call, onAnswer });
    const { sentAtMs: s, receivedAtMs: q } = answer.exchange;
    return { answer, observation: { s, q, admitted: answer.status !== 429 } };
  });
  const done = await Promise.all(shots);
  lastUsedMs = performance.now();
  return done;
}

export const atOnce = (count: number): Schedule => burstAt(0, count);

export const observed = (shots: readonly Shot[]): Observation[] => shots.map(({ observation }) => observation);

export const countAdmitted = (observations: readonly Observation[]): number =>
  observations.filter((one) => one.admitted).length;

export const isFull = (t: TestContext): boolean => t.profile.limit_probe === 'full';

/** Observations, the oracle's verdict on them, and how finely it could judge. */
interface Sight extends Verdict {
  observations: readonly Observation[];
  sharpness: Sharpness;
}

const sightOf = (observations: readonly Observation[]): Sight => ({
  ...judgeLimiter(observations, rateLimit),
  observations,
  sharpness: sharpnessOf(observations, rateLimit),
});

/** Judges observations, and states in the rule's outcome and in the results how finely they distinguish limiters. */
export function stated(t: TestContext, what: string, observations: readonly Observation[], is_probe = false): Sight {
  const sight = sightOf(observations);
  t.run.limits.push({ is_probe, requests: observations.length, sharpness: sight.sharpness });
  note(t, what, sight);
  return sight;
}

function note(t: TestContext, what: string, { observations, sharpness }: Sight): void {
  t.notes.push(
    `${what}: ${countAdmitted(observations)} of ${observations.length} admitted (${sharpnessText(sharpness)})`,
  );
}

function failWith(t: TestContext, { observations, lax, strict, sharpness }: Sight, what: string, hint = ''): void {
  const sharp = sharpnessText(sharpness);
  const [count, of] = [countAdmitted(observations), observations.length];
  t.check(
    lax.length === 0,
    `${what}: ${count} of ${of} were admitted, ${lax.length} of them although no token can have been there${hint} (${sharp})`,
    undefined,
    { what: 'more requests are admitted than the limit allows' },
  );
  t.check(
    strict.length === 0,
    `${what}: ${of - count} of ${of} were refused, ${strict.length} of them although a token must have been there (${sharp})`,
  );
}

/** Fails with the oracle's first complaint. The rule is untested if the resolution is too coarse for any. */
export function noAlarm(t: TestContext, sight: Sight, what: string): void {
  failWith(t, sight, what);
  if (sight.sharpness.tokens <= COARSEST) return;
  t.untested(
    'not_exercised',
    `${what}: the answers take too long to show anything (${sharpnessText(sight.sharpness)})`,
  );
}

/**
 * For observations without a refusal where refusals were expected. The rule fails if a refusal was certain. It is
 * untested if the answers took so long that the bucket could be refilled meanwhile. @param shots all since the bucket
 * was full
 */
export function unrefused(t: TestContext, what: string, shots: readonly Shot[]): never {
  failWith(t, sightOf(observed(shots)), what);
  t.untested('not_exercised', `${what}: nothing was refused`);
}

/**
 * Sends requests at once to a full bucket. If answers are slow, it takes more of them to exceed the refill.
 * @returns those that were refused
 */
export async function refusedAtOnce(t: TestContext, key: Api): Promise<[Shot, ...Shot[]]> {
  for (let count = 1.5 * rateLimit.burst; ; count *= 2) {
    await silence();
    const shots = await shoot([key], atOnce(count));
    const [first, ...others] = shots.filter(({ observation }) => !observation.admitted);
    if (first !== undefined) return [first, ...others];
    if (count >= 6 * rateLimit.burst) unrefused(t, `${count} at once`, shots);
  }
}

interface Shooting {
  keys?: readonly Api[];
  calls?: readonly Call[];
  /** The coarsest resolution, in tokens, at which the fault in question would still be visible. */
  coarsest?: number;
  silenceMs?: number;
  /** Adds an explanation if the observations show too many admissions. */
  hint?: (shots: readonly Shot[]) => string;
}

/**
 * Sends requests at a full bucket and fails with the first complaint.
 * @returns whether a wrong limiter would have been noticed; false if the answers took too long for that
 */
export async function tried(
  t: TestContext,
  what: string,
  schedule: Schedule,
  shooting: Shooting = {},
): Promise<boolean> {
  const { keys = [loadKey(t)], calls, coarsest = COARSEST, silenceMs = SILENCE_MS, hint } = shooting;
  await silence(silenceMs);
  const shots = await shoot(keys, schedule, calls);
  const sight = stated(t, what, observed(shots));
  failWith(t, sight, what, sight.lax.length > 0 ? hint?.(shots) : '');
  return sight.sharpness.tokens <= coarsest;
}

/** Like `tried`, repeated once if the answers took too long. If they do so again, the rule is untested. */
export async function judged(t: TestContext, what: string, schedule: Schedule, shooting: Shooting = {}): Promise<void> {
  for (let attempt = 1; attempt <= 2; attempt++) if (await tried(t, what, schedule, shooting)) return;
  t.untested('not_exercised', `${what}: the answers take too long to show anything (${t.notes.at(-1)})`);
}

type PartName = keyof typeof lightProbe | keyof typeof fullProbe;

interface ProbedLimit {
  /**
   * The whole probe, or some of its parts. The probe is judged as a whole, since each part begins where another ended.
   */
  sight: (t: TestContext, what: string, ...parts: PartName[]) => Sight;
  p95Ms: number;
  baselineMs: number;
}

/** The probe that the profile asks for, made once for all rules that read it. */
export const probed = oncePerRun(async (t): Promise<ProbedLimit> => {
  const probe: Readonly<Record<string, Schedule>> = isFull(t) ? fullProbe : lightProbe;
  await silence();
  const key = loadKey(t);
  const warm = observed(await shoot([key], [0, 200, 400, 600, 800]));
  await silence();
  const all = observed(await shoot([key], scheduleOf(probe)));
  const whole = stated(t, 'the probe', all, true);
  t.notes.pop();
  const sight = (reader: TestContext, what: string, ...parts: PartName[]): Sight => {
    const observations = parts.length === 0 ? all : parts.flatMap((part) => partOf(probe, part, all));
    const inside = (one: Observation) => observations.includes(one);
    const seen = { ...whole, observations, lax: whole.lax.filter(inside), strict: whole.strict.filter(inside) };
    note(reader, what, seen);
    return seen;
  };
  return { sight, p95Ms: whole.p95Ms, baselineMs: Math.max(...warm.map(({ s, q }) => q - s)) };
});
