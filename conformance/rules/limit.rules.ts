import { setTimeout as sleep } from 'node:timers/promises';
import { operations, rateLimit } from '../../generated/contract.ts';
import type { Answer } from '../http/answer.ts';
import type { Api, Call } from '../http/api.ts';
import { evenly, judgeLimiter, phaseProbe, refillProbe, scheduleOf } from '../judge/oracle.ts';
import { rulesWith } from './rule.ts';
import { callOf, series, UNKNOWN_ID } from './shared/calls.ts';
import { cast, found, sent, signing, templateBody, unchanged } from './shared/document-calls.ts';
import { altered, withKey } from './shared/keys.ts';
import {
  atOnce,
  countAdmitted,
  isFull,
  judged,
  loadKey,
  noAlarm,
  observed,
  probed,
  refusedAtOnce,
  type Shot,
  shoot,
  silence,
  stated,
  tried,
  unrefused,
  verifyCall,
} from './shared/limit-probe.ts';

const rule = rulesWith({ place: 'rate limit', decisions: ['D-7'] });

const { perSecond, burst } = rateLimit;

const DRAINED = `a drained key at ${2 * perSecond} a second`;

rule({
  id: 'LIM-3',
  text: `${perSecond} requests a second, evenly, are never refused: for 9 s with the light probe, 60 s with the full one.`,
  decisions: [],
  check: async (t) => {
    const seconds = isFull(t) ? 60 : 9;
    // What is left over is for requests that a busy machine sends in bunches.
    const atFirst = (isFull(t) ? 0.75 : 0.85) * burst;
    const what = `${atFirst} at once, and ${perSecond} a second for ${seconds} s`;
    for (let attempt = 1; ; attempt++) {
      await silence();
      const shots = await shoot([loadKey(t)], [...atOnce(atFirst), ...evenly(100, perSecond, seconds * perSecond)]);
      const sight = stated(t, what, observed(shots));
      noAlarm(t, { ...sight, lax: [] }, what);
      if (sight.admitted === shots.length) return;
      if (attempt === 2) t.untested('not_exercised', `${what}: they did not leave evenly enough to show anything`);
    }
  },
});

rule({
  id: 'LIM-5',
  text: `The bucket refills evenly, not in steps: after 0.5, 1 and 1.5 s it holds what has come back, and after any silence, here 4.5 s, no more than ${burst}.`,
  check: async (t) => {
    const { sight } = await probed(t);
    const silent = 'a burst after a long silence';
    if (isFull(t)) {
      const what = 'bursts after 0.5, 1 and 1.5 s of refill';
      noAlarm(t, sight(t, what, 'refill'), what);
      return noAlarm(t, sight(t, silent, 'idle'), silent);
    }
    noAlarm(t, sight(t, 'a burst after 1 s of refill', 'pause'), 'a burst after 1 s of refill');
    await judged(t, 'bursts after 0.5 and 1.5 s of refill', scheduleOf(refillProbe));
    await judged(t, silent, atOnce(1.5 * burst), { silenceMs: 4_500 });
  },
});

rule({
  id: 'LIM-8',
  text: `No single decision is too lax or too strict for a bucket of ${burst} refilled at ${perSecond} a second, whatever the network did: of a burst ${burst} are admitted, of a drained key ${perSecond} a second, and a refused request costs nothing.`,
  check: async (t) => {
    const { sight } = await probed(t);
    noAlarm(t, sight(t, 'a burst at once', 'burst'), 'a burst at once');
    noAlarm(t, sight(t, DRAINED, 'drained'), DRAINED);
    const what = isFull(t) ? `a hail of ${4 * perSecond} a second` : `${DRAINED}, and a second later`;
    const after = sight(t, what, ...(isFull(t) ? (['hammer'] as const) : (['drained', 'pause'] as const)));
    // If refused requests cost tokens, later requests are refused as well.
    noAlarm(t, { ...after, lax: [] }, what);
    noAlarm(t, sight(t, 'the whole probe'), 'the whole probe');
    if (countAdmitted(after.observations) === after.observations.length) {
      t.untested('not_exercised', `${what}: nothing was refused`);
    }
  },
});

