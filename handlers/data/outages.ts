/**
 * Outages of what the process depends on. However many requests and background loops meet one, it is one line in the log
 * when it begins, one for each further reason, and one when it ends. A process has one database and one storage, so what
 * is known of them is kept here once.
 */
import { ApiError } from '../answers/errors.ts';
import { monotonicMs } from '../runtime/clock.ts';
import { describeError, type Logger } from '../runtime/log.ts';
import { isStoreAway, whyAway } from './database-unavailable.ts';

/** What a process depends on: its database, and where its files are. */
type Dependency = 'store' | 'storage';

/** How often it is tried whether an outage has ended, in milliseconds. */
const LOOK_MS = 1_000;
/** An outage has ended once so many tries in a row have succeeded, and nothing has failed meanwhile. */
const GOOD_LOOKS = 2;
/** The most reasons of one outage that are logged. */
const MOST_REASONS = 8;

/** How a dependency is watched. */
interface OutageWatch {
  readonly log: Logger;
  /** Which one it is, for the operator: servers, a bucket, a folder. */
  readonly place: string;
  /** Makes the kind of call that requests need. */
  isBack(): Promise<boolean>;
  /** Set by tests only. */
  readonly lookMs?: number;
}

interface Outage {
  readonly sinceMs: number;
  readonly logged: Set<string>;
  /** That of the last failure. */
  reason: string;
  failures: number;
  refused: number;
  /** Tries that succeeded since the last failure, and when the first of them did. */
  goodLooks: number;
  backMs: number;
}

/** A dependency that is watched, with its outage if there is one. */
class WatchedDependency {
  readonly #dependency: Dependency;
  readonly #watch: OutageWatch;
  #outage: Outage | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(dependency: Dependency, watch: OutageWatch) {
    this.#dependency = dependency;
    this.#watch = watch;
  }

  failed(reason: string): void {
    if (this.#outage === undefined) {
      const counts = { failures: 0, refused: 0, goodLooks: 0, backMs: 0 };
      this.#outage = { sinceMs: monotonicMs(), logged: new Set(), reason, ...counts };
      this.#log('unavailable', this.#outage);
      this.#lookLater();
    }
    this.#outage.reason = reason;
    this.#outage.failures += 1;
    this.#outage.goodLooks = 0;
  }

  refused(): void {
    if (this.#outage !== undefined) this.#outage.refused += 1;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #log(what: 'unavailable' | 'still_unavailable', { reason, logged }: Outage): void {
    logged.add(reason);
    this.#watch.log.error({ event: `${this.#dependency}_${what}`, place: this.#watch.place, reason });
  }

  #lookLater(): void {
    const { lookMs = LOOK_MS } = this.#watch;
    this.#timer = setTimeout(() => void this.#look(), lookMs).unref();
  }

  async #look(): Promise<void> {
    const outage = this.#outage as Outage;
    const { failures } = outage;
    const isBack = await this.#watch.isBack().catch(() => false);
    outage.goodLooks = isBack && outage.failures === failures ? outage.goodLooks + 1 : 0;
    if (outage.goodLooks === 1) outage.backMs = monotonicMs();
    if (outage.goodLooks === GOOD_LOOKS) return this.#end(outage);
    // Here and not at each failure: connections that break in different ways are one reason, the one that lasts.
    if (!outage.logged.has(outage.reason) && outage.logged.size < MOST_REASONS) this.#log('still_unavailable', outage);
    this.#lookLater();
  }

  #end({ sinceMs, backMs, refused }: Outage): void {
    this.#outage = undefined;
    const { log, place } = this.#watch;
    const outage_ms = Math.round(backMs - sinceMs);
    log.info({ event: `${this.#dependency}_recovered`, place, outage_ms, refused_requests: refused });
    for (const listener of listeners) listener();
  }
}

const listeners = new Set<() => void>();

/** Calls the listener after each outage, for work that failed meanwhile. @returns a function that removes the listener */
export function onRecovery(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const watched = new Map<Dependency, WatchedDependency>();

/** Begins to log outages of a dependency. @returns a function that ends it, before the dependency is closed */
export function watchOutages(dependency: Dependency, watch: OutageWatch): () => void {
  const one = new WatchedDependency(dependency, watch);
  watched.set(dependency, one);
  return () => {
    one.stop();
    if (watched.get(dependency) === one) watched.delete(dependency);
  };
}

/**
 * Notes that a call of the dependency failed because it is away.
 * @param reason in words, without anything that was sent or stored, and without anything that differs each time
 */
export function noteAway(dependency: Dependency, reason: string): void {
  watched.get(dependency)?.failed(reason);
}

/** Counts a request that is refused because a dependency is away; others are none of its business. */
export function noteRefusal({ extras: { cause } }: ApiError): void {
  if (cause === 'storage') watched.get('storage')?.refused();
  else if (cause?.startsWith('database_')) watched.get('store')?.refused();
}

/**
 * Notes a failure if it means that a dependency is away.
 * @returns whether it does, so that it needs no line of its own
 */
export function isPartOfOutage(error: unknown): boolean {
  if (isStoreAway(error)) {
    noteAway('store', whyAway(error));
    return watched.has('store');
  }
  // Whoever threw it has noted it.
  return error instanceof ApiError && error.extras.cause === 'storage' && watched.has('storage');
}

/** Logs a failure of work that nobody waits for, or that its answer does not explain, unless it is part of an outage. */
export function logFailure(log: Logger, level: 'warn' | 'error', line: FailureLine, error: unknown): void {
  if (!isPartOfOutage(error)) log[level]({ ...line, error: describeError(error) });
}

type FailureLine = Readonly<Record<string, unknown>>;
