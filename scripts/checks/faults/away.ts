/**
 * The database is away for a while under light load, as after a crash. Meanwhile every request is refused quickly, and
 * no process ends. Soon after the database returns everything works again, without help from an operator.
 */
import { randomUUID } from 'node:crypto';
import { LEASE_MS } from '../../../handlers/data/lease.ts';
import { ask } from '../../testbed/ask.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { type Fleet, faultsIn, hirePatiently, patiently, pause, withFleet } from './fleet.ts';
import { type Result, type Suite, type SuiteOptions, size, slack } from './suite.ts';

interface AskedRequest {
  readonly fromMs: number;
  readonly toMs: number;
  /** 0 if there was no answer at all. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
}

const REFUSED_MS = 2_000;
const WHOLE_MS = 5_000;
const KEYS = 8;
const EVERY_MS = 100;
const CALM_MS = 1_000;
const GIVEN_UP_MS = 120_000;

/** Requests employees continuously. */
class Asking {
  readonly asked: AskedRequest[] = [];
  readonly #under = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  begin(url: string, keys: readonly string[]): void {
    let nth = 0;
    this.#timer = setInterval(() => {
      const one = this.#ask(url, keys[nth++ % keys.length] as string).finally(() => this.#under.delete(one));
      this.#under.add(one);
    }, EVERY_MS);
  }

  async #ask(url: string, key: string): Promise<void> {
    const fromMs = performance.now();
    const [status, hasRetryAfter] = await fetch(`${url}/developer/v1/employees`, {
      headers: { 'X-API-Key': key },
      signal: AbortSignal.timeout(GIVEN_UP_MS),
    })
      .then(async (answer) => {
        await answer.text();
        return [answer.status, Number(answer.headers.get('retry-after')) > 0] as const;
      })
      .catch(() => [0, false] as const);
    this.asked.push({ fromMs, toMs: performance.now(), status, hasRetryAfter });
  }

  /** Whether all recent answers were good. */
  isCalm(): boolean {
    const lately = this.asked.filter(({ toMs }) => toMs > performance.now() - CALM_MS);
    return lately.length > 0 && lately.every(({ status }) => status === 200);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#under);
  }
}

async function run(fleet: Fleet, { size: sizeOf, say }: SuiteOptions): Promise<Result> {
  const [seconds, factor] = [sizeOf('seconds'), sizeOf('slack')];
  const [tenant, other] = [await fleet.tenant(), await fleet.tenant()];
  await fleet.hook(tenant.id, '/hook', 0);
  await hirePatiently(fleet, tenant.id, 50);
  const keys = await Promise.all(Array.from({ length: KEYS }, () => tenant.key()));
  const otherKey = await other.key();
  const [api, worker] = await Promise.all([fleet.start({ ROLE: 'api' }), fleet.start({ ROLE: 'worker' })]);
  const drained = () => fleet.receiver.received.length >= 50 || undefined;
  await eventually('the first deliveries', drained, GIVEN_UP_MS);

  const asking = new Asking();
  asking.begin(api.url, keys);
  await pause(CALM_MS);
  const formerBatch = await post(api.url, otherKey, 2_000);
  const [former] = await hirePatiently(fleet, tenant.id, 1);
  const instants = await takeAway(fleet, asking, seconds, say);
  const { backMs } = instants;
  const since = (work: Promise<unknown>) =>
    work.then(
      () => Math.round(performance.now() - backMs),
      () => Number.POSITIVE_INFINITY,
    );
  const [written] = await hirePatiently(fleet, tenant.id, 1);
  const [deliveredMs, formerDeliveryMs, appliedMs, formerBatchMs] = await Promise.all([
    since(arrival(fleet, written?._id ?? '')),
    since(arrival(fleet, former?._id ?? '')),
    since(post(api.url, keys[0] as string, 10).then((id) => isApplied(fleet, id))),
    since(isApplied(fleet, formerBatch)),
  ]);
  await pause(Math.max(CALM_MS, backMs + WHOLE_MS + CALM_MS - performance.now()));
  const calm = eventually('good answers', () => asking.isCalm() || undefined, WHOLE_MS * factor);
  const becameCalm = await calm.catch(() => false);
  const wholeMs = Math.min(backMs + WHOLE_MS * factor, performance.now() - CALM_MS);
  await asking.end();

  const wrong = judgeAnswers(asking.asked, { ...instants, wholeMs }, factor);
  if (!becameCalm) wrong.push(`not all was answered well for a whole second within ${WHOLE_MS * factor} ms`);
  const limits = { deliveredMs, formerDeliveryMs, appliedMs };
  for (const [what, ms] of Object.entries(limits)) {
    if (ms > WHOLE_MS * factor) wrong.push(`${what} is ${ms}; promised are ${WHOLE_MS}`);
  }
  if (formerBatchMs > LEASE_MS.batch + WHOLE_MS * factor) wrong.push(`the batch under way took ${formerBatchMs} ms`);
  wrong.push(...(await judgeProcesses({ api, worker })));
  const times = { deliveredMs, appliedMs, formerDeliveryMs, formerBatchMs };
  const report = { seconds, ...answersReport(asking.asked, backMs), ...times, wrong };
  return {
    lines: [
      `${seconds} s without the database: ${report.refused} requests refused, the slowest in ${report.slowestMs} ms; after ` +
        `its return the first answer in ${report.answeredMs} ms, a delivery in ${deliveredMs} ms, a batch in ${appliedMs} ms.`,
    ],
    wrong,
    report,
  };
}