rule({
  id: 'LIM-10',
  text: 'Every request counts: reads, errors, unknown paths, POST and verifyApiKey alike; ten kinds at once, with the full probe each alone too.',
  check: async (t) => {
    const calls: Call[] = [
      { path: '/api_key/_verify' },
      { path: '/nothing' },
      { path: '/employees', query: 'limit=0' },
      { path: `/employees/${UNKNOWN_ID}` },
      { method: 'PATCH', path: '/employees' },
      { method: 'POST', path: '/documents', raw: '{' },
      { method: 'POST', path: '/files', raw: 'x', contentType: 'text/plain' },
      { ...callOf(operations.ingestRecords), headers: {} },
      { method: 'OPTIONS', path: '/employees' },
      { path: '/login_methods' },
    ];
    const named = ({ method, path }: Call) => `${method ?? 'GET'} ${path}`;
    const everyOneOf = (shots: readonly Shot[]) => {
      const free = calls.filter((_call, at) =>
        shots.every(({ observation }, n) => n % calls.length !== at || observation.admitted),
      );
      return free.length === 0 || free.length === calls.length ? '' : `; every ${free.map(named).join(' and ')} was`;
    };
    // Six of each kind: a kind that costs nothing shows as six too many admissions.
    const mixed = { calls, coarsest: 6, hint: everyOneOf };
    const isSharp = await tried(t, `${3 * burst} requests of ten kinds at once`, atOnce(3 * burst), mixed);
    if (isSharp && !isFull(t)) return;
    // If answers are slow, one kind alone is clearer: it shows as a whole bucket too many.
    for (const call of calls) {
      await judged(t, `${2 * burst} at once of ${named(call)}`, atOnce(2 * burst), {
        calls: [call],
        coarsest: burst - 1,
      });
    }
  },
});

/** How much longer requests of one key may take than others. */
const LATER_MS = 250;

/** If requests over many keys take longer, those of one key show nothing. */
const SLOWEST_CONTROL_MS = 1_000;

rule({
  id: 'LIM-11',
  text: 'Requests are refused, not held back.',
  check: async (t) => {
    const probe = await probed(t);
    let { p95Ms } = probe;
    let boundMs = probe.baselineMs + LATER_MS;
    let controlMs = 0;
    const take = async (key: Api) => judgeLimiter(observed(await shoot([key], atOnce(burst))), rateLimit).p95Ms;
    // A busy machine answers a burst over many keys as slowly. A queue delays the last of a burst by two seconds each time.
    for (let again = 0; again < 2 && p95Ms > boundMs; again++) {
      await silence();
      controlMs = await take(t.asAny('full'));
      p95Ms = await take(loadKey(t));
      boundMs = Math.max(probe.baselineMs, controlMs) + LATER_MS;
    }
    const took = `95 % of admitted requests took up to ${p95Ms.toFixed(0)} ms`;
    t.notes.push(`${took}, ${boundMs.toFixed(0)} ms are allowed`);
    if (controlMs > SLOWEST_CONTROL_MS)
      t.untested('not_exercised', `${took}, and as many over other keys ${controlMs.toFixed(0)} ms`);
    t.check(p95Ms <= boundMs, `${took}, more than ${boundMs.toFixed(0)} ms`);
  },
});

rule({
  id: 'LIM-12',
  text: 'One bucket holds over all processes of a deployment.',
  check: async (t) => {
    const keys = [undefined, ...t.profile.replicas].map((baseUrl) => loadKey(t, baseUrl));
    const what = `${3 * burst} at once and 3 s of ${4 * perSecond} a second over ${keys.length} processes`;
    await judged(t, what, [...atOnce(3 * burst), ...evenly(0, 4 * perSecond, 12 * perSecond)], { keys });
  },
});

rule({
  id: 'LIM-13',
  text: 'A refused POST has no effect: no document, no signature.',
  decisions: [],
  check: async (t, full) => {
    const title = `lim-13 ${t.run_id}`;
    const body = await templateBody(t, { title });
    const going = await sent(t, cast(t).full, [signing(cast(t).full)]);
    await silence();
    const key = loadKey(t);
    const drained = await shoot([key], atOnce(1.5 * burst));
    const post = (path: string, sentBody: object): Call => ({ method: 'POST', path, body: sentBody });
    const refused = await shoot([key], atOnce(10), [
      post('/documents', body),
      post(`/documents/${going.id}/_sign`, {}),
    ]);
    const accepted = (end: string) =>
      refused.filter(({ answer }) => answer.status === 200 && answer.exchange.target.endsWith(end)).length;
    const [created, signed] = [accepted('/documents'), accepted('/_sign')];
    if (created + signed === 10) unrefused(t, 'ten requests of a drained key', [...drained, ...refused]);
    t.equal((await found(full, title)).length, created, 'documents with the title of the refused ones');
    if (signed === 0) await unchanged(full, going, 'signatures that were refused for the rate');
  },
});

