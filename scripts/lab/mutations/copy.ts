/** A copy of the project, into which one mutation after another is written. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutated, type PlantedCode } from './mutation.ts';

/** Removes a copy, also while programs that end still write there. */
export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** Does the work while the copy contains the mutation. @throws Error if it does not fit its file */
export async function withMutation<T>(folder: string, mutation: PlantedCode, work: () => Promise<T>): Promise<T> {
  const file = join(folder, mutation.file);
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, mutated(source, mutation));
  try {
    return await work();
  } finally {
    writeFileSync(file, source);
  }
}
