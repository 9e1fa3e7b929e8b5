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
  const begun = `${JSON.stringify(subject)}\n`;
  const refused = ({ message }: Error) => refuse(`The folder ${root} cannot be written: ${message}.`);
  if (!existsSync(root)) {
    await mkdir(root, { recursive: true, mode: 0o700 }).catch(refused);
    await writeFile(note, begun, { mode: 0o600 });
  }
  const noted = existsSync(note) ? await readFile(note, 'utf8') : '';
  if (noted !== begun) {
    refuse(`The folder ${root} exists, and holds no export of the same that was interrupted. Name a new one.`);
  }
  if (existsSync(path.join(root, MANIFEST))) refuse(`The export in ${root} is complete. Name a new folder.`);
  await access(root, constants.W_OK).catch(refused);
  return exportIn(root, subject);
}

function exportIn(root: string, subject: ExportSubject) {
  const files: ExportedFile[] = [];

  type Bytes = () => AsyncIterable<Uint8Array | string> | Promise<AsyncIterable<Uint8Array>>;

  /** Writes a file, unless an earlier run that was interrupted has written it: then all of it is there. @returns its path */
  async function store(name: string, bytes: Bytes): Promise<string> {
    const file = path.join(root, name);
    if (!existsSync(file)) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const part = `${file}.part`;
      await pipeline(Readable.from(await bytes()), createWriteStream(part, { mode: 0o600, flush: true }));
      await rename(part, file);
    }
    return file;
  }

  /** Writes a file of the manifest. @returns its size and digest */
  async function write(name: string, bytes: Bytes) {
    const file = await store(name, bytes);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    const written = { path: name, size_bytes: (await stat(file)).size, sha256: hash.digest('hex') };
    files.push(written);
    return written;
  }

  /** A text as bytes of a file, with the end of its last line. */
  const linesOf = (text: string) =>
    async function* () {
      yield `${text}\n`;
    };

  return {
    write,

    json: (name: string, value: unknown) => write(name, linesOf(jsonText(value, 2))),

    /** Writes the manifest, which makes the export complete. @returns how many files there are, and their size */
    async finish(more: Readonly<Record<string, unknown>>) {
      await store(MANIFEST, linesOf(JSON.stringify({ ...subject, ...more, files }, null, 2)));
      return { files: files.length, size_bytes: files.reduce((sum, each) => sum + each.size_bytes, 0) };
    },
  };
}
