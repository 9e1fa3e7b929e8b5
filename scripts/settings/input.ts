/** Reads the input of a command: a file, or standard input. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { refuse } from './failure.ts';

/**
 * The text of a file. `-` is standard input, read as a stream to its end, since a pipe may not have any data yet.
 * @throws Failure (refused)
 */
export async function readInput(path: string): Promise<string> {
  try {
    return path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
  } catch (error) {
    return refuse(`The file ${path} cannot be read: ${(error as Error).message}`);
  }
}
