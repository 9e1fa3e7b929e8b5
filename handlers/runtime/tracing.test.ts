import { afterEach, describe, expect, test } from '@jest/globals';
import { loggedLines } from '../../scripts/world/logged-lines.ts';
import { repeatWork } from '../jobs/repeated-work.ts';
import {
  beginTrace,
  continueTrace,
  currentTrace,
  inTrace,
  noteSpan,
  type OpenSpan,
  parseTraceparent,
  type SpanDescription,
  type SpanEnd,
  setSpanMaker,
  type TracePlace,
  traceparent,
  traceparentOf,
} from './tracing.ts';

/** The example of the standard. */
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const GIVEN = `00-${TRACE}-${PARENT}-01`;
const REQUEST = { name: 'GET', kind: 'server' } as const;

const { log, lines } = loggedLines();
const requestOf = (header?: string) => beginTrace(REQUEST, parseTraceparent(header));

afterEach(() => {
  setSpanMaker(undefined);
  lines.length = 0;
});

describe('a traceparent', () => {
  test.each([
    ['of version 0', GIVEN, true],
    ['that is not sampled', `00-${TRACE}-${PARENT}-00`, false],
    ['with flags of tomorrow', `00-${TRACE}-${PARENT}-03`, true],
    ['of a later version, with more at its end', `cc-${TRACE}-${PARENT}-01-what-comes`, true],
  ])('%s is taken', (_, text, isSampled) => {
    expect(parseTraceparent(text)).toEqual({ traceId: TRACE, spanId: PARENT, isSampled });
  });

  test.each([
    ['', 'nothing'],
    [`00-${'0'.repeat(32)}-${PARENT}-01`, 'no trace'],
    [`00-${TRACE}-${'0'.repeat(16)}-01`, 'no parent'],
    [`ff-${TRACE}-${PARENT}-01`, 'a version that is forbidden'],
    [`00-${TRACE.toUpperCase()}-${PARENT}-01`, 'upper case'],
    [`${GIVEN}-more`, 'more than version 0 has'],
    [`cc-${TRACE}-${PARENT}-01.`, 'a later version that goes on without a dash'],
    [`${GIVEN}, ${GIVEN}`, 'two of them'],
    [`00-${TRACE}-${PARENT}`, 'too little'],
  ])('%j is ignored: %s', (text) => expect(parseTraceparent(text)).toBeUndefined());
});

test('a request continues the trace of its caller as a new span; without one it begins a trace, which nobody else gets', () => {
  const continued = requestOf(GIVEN);
  expect(continued).toMatchObject({ traceId: TRACE, isSampled: true, isShared: true });
  expect(continued.spanId).not.toBe(PARENT);
  expect(inTrace(continued, traceparent)).toBe(`00-${TRACE}-${continued.spanId}-01`);
  const [one, other] = [requestOf(), requestOf('nonsense')];
  expect(parseTraceparent(traceparentOf(one))).toMatchObject({ traceId: one.traceId, spanId: one.spanId });
  expect(one.traceId).not.toBe(other.traceId);
  expect(inTrace(one, traceparent)).toBeUndefined();
});

test('lines under a request name its trace', () => {
  const trace = requestOf(GIVEN);
  inTrace(trace, () => log.info({ event: 'under' }));
  log.info({ event: 'outside' });
  expect(lines).toMatchObject([{ event: 'under', trace_id: TRACE, span_id: trace.spanId }, { event: 'outside' }]);
  expect(lines[1]).not.toHaveProperty('trace_id');
});

test('work that a request wakes belongs to no trace', async () => {
  const seen: unknown[] = [];
  const run = async () => {
    seen.push(currentTrace());
    return false;
  };
  await inTrace(requestOf(GIVEN), () => repeatWork({ name: 'woken', run }, log).begin());
  expect(seen).toEqual([undefined]);
});

test('where spans are made, they have their parents, and how they ended', async () => {
  const ended: [string, string | undefined, SpanEnd][] = [];
  let count = 0;
  setSpanMaker(({ name }: SpanDescription, parent: TracePlace | undefined): OpenSpan => {
    const spanId = String(++count).padStart(16, '0');
    const end = (how: SpanEnd) => void ended.push([name, parent?.spanId, how]);
    return { traceId: parent?.traceId ?? TRACE, spanId, isSampled: true, end };
  });
  const request = requestOf(GIVEN);
  inTrace(request, () => noteSpan(() => ({ name: 'find employees', kind: 'client' }), performance.now(), 'Broken'));
  // Polls of a worker, and invented requests, would be traces of their own.
  noteSpan(() => ({ name: 'find deliveries', kind: 'client' }), performance.now());
  expect(beginTrace(REQUEST, undefined, true)).not.toHaveProperty('span');
  request.span?.end({ name: 'GET /employees' });
  await expect(
    continueTrace({ name: 'apply', kind: 'consumer' }, GIVEN, () => Promise.reject(new TypeError())),
  ).rejects.toThrow(TypeError);
  expect(ended).toEqual([
    ['find employees', request.spanId, { errorType: 'Broken' }],
    ['GET', PARENT, { name: 'GET /employees' }],
    ['apply', PARENT, { errorType: 'TypeError' }],
  ]);
});