rule({
  id: 'LIM-14',
  text: 'Requests with wrong keys use up nobody’s bucket.',
  check: async (t) => {
    await silence();
    const key = t.secret('load');
    for (let n = 0; n < 2 * burst; n++) (await withKey(t, altered(key, key.length - 1))).fails('API_KEY_INVALID');
    const what = `${burst} at once after ${2 * burst} requests with a wrong key`;
    const { admitted } = stated(t, what, observed(await shoot([loadKey(t)], atOnce(burst))));
    t.equal(admitted, burst, `admitted of ${what}`);
  },
});

/** The delay of a RetryInfo, in milliseconds. */
function retryDelayMs(answer: Answer): number | undefined {
  const details = (answer.json as { details: { retryDelay?: string }[] }).details;
  const text = details.find((detail) => detail.retryDelay !== undefined)?.retryDelay;
  return text === undefined ? undefined : Number.parseFloat(text) * 1000;
}

rule({
  id: 'LIM-15',
  text: 'A refusal is the declared error, waiting as long as it says is enough, and RetryInfo says no more than the next token takes.',
  place: 'RATE_LIMIT_EXCEEDED',
  check: async (t) => {
    const key = loadKey(t);
    const refused = await refusedAtOnce(t, key);
    const [{ answer: last }] = refused.sort((a, b) => b.observation.q - a.observation.q);
    for (const { answer: refusal } of refused) {
      refusal.fails('RATE_LIMIT_EXCEEDED');
      if (t.values.rate_fields === 'none') continue;
      const after = refusal.header('retry-after') ?? '';
      t.check(/^[1-9]\d*$/.test(after), `Retry-After is ${after || 'missing'}`, refusal);
      const exact = retryDelayMs(refusal);
      const delay = exact ?? Number(after) * 1000;
      // A refused request takes no token, so the next one is never further away.
      const longest = exact === undefined ? (1000 * burst) / perSecond : 1000 / perSecond + 1;
      t.check(delay > 0 && delay <= longest, `the announced delay is ${delay} ms`, refusal);
      t.check(Number(after) * 1000 >= delay, 'Retry-After is less than RetryInfo', refusal);
    }
    const waitMs = retryDelayMs(last) ?? Number(last.header('retry-after') ?? 1) * 1000;
    await sleep(Math.ceil(waitMs) + 1);
    const [next] = await shoot([key], atOnce(1));
    t.check(
      next?.observation.admitted === true,
      `after waiting ${waitMs} ms as the answer said, the next request was refused`,
      next?.answer,
    );
  },
});

rule({
  id: 'LIM-16',
  text: 'Bursts are treated alike at any fraction of a second: at three with the light probe, at five with the full one.',
  decisions: [],
  check: async (t) => {
    for (const fraction of isFull(t) ? [0.07, 0.31, 0.5, 0.77, 0.98] : [0.07, 0.4, 0.73]) {
      await silence();
      const now = Date.now() / 1000;
      await sleep(((fraction - (now % 1) + 1) % 1) * 1000);
      await judged(t, `two bursts from ${fraction} of a second on`, scheduleOf(phaseProbe), { coarsest: 6 });
    }
  },
});

rule({
  id: 'LIM-17',
  text: 'The limit is of a key, neither of an owner, an address nor a tenant: two keys together have twice as much.',
  decisions: [],
  check: async (t) => {
    const what = `${0.75 * burst} at once and ${perSecond} a second, beside ${1.5 * burst} requests of another key`;
    for (let attempt = 1; ; attempt++) {
      await silence();
      // In 3 s a bucket shared by both keys would admit two thirds of them.
      const [mine, theirs] = await Promise.all([
        shoot([loadKey(t)], [...atOnce(0.75 * burst), ...evenly(100, perSecond, 3 * perSecond)]),
        shoot([t.as('second_key_same_owner')], atOnce(1.5 * burst)),
      ]);
      noAlarm(t, { ...stated(t, what, observed(mine)), lax: [] }, what);
      // Other rules use the other key too, so its bucket need not be full: if the suite or the target pauses for half a
      // second, requests that were sent at the right pace are refused together.
      const refused = theirs.length - countAdmitted(observed(theirs));
      if (refused === 0) return;
      if (attempt === 2) t.untested('not_exercised', `${what}: ${refused} of the other key were refused, twice`);
    }
  },
});

rule({
  id: 'LIM-18',
  text: 'A new connection brings no new bucket.',
  decisions: [],
  check: async (t) => {
    const calls = [{ path: '/api_key/_verify', freshConnection: true }];
    // Connecting is part of the round trip, so it widens the tolerance. A bucket for each would admit as many too many as a bucket holds.
    await judged(t, `${2 * burst} requests over ${2 * burst} new connections`, atOnce(2 * burst), {
      calls,
      coarsest: burst - 1,
    });
  },
});

