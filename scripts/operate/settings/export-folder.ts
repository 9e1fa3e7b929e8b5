/**
 * A folder that an export is written to. Each file appears under its name when it is complete, so an export that was
 * interrupted continues with those that are missing; the manifest, with the digest of every file, is written last.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { access, constants, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refuse } from '../../kit/command-line.ts';
import { jsonText } from './shape.ts';

const MANIFEST = 'manifest.json';
const BEGUN = 'export.json';

interface ExportedFile {
  readonly path: string;
  readonly size_bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** What the export is of, as `export.json` and the manifest say it. */
type ExportSubject = Readonly<Record<string, string>>;

export type ExportFolder = Awaited<ReturnType<typeof openExport>>;

/** Makes the folder, or finds the one of an interrupted export of the same. @throws Failure for any other folder */
export async function openExport(root: string, subject: ExportSubject) {
  const note = path.join(root, BEGUN);
  const refused = ({ message }: Error) => refuse(`The folder ${root} cannot be written: ${message}.`);
  if (!existsSync(root)) {
    await mkdir(root, { recursive: true, mode: 0o700 }).catch(refused);
    await writeFile(note, `${JSON.stringify(subject)}\n`, { mode: 0o600 });
  }
  const noted = existsSync(note) ? await readFile(note, 'utf8') : '';
  if (noted !== `${JSON.stringify(subject)}\n`) {
    refuse(`The folder ${root} exists, and holds no export of the same that was interrupted. Name a new one.`);
  }
  if (existsSync(path.join(root, MANIFEST))) refuse(`The export in ${root} is complete. Name a new folder.`);
  await access(root, constants.W_OK).catch(refused);
  return exportIn(root, subject);
}

function exportIn(root: string, subject: ExportSubject) {
  const files: ExportedFile[] = [];

  /** Whether a file of an earlier, interrupted run is complete. */
  const has = (name: string): boolean => existsSync(path.join(root, name));

  /** Writes a file, unless it is there already. @returns its size and digest */
  async function write(
    name: string,
    bytes: () => AsyncIterable<Uint8Array | string> | Promise<AsyncIterable<Uint8Array>>,
  ) {
    const file = path.join(root, name);
    if (!has(name)) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const part = `${file}.part`;
      await pipeline(Readable.from(await bytes()), createWriteStream(part, { mode: 0o600, flush: true }));
      await rename(part, file);
    }
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    const written = { path: name, size_bytes: (await stat(file)).size, sha256: hash.digest('hex') };
    files.push(written);
    return written;
  }

  return {
    has,
    write,

    json: (name: string, value: unknown) =>
      write(name, async function* () {
        yield `${jsonText(value, 2)}\n`;
      }),

    /** Writes the manifest, which makes the export complete. @returns how many files there are, and their size */
    async finish(more: Readonly<Record<string, unknown>>): Promise<{ files: number; size_bytes: number }> {
      const text = `${JSON.stringify({ ...subject, ...more, files }, null, 2)}\n`;
      const part = path.join(root, `${MANIFEST}.part`);
      await writeFile(part, text, { mode: 0o600, flush: true });
      await rename(part, path.join(root, MANIFEST));
      return { files: files.length, size_bytes: files.reduce((sum, each) => sum + each.size_bytes, 0) };
    },
  };
}
