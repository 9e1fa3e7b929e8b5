/** Writes the files of a report. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param files by their names; what is no text is written as JSON */
export function writeFiles(folder: string, files: Readonly<Record<string, string | object>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    writeFileSync(join(folder, name), text);
  }
}
