/** Tries requests in two sizes, and judges how long they hold a thread (D-33). */
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from './server.ts';
import type { HeldTimes } from './thread-watch.ts';

/** The environment of a service whose main thread is watched. */
export const watchedEnv = { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'watched.ts')}` };

/** The longest piece, in milliseconds of processor time; a busy machine has colder caches and slower threads. */
const longestMs = () => ((loadavg()[0] as number) > availableParallelism() ? 250 : 50);
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

const median = (of: readonly number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] as number;

async function costOf({ what, send }: Trial, bytes: number, taken: () => Promise<HeldTimes>): Promise<HeldTimes> {
  let status = await send(bytes);
  // On a busy machine the database may be too slow once.
  for (let again = 0; again < 2 && status === 503; again++) {
    await taken();
    status = await send(bytes);
  }
  if (status >= 500 || status === 429 || status === 0) throw new Error(`${what} was answered ${status}`);
  return taken();
}

/** How many times as much the whole size costs as half of it: medians of five. What nobody notices counts as nothing. */
async function ratioOf(trial: Trial, taken: () => Promise<HeldTimes>): Promise<number> {
  const [half, whole]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round++) {
    half.push((await costOf(trial, trial.bytes / 2, taken)).total_ms);
    whole.push((await costOf(trial, trial.bytes, taken)).total_ms);
  }
  return median(whole) < NOTICED_MS ? 0 : median(whole) / median(half);
}

/** Names those that hold the thread too long, or cost too much in twice the size, which the costliest are tried in. */
export async function heldTooLong(
  trials: readonly Trial[],
  taken: () => Promise<HeldTimes>,
  triedTwice = 6,
): Promise<string[]> {
  const faults: string[] = [];
  const costly: { readonly trial: Trial; readonly total: number }[] = [];
  let [longest, where] = [0, ''];
  await taken();
  for (const trial of trials) {
    let held = await costOf(trial, trial.bytes, taken);
    const total = held.total_ms;
    // The first time includes compiling.
    for (let again = 0; again < 2 && held.longest_ms > longestMs(); again++)
      held = await costOf(trial, trial.bytes, taken);
    if (held.longest_ms > longestMs()) faults.push(`${trial.what}: held for ${Math.round(held.longest_ms)} ms`);
    if (held.longest_ms > longest) [longest, where] = [held.longest_ms, trial.what];
    if (total >= NOTICED_MS) costly.push({ trial, total });
  }
  for (const { trial } of costly.toSorted((a, b) => b.total - a.total).slice(0, triedTwice)) {
    let ratio = await ratioOf(trial, taken);
    // What grows faster than its size does so each time; collecting garbage does not.
    for (let again = 0; again < 2 && ratio > MOST_RATIO; again++) ratio = await ratioOf(trial, taken);
    if (ratio > MOST_RATIO) faults.push(`${trial.what}: twice the size costs ${ratio} times`);
  }
  // For whoever wants to know how far from the limit it is.
  process.stderr.write(`${trials.length} requests; the longest piece was ${longest.toFixed(1)} ms: ${where}\n`);
  return faults;
}
