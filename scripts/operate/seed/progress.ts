/** Progress of a long write: on a terminal one line that is updated, elsewhere a plain line now and then. */

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const LINE_EVERY_MS = { terminal: 200, plain: 5_000 };

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1234567` → `1 234 567` */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}

/** One line of progress: how many rows and, after the first, how fast, and how much time is left. */
export function progressLine(label: string, done: number, total: number, elapsedMs: number): string {
  const percent = Math.floor((100 * done) / total);
  const head = `${label}: ${grouped(done)} of ${grouped(total)} employees (${percent} %)`;
  if (done === 0 || elapsedMs <= 0) return head;
  const rate = (done * 1000) / elapsedMs;
  if (done >= total) return `${head}, ${duration(elapsedMs)}, ${grouped(Math.round(rate))} a second`;
  return `${head}, ${grouped(Math.round(rate))} a second, ${duration((total - done) / (rate / 1000))} left`;
}

/** Reports to `output`; the last line is always written. */
export function progressReporter(label: string, total: number, output: Output, now = () => performance.now()) {
  const start = now();
  let last = start;
  return (done: number): void => {
    const time = now();
    const finished = done >= total;
    if (!finished && time - last < (output.isTTY ? LINE_EVERY_MS.terminal : LINE_EVERY_MS.plain)) return;
    last = time;
    const line = progressLine(label, done, total, time - start);
    output.write(output.isTTY ? `\r\x1b[K${line}${finished ? '\n' : ''}` : `${line}\n`);
  };
}
