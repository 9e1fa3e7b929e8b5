/** How slowly a body may arrive (D-33), judged with a clock that the test moves; and media types that are malformed. */

import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { checkMediaType, mediaTypeOf, readBody } from './body.ts';

const LOOK_MS = 500;
const KIB = 1024;
let now: number;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** Lets time pass in which the process runs. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += LOOK_MS) {
    now += LOOK_MS;
    jest.advanceTimersByTime(LOOK_MS);
    await setImmediate();
  }
}

/** Begins to read a body. @param grown what the service waits for when the body needs more memory */
function reading(grown: Promise<void> = Promise.resolve()) {
  const sent = new PassThrough();
  const req = Object.assign(sent, { headers: {}, complete: true }) as unknown as IncomingMessage;
  const room = { bytes: KIB, grow: () => grown, release: () => {} };
  const body = readBody(req, 1024 * KIB, room);
  const outcome = { body: undefined as Buffer | undefined, status: undefined as number | undefined };
  body.then(
    (bytes) => Object.assign(outcome, { body: bytes }),
    (error) => Object.assign(outcome, { status: error.httpStatus }),
  );
  return { sent, outcome };
}

test('a body slower than 4 KiB a second is refused with 408 after 5 seconds', async () => {
  const { sent, outcome } = reading();
  await pass(5_000);
  expect(outcome.status).toBeUndefined();
  sent.write(Buffer.alloc(23 * KIB));
  await setImmediate();
  await pass(500);
  expect(outcome.status).toBeUndefined();
  await pass(500);
  expect(outcome.status).toBe(408);
});

test('time in which the process stands still does not count, since what arrives meanwhile is read after it', async () => {
  const { sent, outcome } = reading();
  now += 60_000;
  jest.advanceTimersByTime(LOOK_MS);
  await setImmediate();
  sent.end('arrived');
  await setImmediate();
  expect([outcome.status, outcome.body?.toString()]).toEqual([undefined, 'arrived']);
});

test('time in which the body waits for memory does not count', async () => {
  const grown = Promise.withResolvers<void>();
  const { sent, outcome } = reading(grown.promise);
  sent.write(Buffer.alloc(2 * KIB));
  await setImmediate();
  await pass(60_000);
  grown.resolve();
  await setImmediate();
  await pass(4_500);
  expect(outcome.status).toBeUndefined();
  await pass(1_000);
  expect(outcome.status).toBe(408);
});

test.each([
  '',
  'json',
  '/json',
  'application/',
  ' application/json',
  'application /json',
  'application/json charset=utf-8',
  'application/json;charset = utf-8',
  'application/json;charset= utf-8',
  'application/json;charset',
  'application/json;charset=',
  'application/json;=utf-8',
  'application/json;charset="utf-8',
  'application/json;charset="utf-8"x',
  'application/json;charset=utf-8,text/plain',
  'application/json;a="\u0001"',
])('the media type %j is malformed', (text) => expect(mediaTypeOf(text)).toBeUndefined());

test.each([
  [['application/json; charset=utf-16'], 'The charset in Content-Type must be utf-8, or none.'],
  [['text/plain'], 'Content-Type must be application/json.'],
  [['json'], 'Content-Type is malformed; it must be application/json.'],
  [[], 'Content-Type is missing; it must be application/json.'],
])('the refusal of %j says what is wrong with it', (given, message) => {
  const req = { headers: {}, headersDistinct: { 'content-type': given } };
  expect(() => checkMediaType(req as unknown as IncomingMessage)).toThrow(message);
});
