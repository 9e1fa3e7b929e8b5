/**
 * What a check of a deployment is, and how all of them are run: side by side, each within its time, and whatever they make is
 * removed again, also when somebody stops them. No check throws: one that cannot be made says why.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Environment } from '../runtime/environment.ts';
import { LATE } from '../runtime/outage-reasons.ts';
import type { Lookup } from '../webhooks/outbound/resolve.ts';
import type { CheckedBucket } from './bucket-client.ts';
import type { CheckedDatabase } from './connection.ts';
import { type CheckFinding, CheckSkip, type Judgement, reasonFor, skipped, wrong } from './finding.ts';

/** What checks work with. */
export interface CheckContext {
  readonly config: Config;
  readonly env: Environment;
  /** The variables that came from `--env-file`, and its path. */
  readonly envFile?: string | undefined;
  readonly fontFiles: readonly string[];
  /** The address of the terminator, without the prefix of the interface. */
  readonly url?: URL | undefined;
  /** The receiver to which webhooks must find their way. */
  readonly webhookUrl?: URL | undefined;
  readonly lookup: Lookup;
  readonly database: CheckedDatabase;
  /** @throws CheckSkip where files are in a folder */
  bucket(): CheckedBucket;
  /** Aborted when the time of all checks is over, or when somebody stops them. */
  readonly signal: AbortSignal;
  /**
   * Removes what a check makes. Call it before making it, so that nothing stays that is made just before a stop.
   * @param what it is, for an operator who has to remove it
   */
  undo(what: string, work: () => Promise<unknown>): void;
}

/** One check. */
export interface DeploymentCheck {
  /** Its subject and what of it, such as `bucket.versioning`. */
  readonly name: string;
  /** What it looks at, for `--help`. */
  readonly about: string;
  /** How long it may take, in milliseconds; {@link LIMIT_MS} by default. */
  readonly limitMs?: number;
  run(context: CheckContext): Promise<Judgement>;
}

const LIMIT_MS = 10_000;
/** How long all undoing may take, in milliseconds. */
const UNDO_MS = 8_000;

/** Work to undo, done once, the latest first. */
export class Undoing {
  readonly #left = new Set<string>();
  readonly #works = new AsyncDisposableStack();

  add(what: string, work: () => Promise<unknown>): void {
    this.#works.defer(async () => {
      await work();
      this.#left.delete(what);
    });
    this.#left.add(what);
  }

  /** Never fails. Nothing can be added afterwards. @returns what is left, because it could not be removed or took too long */
  async undo(): Promise<string[]> {
    const all = this.#works.disposeAsync().catch(() => {});
    await Promise.race([all, pause(UNDO_MS, undefined, { ref: false })]);
    return [...this.#left];
  }
}

/** How often this program looks whether it gets its turns, in milliseconds. */
const TURN_MS = 20;
/** With a smaller share of its turns, it is slower than the limits of the checks allow for. */
const LEAST_SHARE = 0.25;
/** In what is said where a wait has ended; the driver of the database waits for a server that it finds. */
const WAITED = new RegExp(`${LATE}|MongoServerSelectionError`);

/**
 * Makes one check. Where others keep the machine busy, or other checks this program, it hears of answers late: then what a
 * clock has found does not count.
 */
async function findingOf(check: DeploymentCheck, context: CheckContext): Promise<CheckFinding> {
  const turns = monitorEventLoopDelay({ resolution: TURN_MS });
  turns.enable();
  const fromMs = monotonicMs();
  const { isTimed, ...found } = await judgementOf(check, context);
  turns.disable();
  const share = ((turns.count + 1) * TURN_MS) / (monotonicMs() - fromMs);
  if (share >= LEAST_SHARE || !(isTimed || WAITED.test(found.says))) return { check: check.name, ...found };
  return {
    check: check.name,
    verdict: 'SLOW',
    says: `${found.says}; this program got ${Math.round(share * 100)} % of its turns, too few to tell`,
    todo: 'Make the check again when the machine is less busy.',
  };
}

/** Makes one check, within its time. */
async function judgementOf(check: DeploymentCheck, context: CheckContext): Promise<Judgement> {
  const { limitMs = LIMIT_MS } = check;
  const over = AbortSignal.any([context.signal, AbortSignal.timeout(limitMs)]);
  const ended = new Promise<Judgement>((resolve) => {
    const end = () => {
      if (context.signal.aborted) resolve(skipped('stopped before its end'));
      else resolve(wrong(`${LATE}: ${limitMs / 1_000} s`, 'See whether what it asks is up, and what is in between.'));
    };
    if (over.aborted) end();
    over.addEventListener('abort', end);
  });
  const made = check.run(context).catch((error: unknown) => {
    if (error instanceof CheckSkip) return skipped(error.message);
    return wrong(
      `could not be made: ${reasonFor(error)}`,
      'If nothing else explains it, it is a fault of this program.',
    );
  });
  return Promise.race([made, ended]);
}

/** Makes all checks at once. @returns their findings, in the order of the checks */
export function findingsOf(checks: readonly DeploymentCheck[], context: CheckContext): Promise<CheckFinding[]> {
  return Promise.all(checks.map((check) => findingOf(check, context)));
}