rule({
  id: 'LIM-19',
  text: 'The RateLimit fields tell the truth about what is left, and in how many whole seconds the bucket is full: none only when it is.',
  place: 'RateLimit, RateLimit-Policy',
  check: async (t) => {
    if (t.values.rate_fields === 'none') t.skip('the target declares no RateLimit fields');
    await silence();
    const key = loadKey(t);
    let begin: number | undefined;
    for (let n = 1; n <= 12; n++) {
      const [shot] = await shoot([key], atOnce(1));
      const { answer, observation } = t.present(shot, 'no answer');
      begin ??= observation.s;
      t.equal(answer.header('ratelimit-policy'), t.values.rate_policy, 'RateLimit-Policy', answer);
      const field = /^"?[^";]+"?;r=(\d+);t=(\d+)$/.exec(answer.header('ratelimit') ?? '');
      const [left, full] = [Number(field?.[1]), Number(field?.[2])];
      const most = Math.floor(Math.min(burst, burst - n + ((observation.q - begin) * perSecond) / 1000));
      const isTrue = left >= burst - n && left <= most;
      t.check(isTrue, `after ${n} requests r=${left}; ${burst - n} to ${most} are left`, answer);
      // The fraction of a token that is left besides never changes the whole seconds.
      t.equal(full, Math.ceil((burst - left) / perSecond), `t after ${n} requests, with r=${left}`, answer);
    }
    const [{ answer: refusal }] = await refusedAtOnce(t, key);
    const field = refusal.header('ratelimit') ?? '';
    const drained = `;r=0;t=${burst / perSecond}`;
    t.check(field.endsWith(drained), `a refusal should say ${drained}, and says ${field}`, refusal);
  },
});

/** Processes that share the limit may each hold a few attempts back: as a share of it. */
const HELD_BACK = 0.25;

/** How many addresses the callers claim to have. */
const ADDRESSES = 50;

rule({
  id: 'LIM-20',
  text: 'Failed authentication is limited for each address as the target declares, whatever addresses its callers claim to have, and valid keys from that address are not affected.',
  place: 'RATE_LIMIT_EXCEEDED',
  runs: 'alone',
  because: 'It uses up what an address may fail.',
  check: async (t) => {
    const perSecond = t.values.failed_auth_per_s;
    if (perSecond === 0) t.skip('the target declares no limit on failed authentication');
    // Other tests left the bucket of this address in an unknown state; after a second it is full again.
    await sleep(1500);
    t.mayBeRefused = true;
    const nobody = t.anonymous({ unpaced: true });
    const wrong = { headers: { 'X-API-Key': 'wrong' } };
    // An address that a caller only claims to have is none of its own.
    const claiming = series(ADDRESSES, (n) => ({
      ...verifyCall,
      headers: { ...wrong.headers, 'X-Forwarded-For': `203.0.113.${n}`, Forwarded: `for=203.0.113.${n}` },
    }));
    const valid = t.asAny('full');
    const [shots, ...meanwhile] = await Promise.all([
      shoot([nobody], atOnce(perSecond * 4), claiming),
      ...series(10, () => valid.verify()),
    ]);
    for (const answer of meanwhile) answer.ok('verifyApiKey', 'a valid key from the same address meanwhile');
    const answers = shots.map(({ answer }) => answer);
    const refused = answers.filter(({ status }) => status === 429);
    const failed = answers.filter(({ status }) => status === 401);
    t.equal(refused.length + failed.length, answers.length, 'answers that are 401 or 429');
    const observations = observed(shots);
    const { lax } = judgeLimiter(observations, { perSecond, burst: perSecond * (1 + HELD_BACK) });
    const seconds =
      Math.max(...observations.map(({ q }) => q)) / 1000 - Math.min(...observations.map(({ s }) => s)) / 1000;
    const what = `of ${answers.length} failed authentications in ${seconds.toFixed(2)} s`;
    t.notes.push(`${what} ${failed.length} were looked at`);
    t.check(lax.length === 0, `${what} ${failed.length} were looked at, ${lax.length} of them too many`);
    t.check(failed.length >= perSecond * 0.9, `only ${failed.length} of the first ${perSecond} were looked at`);
    if (refused.length === 0) t.untested('not_exercised', `${what} none was too many: the answers take too long`);
    for (const answer of refused) {
      answer.fails('RATE_LIMIT_EXCEEDED');
      t.check(answer.header('ratelimit') === undefined, 'a RateLimit field for nobody’s bucket', answer);
    }
    await sleep(1500);
    (await nobody.verify(wrong)).fails('API_KEY_INVALID', 'a second later');
  },
});
