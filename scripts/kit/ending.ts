/**
 * How the project's programs end: after all that they have printed is written, when a signal asks for it, and quietly
 * when nobody reads their output any more.
 */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * One request to stop can arrive several times within this time, in milliseconds: a terminal and `timeout` send it to
 * all processes, and npm and `run.mjs` hand it on, on a busy machine seconds later.
 */
const SAME_REQUEST_MS = 3_000;
/** How long a program that was asked to stop waits for the reader of its output, in milliseconds. */
const PATIENCE_MS = 1_000;

const stopping = new AbortController();
let askedAt: number | undefined;
let tidiesUp = false;
let isListening = false;
let unwritten: Error | undefined;
let ending: Promise<never> | undefined;

/** What a shell reports of a process that the signal has ended. */
const codeOf = (signal: (typeof SIGNALS)[number]) => 128 + constants.signals[signal];

function listenForSignals(): void {
  if (isListening) return;
  isListening = true;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // The program has its own way.
      if (process.listenerCount(signal) > 1) return;
      askedAt ??= performance.now();
      const isRepeat = performance.now() - askedAt <= SAME_REQUEST_MS;
      if (stopping.signal.aborted && isRepeat) return;
      if (!tidiesUp || !isRepeat) process.exit(codeOf(signal));
      stopping.abort(signal);
    });
  }
}

/**
 * Aborted when this process is asked to end: by SIGINT (Ctrl-C), SIGTERM or SIGHUP, or because nobody reads its output
 * any more. The program then has to end by itself; a second request ends it at once. Without a call of this function, a
 * signal ends the process immediately. Programs that it has started are then ended with it.
 */
export function untilStopped(): AbortSignal {
  tidiesUp = true;
  listenForSignals();
  return stopping.signal;
}

function outputFailed(error: NodeJS.ErrnoException): void {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code !== 'EPIPE') unwritten ??= error;
  if (!tidiesUp) void end(0);
  // A service or a long run goes on without a file that is full.
  else if (unwritten === undefined) stopping.abort('EPIPE');
}

/** Settles when all that was printed is written, or cannot be. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('close', resolve).write('', () => resolve());
  });
}

/** Ends the process once its output is written. Output that could not be written is a failure. */
function end(code: number): Promise<never> {
  ending ??= writeAndExit(code);
  return ending;
}

async function writeAndExit(code: number): Promise<never> {
  // From here on a signal ends the process at once, unless it asks for what is being done.
  tidiesUp = false;
  const tooLong = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
  for (const stream of [process.stdout, process.stderr]) {
    await (stopping.signal.aborted ? Promise.race([written(stream), tooLong]) : written(stream));
    // A failed write is reported later.
    await new Promise(setImmediate);
    if (unwritten !== undefined && stream === process.stdout) {
      process.stderr.write(`The output could not be written: ${unwritten.message}\n`);
    }
  }
  process.exit(unwritten !== undefined && code === 0 ? 1 : code);
}

/**
 * Runs a program as the whole of this process.
 * @param main gets the arguments and returns the exit code
 */
export async function runMain(
  main: (argv: readonly string[]) => number | Promise<number>,
  argv: readonly string[] = process.argv.slice(2),
): Promise<never> {
  listenForSignals();
  process.stdout.on('error', outputFailed);
  process.stderr.on('error', () => {});
  return end(await main(argv));
}
