/** Writes a file completely or not at all: if the program is interrupted, the old file stays. */
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** @param mode of a new file; an existing file keeps its own */
export function replaceFile(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.new`;
  // An earlier process of this number may have been killed.
  rmSync(beside, { force: true });
  try {
    writeFileSync(beside, text, { mode: existsSync(path) ? statSync(path).mode & 0o777 : mode, flag: 'wx' });
    renameSync(beside, path);
  } finally {
    rmSync(beside, { force: true });
  }
}
