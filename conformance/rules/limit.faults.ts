/** Faults that the rules of limit.rules.ts must catch. */
import { rateLimit } from '../../generated/rate-limit.ts';
import {
  fixedWindow,
  leakyQueue,
  type Model,
  slidingCounter,
  slidingLog,
  steppedBucket,
  tokenBucket,
  unlimited,
  unshared,
} from '../judge/oracle-models.ts';
import {
  answers,
  anyway,
  everything,
  headerOf,
  heads,
  keyOf,
  made,
  madeError,
  parse,
  setHeader,
} from '../mutation/alter.ts';
import { isRefused, limiter } from '../mutation/alter-limits.ts';
import type { Fault, ProxiedAnswer, ProxiedRequest } from '../mutation/fault.ts';

const probed = (id: string, rule: string, breaks: string, make: () => Model): Fault => ({
  id,
  rule,
  breaks,
  alone: true,
  alter: limiter(make),
});

const { perSecond, burst } = rateLimit;
const valid = (asked: ProxiedRequest) => (keyOf(asked) === undefined ? undefined : 'all');

const REFUSED = 'RATE_LIMIT_EXCEEDED';

function refusal(): ProxiedAnswer {
  const answer = madeError(REFUSED);
  const json = parse(answer.body);
  json.details.splice(1, 0, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.100s' });
  answer.body = Buffer.from(JSON.stringify(json));
  setHeader(answer, 'Retry-After', '1');
  return answer;
}

export const faults: readonly Fault[] = [
  {
    id: 'lim-burst-10',
    rule: 'LIM-1',
    breaks: 'half a burst is all that is admitted',
    alter: limiter(() => tokenBucket(perSecond, burst / 2)),
  },
  {
    id: 'lim-burst-19',
    rule: 'LIM-1',
    breaks: 'all of a burst but one is all that is admitted',
    alter: limiter(() => tokenBucket(perSecond, burst - 1)),
  },
  probed('lim-burst-30', 'LIM-2', 'a burst and a half is admitted', () => tokenBucket(perSecond, 1.5 * burst)),
  {
    id: 'lim-nine-a-second',
    rule: 'LIM-3',
    breaks: 'nine tenths of the rate are admitted',
    alter: limiter(() => tokenBucket(0.9 * perSecond, burst)),
  },
  {
    id: 'lim-half-a-request-less',
    rule: 'LIM-3',
    breaks: 'nineteen twentieths of the rate are admitted',
    alter: limiter(() => tokenBucket(0.95 * perSecond, burst)),
  },
  probed('lim-twenty-a-second', 'LIM-4', 'twice the rate is admitted', () => tokenBucket(2 * perSecond, burst)),
  probed('lim-steps', 'LIM-5', 'the refill comes once a second', () => steppedBucket(perSecond, burst)),
  probed('lim-saves-more', 'LIM-6', 'two bursts are saved up in a silence', () => tokenBucket(perSecond, 2 * burst)),
  {
    id: 'lim-of-owner',
    rule: 'LIM-7',
    breaks: 'all keys share a bucket',
    alter: limiter(() => tokenBucket(perSecond, burst), valid),
  },
  probed('lim-window-20-2s', 'LIM-8', 'a fixed window of 20 in 2 s', () => fixedWindow(20, 2000)),
  probed('lim-window-10-1s', 'LIM-8', 'a fixed window of 10 in 1 s', () => fixedWindow(10, 1000)),
  probed('lim-log-20-2s', 'LIM-8', 'a sliding log of 20 in 2 s', () => slidingLog(20, 2000)),
  probed('lim-counter-20-2s', 'LIM-8', 'a sliding counter of 20 in 2 s', () => slidingCounter(20, 2000)),
  probed('lim-floor', 'LIM-8', 'the refill loses fractions', () => tokenBucket(perSecond, burst, { floor: true })),
  probed('lim-none', 'LIM-8', 'there is no limit', () => unlimited),
  probed('lim-two-buckets', 'LIM-8', 'two processes have a bucket each', () =>
    unshared(() => tokenBucket(perSecond, burst)),
  ),
  probed('lim-refusals-cost', 'LIM-9', 'refused requests cost a token', () =>
    tokenBucket(perSecond, burst, { chargeRefused: true }),
  ),
  {
    id: 'lim-errors-are-free',
    rule: 'LIM-10',
    breaks: 'what is not found costs nothing',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.target.includes('/nothing') && isRefused(answer) ? madeError('PATH_NOT_FOUND') : answer;
    },
  },
  {
    id: 'lim-writes-apart',
    rule: 'LIM-10',
    breaks: 'POST has a bucket of its own',
    alter: limiter(
      () => tokenBucket(perSecond, burst),
      (asked, memory) => (keyOf(asked) === memory.key('load') ? asked.method : undefined),
    ),
  },
  probed('lim-queue', 'LIM-11', 'requests are held back instead of refused', () => leakyQueue(10, 20)),
  {
    id: 'lim-replica-apart',
    rule: 'LIM-12',
    breaks: 'each process has a bucket of its own',
    alter: limiter(
      () => tokenBucket(perSecond, burst),
      (asked, memory) => (keyOf(asked) === memory.key('load') ? `of ${asked.replica}` : undefined),
    ),
  },
  {
    id: 'lim-refused-and-done',
    rule: 'LIM-13',
    breaks: 'a refused POST is done all the same',
    alter: async (asked, forward, memory) =>
      anyway((one) => one.method === 'POST', 'full', isRefused)(asked, forward, memory),
  },
  {
    id: 'lim-wrong-keys-cost',
    rule: 'LIM-14',
    breaks: 'requests with wrong keys use the bucket up',
    alter: async (asked, forward, memory) => {
      const isLoad = keyOf(asked) === memory.key('load');
      const n = Number(memory.notes.get('wrong') ?? 0);
      if (!isLoad) {
        const answer = await forward(asked);
        if (answer.status === 401) memory.notes.set('wrong', n + 1);
        return answer;
      }
      return n > 20 ? refusal() : forward(asked);
    },
  },
  {
    id: 'lim-no-retry-after',
    rule: 'LIM-15',
    breaks: 'a refusal has no Retry-After',
    alter: heads(everything, (answer) => setHeader(answer, 'Retry-After', undefined), isRefused),
  },
  {
    id: 'lim-delay-too-short',
    rule: 'LIM-15',
    breaks: 'waiting as long as the answer says is not enough',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (isRefused(answer)) memory.notes.set('at', performance.now());
      else if (
        memory.notes.has('at') &&
        performance.now() - Number(memory.notes.get('at')) < 2500 &&
        keyOf(asked) === memory.key('load')
      )
        return refusal();
      return answer;
    },
  },
  {
    id: 'lim-refusal-503',
    rule: 'LIM-15',
    breaks: 'a refusal is UNAVAILABLE',
    alter: answers(
      everything,
      (json) => {
        json.details[0].reason = 'UNAVAILABLE';
      },
      isRefused,
    ),
  },
  {
    id: 'lim-phase',
    rule: 'LIM-16',
    breaks: 'a burst across a second is admitted twice',
    alter: limiter(() => fixedWindow(20, 1000)),
  },
  {
    id: 'lim-of-tenant',
    rule: 'LIM-17',
    breaks: 'all keys of a tenant share a bucket',
    alter: limiter(() => tokenBucket(perSecond, burst), valid),
  },
  {
    id: 'lim-per-connection',
    rule: 'LIM-18',
    breaks: 'a new connection has a new bucket',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return isRefused(answer) ? made(200, {}) : answer;
    },
  },
  {
    id: 'lim-field-lies',
    rule: 'LIM-19',
    breaks: 'RateLimit says one more than is left',
    alter: heads(everything, (answer) => {
      const field = headerOf(answer, 'ratelimit');
      if (field)
        setHeader(
          answer,
          'RateLimit',
          field.replace(/r=(\d+)/, (_all, left: string) => `r=${Number(left) + 1}`),
        );
    }),
  },
  {
    id: 'lim-full-too-early',
    rule: 'LIM-19',
    breaks: 'RateLimit rounds the seconds until the bucket is full down',
    alter: heads(everything, (answer) => {
      const field = headerOf(answer, 'ratelimit');
      if (field) setHeader(answer, 'RateLimit', field.replace(/t=1$/, 't=0'));
    }),
  },
  {
    id: 'lim-field-lost',
    rule: 'LIM-19',
    breaks: 'RateLimit is left out',
    alter: heads(
      everything,
      (answer) => setHeader(answer, 'RateLimit', undefined),
      () => true,
    ),
  },
];
