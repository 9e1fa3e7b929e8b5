/** A copy of the project, into which mutations are written one after another. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutation, mutated } from './mutation.ts';

/** Removes a copy, also while programs that end still write there. */
export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** Does the work while the copy contains the mutations. @throws Error if one does not fit its file */
export async function withMutations<T>(
  folder: string,
  mutations: readonly Mutation[],
  work: () => Promise<T>,
): Promise<T> {
  const sources = new Map(mutations.map(({ file }) => [file, readFileSync(join(folder, file), 'utf8')]));
  const texts = new Map(sources);
  for (const mutation of mutations) texts.set(mutation.file, mutated(texts.get(mutation.file) ?? '', mutation));
  const writeAll = (all: ReadonlyMap<string, string>) => {
    for (const [file, text] of all) writeFileSync(join(folder, file), text);
  };
  writeAll(texts);
  try {
    return await work();
  } finally {
    writeAll(sources);
  }
}
