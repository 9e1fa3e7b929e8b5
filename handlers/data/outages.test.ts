import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { MongoNetworkError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { loggedLines } from '../../scripts/world/logged-lines.ts';
import { unavailableError } from '../answers/errors.ts';
import { repeatWork } from '../jobs/repeated-work.ts';
import { isPartOfOutage, logFailure, noteAway, noteRefusal, watchOutages } from './outages.ts';

const { log, lines: logged } = loggedLines();
let isBack = false;
let unwatch: () => void;

beforeEach(() => {
  jest.useFakeTimers();
  logged.length = 0;
  isBack = false;
  unwatch = watchOutages('store', { log, place: 'db-1:27017', isBack: async () => isBack });
});

afterEach(() => {
  unwatch();
  jest.useRealTimers();
});

const lost = new MongoNetworkError('what was sent', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const events = () => logged.map(({ event, reason }) => (reason === undefined ? event : `${event}: ${reason}`));
const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);

test('an outage is one line at its beginning and one at its end, however many requests and loops meet it', async () => {
  const loops = ['a', 'b', 'c'].map((name) => {
    const run = () => (isBack ? Promise.resolve(false) : Promise.reject(refused));
    return repeatWork({ name, everyMs: 1_000, run }, log);
  });
  for (const loop of loops) void loop.begin();
  for (let i = 0; i < 1_000; i++) {
    logFailure(log, 'error', { request_id: i }, refused);
    noteRefusal(unavailableError('database_away', {}));
  }
  // Others have nothing to do with it.
  noteRefusal(unavailableError('share', {}));
  noteRefusal(unavailableError('storage', {}));
  await seconds(60);
  expect(logged).toEqual([
    expect.objectContaining({
      level: 'error',
      event: 'store_unavailable',
      place: 'db-1:27017',
      reason: 'refuses connections (ECONNREFUSED)',
    }),
  ]);
  isBack = true;
  await seconds(10);
  expect(logged.slice(1)).toEqual([
    expect.objectContaining({ level: 'info', event: 'store_recovered', place: 'db-1:27017', refused_requests: 1_000 }),
  ]);
  const { outage_ms } = logged[1] as { outage_ms: number };
  expect(outage_ms).toBeGreaterThanOrEqual(60_000);
  expect(outage_ms).toBeLessThan(66_000);
  noteAway('store', 'again');
  expect(events().slice(2)).toEqual(['store_unavailable: again']);
  await Promise.all(loops.map((loop) => loop.stop()));
});

test('another reason that lasts is one line, and no outage has more than eight', async () => {
  noteAway('store', 'one');
  // In between, and over before anybody could act on it.
  noteAway('store', 'two');
  noteAway('store', 'three');
  await seconds(1);
  noteAway('store', 'one');
  await seconds(1);
  expect(events()).toEqual(['store_unavailable: one', 'store_still_unavailable: three']);
  for (let i = 0; i < 20; i++) {
    noteAway('store', `reason ${i}`);
    await seconds(1);
  }
  expect(logged).toHaveLength(8);
});

test('a store that fails again while it is tried is not back', async () => {
  noteAway('store', 'one');
  isBack = true;
  for (let i = 0; i < 10; i++) {
    await seconds(1);
    noteAway('store', 'one');
  }
  expect(events()).toEqual(['store_unavailable: one']);
  await seconds(3);
  expect(events()).toEqual(['store_unavailable: one', 'store_recovered']);
});

test('other failures keep their lines; without a watch, as in tools, all do', async () => {
  logFailure(log, 'warn', { event: 'work_failed' }, new TypeError('x'));
  expect(isPartOfOutage(unavailableError('share', {}))).toBe(false);
  unwatch();
  logFailure(log, 'warn', { event: 'work_failed' }, lost);
  expect(logged).toMatchObject([{ error: { kind: 'TypeError' } }, { error: { kind: 'MongoNetworkError' } }]);
});

const servers = new Map<string, object>([
  ['db-1:27017', { address: 'db-1:27017', error: new MongoNetworkError('', { cause: refused }) }],
  ['db-2:27017', { address: 'db-2:27017', error: null }],
]);
const selection = (known: object) => new MongoServerSelectionError('', { servers: known } as never);
const server = (code: number, codeName: string) => new MongoServerError({ code, codeName, message: '' });
const system = (code: string) => new MongoNetworkError('', { cause: Object.assign(new Error(), { code }) });

test.each([
  ['a server that is down', selection(servers), 'db-1:27017 refuses connections (ECONNREFUSED)'],
  ['members without a primary', selection(new Map()), 'there is no primary (MongoServerSelectionError)'],
  ['a wrong password', server(18, 'AuthenticationFailed'), 'authentication failed (AuthenticationFailed)'],
  ['a member that steps down', server(189, 'PrimarySteppedDown'), 'there is no primary (PrimarySteppedDown)'],
  ['a full disk', server(14031, 'OutOfDiskSpace'), 'no space is left (OutOfDiskSpace)'],
  ['a wrong name', system('ENOTFOUND'), 'its name was not found (ENOTFOUND)'],
  [
    'an unknown authority',
    system('SELF_SIGNED_CERT_IN_CHAIN'),
    'its certificate is not trusted (SELF_SIGNED_CERT_IN_CHAIN)',
  ],
  ['silence', system('ETIMEDOUT'), 'did not answer in time (ETIMEDOUT)'],
  ['anything else', system('EODD'), 'EODD'],
])('%s is told in words', (_what, error, reason) => {
  expect(isPartOfOutage(error)).toBe(true);
  expect(logged).toMatchObject([{ reason }]);
});
