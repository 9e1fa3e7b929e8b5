/** Faults that the rules of limit.rules.ts must catch. */
import { rateLimit } from '../../generated/contract.ts';
import { headerOf } from '../http/exchange.ts';
import {
  fixedWindow,
  leakyQueue,
  type Model,
  steppedBucket,
  tokenBucket,
  unlimited,
  unshared,
} from '../judge/oracle-models.ts';
import {
  after,
  answers,
  anyway,
  counted,
  everything,
  failing,
  fault,
  header,
  keyOf,
  made,
  onAnswer,
  put,
} from '../mutation/alter.ts';
import { isRefused, limiter, refusal } from '../mutation/alter-limits.ts';
import { type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

const probed = (id: string, rule: string, breaks: string, make: () => Model): Fault => ({
  id,
  rule,
  breaks,
  alone: true,
  alter: limiter(make),
});

const limited = (id: string, rule: string, breaks: string, ...by: Parameters<typeof limiter>): Fault =>
  fault(id, rule, breaks, limiter(...by));

const { perSecond, burst } = rateLimit;

/** A bucket of so many times the rate, and so many times the burst. */
const bucket =
  (rate = 1, size = 1, options = {}) =>
  () =>
    tokenBucket(rate * perSecond, size * burst, options);

const valid = (asked: ProxiedRequest) => (keyOf(asked) === undefined ? undefined : 'all');

export const faults: readonly Fault[] = [
  ...faultsOf({
    'LIM-10': {
      'lim-errors-are-free': [
        'what is not found costs nothing',
        failing((answer, asked) => asked.target.includes('/nothing') && isRefused(answer), 'PATH_NOT_FOUND'),
      ],
    },
    'LIM-13': {
      'lim-refused-and-done': [
        'a refused POST is done all the same',
        anyway((one) => one.method === 'POST', isRefused),
      ],
    },
    'LIM-14': {
      'lim-wrong-keys-cost': [
        'requests with wrong keys use the bucket up',
        async (asked, forward, memory) => {
          if (keyOf(asked) === memory.key('load'))
            return Number(memory.notes.get('wrong') ?? 0) > 20 ? refusal() : forward(asked);
          const answer = await forward(asked);
          if (answer.status === 401) counted(memory, 'wrong');
          return answer;
        },
      ],
    },
    'LIM-15': {
      'lim-no-retry-after': ['a refusal has no Retry-After', header('Retry-After', undefined, isRefused)],
      'lim-delay-too-long': [
        'a refusal says that the whole bucket must fill',
        answers(
          everything,
          put('details[].retryDelay', () => '2.000s'),
          isRefused,
        ),
      ],
      'lim-delay-too-short': [
        'waiting as long as the answer says is not enough',
        after(everything, (answer, asked, memory) => {
          if (isRefused(answer)) memory.notes.set('at', performance.now());
          else if (
            memory.notes.has('at') &&
            performance.now() - Number(memory.notes.get('at')) < 2500 &&
            keyOf(asked) === memory.key('load')
          )
            return refusal();
          return answer;
        }),
      ],
      'lim-refusal-503': [
        'a refusal is UNAVAILABLE',
        answers(everything, put('details.0.reason', 'UNAVAILABLE'), isRefused),
      ],
    },
    'LIM-18': {
      'lim-per-connection': ['a new connection has a new bucket', onAnswer(everything, isRefused, () => made(200, {}))],
    },
    'LIM-19': {
      'lim-field-lies': [
        'RateLimit says one more than is left',
        header('RateLimit', (field) => field.replace(/r=(\d+)/, (_all, left: string) => `r=${Number(left) + 1}`)),
      ],
      'lim-field-lost': ['RateLimit is left out', header('RateLimit', undefined)],
    },
    'LIM-20': {
      'lim-failed-keys-free': [
        'failed authentication is not limited',
        failing((answer) => isRefused(answer), 'API_KEY_INVALID'),
      ],
      'lim-failed-keys-by-claim': [
        'each address that a caller claims to have has a limit of its own',
        failing(
          (answer, asked) => isRefused(answer) && headerOf(asked, 'x-forwarded-for') !== undefined,
          'API_KEY_INVALID',
        ),
      ],
    },
  }),
  probed('lim-burst-19', 'LIM-8', 'all of a burst but one is all that is admitted', () =>
    tokenBucket(perSecond, burst - 1),
  ),
  limited('lim-nine-a-second', 'LIM-3', 'nine tenths of the rate are admitted', bucket(0.9)),
  probed('lim-steps', 'LIM-5', 'the refill comes once a second', () => steppedBucket(perSecond, burst)),
  probed('lim-saves-more', 'LIM-5', 'two bursts are saved up in a silence', bucket(1, 2)),
  probed('lim-none', 'LIM-8', 'there is no limit', () => unlimited),
  probed('lim-two-buckets', 'LIM-8', 'two processes have a bucket each', () => unshared(bucket())),
  probed('lim-refusals-cost', 'LIM-8', 'refused requests cost a token', bucket(1, 1, { chargeRefused: true })),
  limited('lim-writes-apart', 'LIM-10', 'POST has a bucket of its own', bucket(), (asked, memory) =>
    keyOf(asked) === memory.key('load') ? asked.method : undefined,
  ),
  probed('lim-queue', 'LIM-11', 'requests are held back instead of refused', () => leakyQueue(10, 20)),
  limited('lim-replica-apart', 'LIM-12', 'each process has a bucket of its own', bucket(), (asked, memory) =>
    keyOf(asked) === memory.key('load') ? `of ${asked.replica}` : undefined,
  ),
  limited('lim-phase', 'LIM-16', 'a burst across a second is admitted twice', () => fixedWindow(20, 1000)),
  limited('lim-of-tenant', 'LIM-17', 'all keys of a tenant share a bucket', bucket(), valid),
];
