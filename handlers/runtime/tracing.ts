/**
 * Traces (W3C Trace Context, https://www.w3.org/TR/trace-context/): a request continues the trace that its caller names, or
 * begins one; log lines and deliveries carry it on. Spans are made only where they are exported (`tracing-otlp.ts`).
 * `tracestate` is dropped, which the standard allows: it is the caller's text, and would end up with receivers.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** The place of a piece of work in a trace. */
export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Whether anybody else knows of it. Only then is it passed on: to others, an unsampled trace says not to sample. */
  readonly isShared: boolean;
  /** Only where spans are exported. */
  readonly span?: OpenSpan;
}

/** What a trace has in common with one of another process. */
export type TracePlace = Pick<Trace, 'traceId' | 'spanId' | 'isSampled'>;

type Attributes = Readonly<Record<string, string | number>>;

/** What is known of a piece of work when it begins. Names and values come from the contract or from closed lists. */
export interface SpanDescription {
  readonly name: string;
  /** Of OpenTelemetry: who asked, and who was asked. */
  readonly kind: 'server' | 'client' | 'consumer' | 'producer';
  readonly attributes?: Attributes;
}

/** What is known at its end. */
export interface SpanEnd {
  readonly name?: string;
  readonly attributes?: Attributes;
  /** Present if it failed: the name of the error. */
  readonly errorType?: string;
}

/** A span that has not ended. */
export interface OpenSpan extends TracePlace {
  end(end: SpanEnd): void;
}

/** Begins a span. @param startedMs when it began, as `performance.now()`; now if it is left out */
export type SpanMaker = (description: SpanDescription, parent: TracePlace | undefined, startedMs?: number) => OpenSpan;

let make: SpanMaker | undefined;

/** Makes spans from now on; undefined makes none. */
export function setSpanMaker(maker: SpanMaker | undefined): void {
  make = maker;
}

const current = new AsyncLocalStorage<Trace | undefined>();

/** The trace of what is being done; undefined in work that belongs to none. */
export const currentTrace = (): Trace | undefined => current.getStore();

/** Does the work, and all that it begins, in the trace. */
export const inTrace = <T>(trace: Trace | undefined, work: () => T): T => current.run(trace, work);

const PLACE = '(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})';
/** Later versions may add more after the flags. */
const TRACEPARENT = new RegExp(`^(?:00-${PLACE}|(?!00|ff)[0-9a-f]{2}-${PLACE}(?:-.*)?)$`);

/** What a `traceparent` says; undefined if there is none, or if it is not valid. */
export function parseTraceparent(text: unknown): TracePlace | undefined {
  if (typeof text !== 'string') return undefined;
  const [traceId, spanId, flags] = (TRACEPARENT.exec(text) ?? []).slice(1).filter((part) => part !== undefined);
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The `traceparent` by which the trace continues elsewhere. */
export function traceparentOf({ traceId, spanId, isSampled }: TracePlace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** The `traceparent` of what is being done, for others; undefined if there is nothing that concerns them. */
export function traceparent(): string | undefined {
  const trace = currentTrace();
  return trace?.isShared === true ? traceparentOf(trace) : undefined;
}

let pool = Buffer.alloc(0);
let used = 0;

/** Random hex digits, of many bytes that are fetched at a time: each call of the system costs microseconds. */
function randomId(bytes: number): string {
  if (used + bytes > pool.length) {
    pool = randomBytes(4096);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}

/** Begins a piece of work in a trace: that of `parent`, or a new one. @param isSilent whether no span is made of it */
export function beginTrace(description: SpanDescription, parent: TracePlace | undefined, isSilent = false): Trace {
  const span = isSilent ? undefined : make?.(description, parent);
  if (span !== undefined) {
    const { traceId, spanId, isSampled } = span;
    return { traceId, spanId, isSampled, isShared: true, span };
  }
  const { traceId = randomId(16), isSampled = false } = parent ?? {};
  return { traceId, spanId: randomId(8), isSampled, isShared: parent !== undefined };
}

/** Records a piece of work that has ended, within what is being done. @param startedMs as `performance.now()` */
export function noteSpan(describe: () => SpanDescription, startedMs: number, errorType?: string): void {
  const trace = make === undefined ? undefined : currentTrace();
  // Of work that belongs to no trace there would be a trace for each command.
  if (trace?.span !== undefined) make?.(describe(), trace, startedMs).end({ errorType });
}

/**
 * Does work that something earlier caused, in the trace of that. If it is not known, the work has none, or one of its own
 * where spans are exported.
 * @param stored the `traceparent` of the cause @param ended what is known at the end of work that did not throw
 */
export async function continueTrace<T>(
  description: SpanDescription,
  stored: string | undefined,
  work: () => Promise<T>,
  ended: (result: T) => SpanEnd = () => ({}),
): Promise<T> {
  const parent = parseTraceparent(stored);
  if (parent === undefined && make === undefined) return inTrace(undefined, work);
  const { isShared, ...trace } = beginTrace(description, parent);
  try {
    const result = await inTrace({ ...trace, isShared: isShared && parent !== undefined }, work);
    trace.span?.end(ended(result));
    return result;
  } catch (error) {
    trace.span?.end({ errorType: error instanceof Error ? error.name : typeof error });
    throw error;
  }
}