/** How many requests were refused, and how soon answers came. */
function answersReport(asked: Asking['asked'], backMs: number) {
  const refusals = asked.filter(({ status }) => status === 503);
  const answered = asked.filter(({ status, toMs }) => status === 200 && toMs > backMs);
  return {
    requests: asked.length,
    refused: refusals.length,
    slowestMs: Math.round(Math.max(0, ...refusals.map(({ fromMs, toMs }) => toMs - fromMs))),
    answeredMs: Math.round(Math.min(...answered.map(({ toMs }) => toMs)) - backMs),
  };
}

/** Takes the database away until at least one request was refused. @returns when it went and came */
async function takeAway(
  { database }: Fleet,
  asking: Asking,
  seconds: number,
  say: SuiteOptions['say'],
): Promise<Omit<Outage, 'wholeMs'>> {
  const leavesMs = performance.now();
  await database.kill();
  const goneMs = performance.now();
  say('the database is away');
  await pause(seconds * 1_000);
  // However long the machine needs for this: without at least one refusal the outage would prove nothing.
  const isRefused = () => asking.asked.some(({ fromMs, status }) => fromMs > goneMs && status === 503) || undefined;
  await eventually('a refusal', isRefused, GIVEN_UP_MS).catch(() => {});
  // The database answers before `start` returns, so there are two instants.
  const returnsMs = performance.now();
  await database.start();
  const backMs = performance.now();
  say('the database is back');
  return { leavesMs, goneMs, returnsMs, backMs };
}

/** Whether the processes lived through the outage, and end well. */
async function judgeProcesses(servers: Readonly<Record<string, RunningServer>>): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, { process, log }] of Object.entries(servers)) {
    if (process.hasEnded || process.stderr !== '') wrong.push(`the ${name} process ended or complained`);
    else if ((await process.stop()) !== 0) wrong.push(`the ${name} process did not stop well`);
    wrong.push(...faultsIn(log()));
  }
  return wrong;
}

/** When the database went away and came back, and from when on everything must be well. */
interface Outage {
  /**
   * Between `leavesMs` and `goneMs`, and again between `returnsMs` and `backMs`, the database may or may not have
   * answered.
   */
  readonly leavesMs: number;
  readonly goneMs: number;
  readonly returnsMs: number;
  readonly backMs: number;
  readonly wholeMs: number;
}

function judgeAnswers(asked: readonly AskedRequest[], outage: Outage, slack: number): string[] {
  const { leavesMs, goneMs, returnsMs, backMs, wholeMs } = outage;
  const wrong: string[] = [];
  const report = (what: string, those: readonly AskedRequest[]) => {
    const counts = Object.entries(Object.groupBy(those, ({ status }) => String(status)));
    const answers = counts.map(([status, each]) => `${each?.length} × ${status}`).join(', ');
    const [first] = those;
    if (first === undefined) return;
    const [from, to] = [first.fromMs, first.toMs].map((ms) => Math.round(ms - goneMs));
    wrong.push(
      `${what}: ${answers}, the first from ${from} to ${to} ms after it went, ${Math.round(backMs - goneMs)} ms before it came`,
    );
  };
  const isCalm = ({ fromMs, toMs }: AskedRequest) => toMs < leavesMs || fromMs > wholeMs;
  const isAway = ({ fromMs, toMs }: AskedRequest) => fromMs > goneMs && toMs < returnsMs;
  const isRefused = ({ status }: AskedRequest) => status === 503;
  const isGood = ({ status }: AskedRequest) => status === 200;
  const judge = (what: string, isBad: (one: AskedRequest) => boolean) => report(what, asked.filter(isBad));
  // On a machine that is too busy to keep the promised times, the database may seem silent for too long although it is
  // there.
  const isExcused = (one: AskedRequest) => slack > 1 && isRefused(one);
  judge('answered with the database there', (one) => isCalm(one) && !isGood(one) && !isExcused(one));
  judge('answered without the database', (one) => isAway(one) && !isRefused(one));
  judge('answered while it came and went', (one) => !isGood(one) && !isRefused(one));
  judge('refused without Retry-After', (one) => isRefused(one) && !one.hasRetryAfter);
  judge('refused late', (one) => isRefused(one) && one.toMs - one.fromMs > REFUSED_MS * slack);
  if (!asked.some(isAway)) wrong.push('no request was made without the database');
  return wrong;
}

/** Sends a batch until it is accepted. @returns the request's id */
function post(url: string, key: string, count: number): Promise<string> {
  const idempotencyKey = randomUUID();
  const records = Array.from({ length: count }, (_, n) => ({ external_id: `P${n}`, first_name: 'Айгүл' }));
  return eventually(
    'a batch to be accepted',
    async () => {
      const sent = { payload_type: 'PERSONS', create_missing: true, records };
      const { body } = await ask('POST', `${url}/developer/v1/ingest/KEDO`, key, sent, {
        'Idempotency-Key': idempotencyKey,
      });
      return body.ingest_request_id as string | undefined;
    },
    GIVEN_UP_MS,
  );
}

function isApplied({ store }: Fleet, _id: string): Promise<true> {
  const check = async () => {
    const row = await patiently(() => store.ingest_requests.findOne({ _id }));
    return row?.status === 'APPLIED' || undefined;
  };
  return eventually('a batch to be applied', check, GIVEN_UP_MS);
}

function arrival({ receiver }: Fleet, subject: string): Promise<true> {
  return eventually(
    'a delivery',
    () => receiver.received.some((one) => one.subject === subject) || undefined,
    GIVEN_UP_MS,
  );
}

/** The suite. */
export const away: Suite = {
  name: 'away',
  about:
    'Takes the database away for a while under light load: 503 after a short time, and everything works soon after its return.',
  sizes: [size('seconds', 'how long the database is away', 30, 3), slack],
  inQuick: true,
  run: (options) => withFleet((fleet) => run(fleet, options)),
};
