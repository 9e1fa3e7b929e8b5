import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../generated/operations.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../api.ts';
import { fullProbe, fullSchedule, judgeLimiter, type Observation, type Verdict } from '../oracle.ts';
import { limit } from '../pacer.ts';
import { rule } from '../rule-test.ts';
import type { Trial } from '../trial.ts';
import { callOf, UNKNOWN_ID } from './calls.ts';
import { found, templateBody } from './document-calls.ts';
import { cast, sent, signing, unchanged } from './flow-calls.ts';
import { atOnce, evenly, fitsBucket, judged, loadKey, noAlarm, observed, shoot, silence } from './limit-probe.ts';

type PartName = keyof typeof fullProbe;

interface Probed {
  verdict: Verdict;
  part: (name: PartName) => { observations: Observation[]; verdict: Pick<Verdict, 'lax' | 'strict' | 'medianRttMs'> };
  baselineMs: number;
}

let probing: Promise<Probed> | undefined;

/** The full probe, made once for all the rules that read it. */
function probed(t: Trial): Promise<Probed> {
  probing ??= (async () => {
    await silence();
    const key = loadKey(t);
    const warm = observed(await shoot([key], evenly(5, 5)));
    await silence();
    const all = observed(await shoot([key], fullSchedule));
    const verdict = judgeLimiter(all, limit);
    const part = (name: PartName) => {
      const names = Object.keys(fullProbe) as PartName[];
      const from = names.slice(0, names.indexOf(name)).reduce((sum, other) => sum + fullProbe[other].length, 0);
      const observations = all.slice(from, from + fullProbe[name].length);
      const inside = (one: Observation) => observations.includes(one);
      return {
        observations,
        verdict: { ...verdict, lax: verdict.lax.filter(inside), strict: verdict.strict.filter(inside) },
      };
    };
    return { verdict, part, baselineMs: Math.max(...warm.map(({ s, q }) => q - s)) };
  })();
  return probing;
}

const admitted = (observations: readonly Observation[]) => observations.filter((one) => one.admitted).length;

rule('LIM-1', async (t) => {
  await silence();
  const shots = await shoot([loadKey(t)], atOnce(20));
  t.equal(admitted(observed(shots)), 20, 'admitted of 20 at once');
});

rule('LIM-2', async (t) => {
  const { observations, verdict } = (await probed(t)).part('burst');
  fitsBucket(t, observations, 'a burst of 40', verdict);
});

rule('LIM-3', async (t) => {
  await silence();
  const shots = await shoot([loadKey(t)], evenly(10, 600));
  const refused = shots.find(({ observation }) => !observation.admitted);
  t.check(refused === undefined, 'a request was refused at 10 a second', refused?.answer);
});

rule('LIM-4', async (t) => {
  const { observations, verdict } = (await probed(t)).part('drained');
  const seconds = ((observations.at(-1)?.s ?? 0) - (observations[0]?.s ?? 0)) / 1000;
  const rate = admitted(observations) / seconds;
  t.check(rate > 9 && rate < 11, `a drained key sending 20 a second has ${rate.toFixed(2)} a second admitted`);
  noAlarm(t, verdict, 'a drained key at 20 a second');
});

rule('LIM-5', async (t) =>
  noAlarm(t, (await probed(t)).part('refill').verdict, 'bursts after 0.5, 1 and 1.5 s of refill'),
);
rule('LIM-6', async (t) => {
  const { observations, verdict } = (await probed(t)).part('idle');
  noAlarm(t, verdict, 'a burst after 6 s of silence');
  t.check(admitted(observations) >= 20, `only ${admitted(observations)} were admitted after a silence`);
});

rule('LIM-7', async (t) => {
  await silence();
  await shoot([loadKey(t)], atOnce(40));
  for (let n = 0; n < 5; n++)
    (await t.as('second_key_same_owner').verify()).ok('verifyApiKey', 'another key of the owner');
  (await t.as('full').verify()).ok('verifyApiKey', 'another key of the tenant');
});

rule('LIM-8', async (t) => noAlarm(t, (await probed(t)).verdict, 'the whole probe'));
rule('LIM-9', async (t) => {
  const probe = await probed(t);
  noAlarm(t, probe.part('hammer').verdict, 'a drained key at 40 a second');
  const { observations } = probe.part('hammer');
  const rate = admitted(observations) / (((observations.at(-1)?.s ?? 0) - (observations[0]?.s ?? 0)) / 1000);
  t.check(
    rate > 8.5,
    `under a hail of 40 a second only ${rate.toFixed(1)} a second are admitted: refusals are charged`,
  );
});

