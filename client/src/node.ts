import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const LONGEST_BYTES = 52_428_800;

/** A PDF of the file system, to be given to `files.upload`. @throws RangeError if it is larger than storage takes */
export async function fileAt(path: string | URL): Promise<File> {
  const { size } = await stat(path);
  if (size > LONGEST_BYTES) throw new RangeError(`A file may have at most ${LONGEST_BYTES} bytes.`);
  const name = basename(path instanceof URL ? fileURLToPath(path) : path);
  return new File([new Uint8Array(await readFile(path))], name, { type: 'application/pdf' });
}
