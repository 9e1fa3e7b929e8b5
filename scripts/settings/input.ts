/** Reads what a command is given: a file, or standard input. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { refuse } from './failure.ts';

/**
 * The text of a file; `-` is standard input, read to its end as a stream, since a pipe may have nothing to say yet.
 * @throws Failure (refused)
 */
export async function readInput(path: string): Promise<string> {
  try {
    return path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
  } catch (error) {
    return refuse(`The file ${path} cannot be read: ${(error as Error).message}`);
  }
}