rule('LIM-10', async (t) => {
  await silence();
  const calls = [
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
  const shots = await shoot([loadKey(t)], atOnce(40), calls);
  fitsBucket(t, observed(shots), '40 requests of ten kinds at once');
  for (const call of calls) {
    await silence();
    const burst = observed(await shoot([loadKey(t)], atOnce(40), [call]));
    fitsBucket(t, burst, `40 at once of ${call.method ?? 'GET'} ${call.path}`);
  }
});

rule('LIM-11', async (t) => {
  const { verdict, baselineMs } = await probed(t);
  const bound = baselineMs + 250;
  let { p95Ms } = verdict;
  // A busy machine is slow now and then; a queue holds the last of 20 back by two seconds each time.
  for (let again = 0; again < 2 && p95Ms > bound; again++) {
    await silence();
    p95Ms = Math.min(p95Ms, judged(await shoot([loadKey(t)], atOnce(20))).p95Ms);
  }
  t.check(
    p95Ms <= bound,
    `95 % of admitted requests took up to ${p95Ms.toFixed(0)} ms, more than ${bound.toFixed(0)} ms`,
  );
});

rule('LIM-12', async (t) => {
  await silence();
  const keys = [undefined, ...t.profile.replicas].map((baseUrl) => loadKey(t, baseUrl));
  const shots = await shoot(keys, [...atOnce(60), ...evenly(100, 300)]);
  noAlarm(t, judged(shots), `60 at once and 3 s of 100 a second over ${keys.length} processes`);
});

rule('LIM-13', async (t) => {
  const title = `lim-13 ${t.run.run_id}`;
  const body = await templateBody(t, { title });
  const going = await sent(t, cast(t).full, [signing(cast(t).full)]);
  await silence();
  const key = loadKey(t);
  await shoot([key], atOnce(30));
  const post = (path: string, sentBody: object): Call => ({ method: 'POST', path, body: sentBody });
  const refused = await shoot([key], atOnce(10), [post('/documents', body), post(`/documents/${going.id}/_sign`, {})]);
  const accepted = (end: string) =>
    refused.filter(({ answer }) => answer.status === 200 && answer.exchange.target.endsWith(end)).length;
  const [created, signed] = [accepted('/documents'), accepted('/_sign')];
  t.check(created + signed < 10, 'none of ten requests of a drained key was refused');
  t.equal((await found(t.as('full'), title)).length, created, 'documents with the title of the refused ones');
  if (signed === 0) await unchanged(t.as('full'), going, 'signatures that were refused for the rate');
});

rule('LIM-14', async (t) => {
  await silence();
  const key = t.secret('load');
  const wrong = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');
  const nobody = t.anonymous();
  for (let n = 0; n < 40; n++) (await nobody.verify({ headers: { 'X-API-Key': wrong } })).fails('API_KEY_INVALID');
  const shots = await shoot([loadKey(t)], atOnce(20));
  t.equal(admitted(observed(shots)), 20, 'admitted of 20 at once after 40 requests with a wrong key');
});

/** The delay of a RetryInfo, in milliseconds. */
function retryDelayMs(answer: Answer): number | undefined {
  const details = (answer.json as { details: { retryDelay?: string }[] }).details;
  const text = details.find((detail) => detail.retryDelay !== undefined)?.retryDelay;
  return text === undefined ? undefined : Number.parseFloat(text) * 1000;
}

rule('LIM-15', async (t) => {
  await silence();
  const key = loadKey(t);
  const shots = await shoot([key], atOnce(30));
  const refusals = shots.filter(({ observation }) => !observation.admitted).map(({ answer }) => answer);
  const last = t.present(
    refusals.sort((a, b) => b.exchange.receivedAtMs - a.exchange.receivedAtMs)[0],
    'nothing was refused',
  );
  for (const refusal of refusals) {
    refusal.fails('RATE_LIMIT_EXCEEDED');
    if (t.values.rate_fields === 'none') continue;
    const after = refusal.header('retry-after') ?? '';
    t.check(/^[1-9]\d*$/.test(after), `Retry-After is ${after || 'missing'}`, refusal);
    const delay = retryDelayMs(refusal) ?? Number(after) * 1000;
    t.check(delay > 0 && delay <= 2000, `the announced delay is ${delay} ms`, refusal);
    t.check(Number(after) * 1000 >= delay, 'Retry-After is less than RetryInfo', refusal);
  }
  const waitMs = retryDelayMs(last) ?? Number(last.header('retry-after') ?? 1) * 1000;
  await sleep(Math.ceil(waitMs) + 1);
  const [next] = await shoot([key], atOnce(1));
  t.check(
    next?.observation.admitted === true,
    `after waiting ${waitMs} ms as told, the next request was refused`,
    next?.answer,
  );
});

rule('LIM-16', async (t) => {
  for (const fraction of [0.07, 0.31, 0.5, 0.77, 0.98]) {
    await silence();
    const now = Date.now() / 1000;
    await sleep(((fraction - (now % 1) + 1) % 1) * 1000);
    fitsBucket(t, observed(await shoot([loadKey(t)], atOnce(30))), `a burst at ${fraction} of a second`);
  }
});

rule('LIM-17', async (t) => {
  await silence();
  const second = t.as('second_key_same_owner');
  const together = await Promise.all([
    shoot([loadKey(t)], evenly(10, 30)),
    ...Array.from({ length: 12 }, () => second.verify()),
  ]);
  const [mine, ...theirs] = together;
  t.equal(admitted(observed(mine)), 30, 'admitted of 10 a second beside another key');
  for (const answer of theirs) answer.ok('verifyApiKey', 'the other key');
});

rule('LIM-18', async (t) => {
  await silence();
  const shots = await shoot([loadKey(t)], atOnce(40), [{ path: '/api_key/_verify', freshConnection: true }]);
  fitsBucket(t, observed(shots), '40 requests over 40 new connections');
});

rule('LIM-19', async (t) => {
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
    const most = Math.floor(Math.min(20, 20 - n + (observation.q - begin) / 100));
    t.check(left >= 20 - n && left <= most, `after ${n} requests r=${left}; ${20 - n} to ${most} are left`, answer);
    t.check(
      full >= Math.floor((20 - most - 1) / 10) && full <= Math.ceil(n / 10),
      `after ${n} requests t=${full}`,
      answer,
    );
  }
  const shots = await shoot([key], atOnce(30));
  const refused = shots.find(({ observation }) => !observation.admitted);
  t.check(/;r=0;/.test(refused?.answer.header('ratelimit') ?? ''), 'a refusal should say r=0', refused?.answer);
});
