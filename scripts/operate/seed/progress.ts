/** Progress of a long write: on a terminal one line that is updated, elsewhere a plain line now and then. */

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const LINE_EVERY_MS = { terminal: 200, plain: 5_000 };

/** `1234567` → `1 234 567` */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}

/** Reports to `output`; the last line is always written. */
export function progressReporter(label: string, total: number, output: Output, now = () => performance.now()) {
  let last = now();
  return (done: number): void => {
    const time = now();
    const finished = done >= total;
    if (!finished && time - last < (output.isTTY ? LINE_EVERY_MS.terminal : LINE_EVERY_MS.plain)) return;
    last = time;
    const line = `${label}: ${grouped(done)} of ${grouped(total)} employees (${Math.floor((100 * done) / total)} %)`;
    output.write(output.isTTY ? `\r\x1b[K${line}${finished ? '\n' : ''}` : `${line}\n`);
  };
}
