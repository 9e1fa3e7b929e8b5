/** The log of a process in the data folder. Starts append to it, and its size is bounded. */
import { appendFileSync, renameSync, statSync } from 'node:fs';

/** How long the file becomes, in bytes. The file before it, with `.old` at the end of its name, is kept too. */
const MOST_BYTES = 16 * 2 ** 20;

/** Appends to a file that only its owner can read. What cannot be written is lost: a log never ends the service. */
export function logFileWriter(file: string, mostBytes = MOST_BYTES): (text: string) => void {
  return (text) => {
    try {
      if (sizeOf(file) + Buffer.byteLength(text) > mostBytes) renameSync(file, `${file}.old`);
    } catch {
      // There is no file yet, or it cannot be moved: it becomes longer.
    }
    try {
      appendFileSync(file, text, { mode: 0o600 });
    } catch {
      // The next piece is tried again.
    }
  };
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
