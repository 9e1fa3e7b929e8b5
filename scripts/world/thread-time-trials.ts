/** Tries requests in two sizes, and judges how long they hold a thread (D-33). */
import { join } from 'node:path';
import { forgetPeak, peakMib } from '../kit/processor-time.ts';
import type { RunningServer } from './server.ts';
import type { HeldTimes } from './thread-watch.ts';

/** The environment of a service whose main thread is watched. */
export const watchedEnv = { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'main-thread-preload.ts')}` };

/**
 * The longest piece, in milliseconds of processor time. The aim is 50 on a machine that does nothing else (D-33): beside
 * other work, the same piece was seen to cost up to twice as much, and what is wrong costs several times as much.
 */
const LONGEST_MS = 100;
const MOST_RATIO = 2.5;
/** A request that costs less is not tried in two sizes: noise decides then. */
const NOTICED_MS = 40;

export interface Trial {
  readonly what: string;
  readonly bytes: number;
  send(bytes: number): Promise<number>;
}

/** What the main thread of a service with {@link watchedEnv} has done since this was called last. */
export async function heldIn(server: RunningServer): Promise<HeldTimes> {
  const { lines } = server.process;
  const said = new Promise<HeldTimes>((resolve) => {
    const look = (line: string) => {
      if (!line.includes('"event":"held"')) return;
      lines.off('line', look);
      resolve(JSON.parse(line));
    };
    lines.on('line', look);
  });
  server.process.signal('SIGUSR2');
  return said;
}

/** The memory that a request may take: so many times its bytes, and so much more. */
const MOST_TIMES = 4;
const MOST_MORE_MIB = 16;

/** Of what is tried: what its main thread has done since this was asked last, and its process, if its memory counts. */
export interface WatchedProcess {
  taken(): Promise<HeldTimes>;
  readonly pid?: number | undefined;
}

interface Cost extends HeldTimes {
  /** The memory that is taken beyond what the bytes allow. */
  readonly over_mib: number;
}

async function costOf({ what, send }: Trial, bytes: number, { taken, pid }: WatchedProcess): Promise<Cost> {
  const before = pid === undefined ? 0 : forgetPeak(pid);
  const status = await send(bytes);
  if (status >= 500 || status === 429 || status === 0) throw new Error(`${what} was answered ${status}`);
  const used = pid === undefined ? 0 : peakMib(pid) - before;
  return { ...(await taken()), over_mib: used - (MOST_TIMES * bytes) / 2 ** 20 - MOST_MORE_MIB };
}

/** How many times as much the whole size costs as half of it, at least in five. What nobody notices counts as nothing. */
async function ratioOf(trial: Trial, watched: WatchedProcess): Promise<number> {
  let [half, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 5; round++) {
    half = Math.min(half, (await costOf(trial, trial.bytes / 2, watched)).total_ms);
    whole = Math.min(whole, (await costOf(trial, trial.bytes, watched)).total_ms);
    if (whole < NOTICED_MS) return 0;
  }
  return whole / half;
}

/** Tries again what costs too much: the first time includes compiling, and garbage of others is collected at any time. */
async function leastCost(trial: Trial, watched: WatchedProcess): Promise<Cost> {
  let cost = await costOf(trial, trial.bytes, watched);
  for (let again = 0; again < 3 && (cost.longest_ms > LONGEST_MS || cost.over_mib > 0); again++) {
    cost = await costOf(trial, trial.bytes, watched);
  }
  return cost;
}

/**
 * Names those that hold the thread too long or take too much memory, or cost too much in twice the size, which the
 * costliest are tried in.
 */
export async function heldTooLong(
  trials: readonly Trial[],
  watched: WatchedProcess,
  triedTwice = 6,
): Promise<string[]> {
  const faults: string[] = [];
  const costly: { readonly trial: Trial; readonly total: number }[] = [];
  let [longest, where] = [0, ''];
  await watched.taken();
  for (const trial of trials) {
    const { longest_ms, total_ms: total, over_mib } = await leastCost(trial, watched);
    if (longest_ms > LONGEST_MS) faults.push(`${trial.what}: held for ${Math.round(longest_ms)} ms`);
    if (over_mib > 0) faults.push(`${trial.what}: ${Math.round(over_mib)} MiB too much`);
    if (longest_ms > longest) [longest, where] = [longest_ms, trial.what];
    if (total >= NOTICED_MS) costly.push({ trial, total });
  }
  for (const { trial } of costly.toSorted((a, b) => b.total - a.total).slice(0, triedTwice)) {
    let ratio = await ratioOf(trial, watched);
    // What grows faster than its size does so each time; collecting garbage does not.
    for (let again = 0; again < 2 && ratio > MOST_RATIO; again++) ratio = await ratioOf(trial, watched);
    if (ratio > MOST_RATIO) faults.push(`${trial.what}: twice the size costs ${ratio} times`);
  }
  // For whoever wants to know how far from the limit it is.
  process.stderr.write(`${trials.length} requests; the longest piece was ${longest.toFixed(1)} ms: ${where}\n`);
  return faults;
}
