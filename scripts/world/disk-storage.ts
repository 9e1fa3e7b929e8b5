/** For tests: a folder and its listener in the same process, forms as clients send them, and a moved clock. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clockOffsetMs, setClockOffset } from '../../handlers/runtime/clock.ts';
import type { Logger } from '../../handlers/runtime/log.ts';
import { loggerTo } from '../../handlers/runtime/log.ts';
import { ACCESS_KEY_ID, REGION } from '../../handlers/storage/aws-signature.ts';
import { BUCKET, type DiskParts, diskStorage } from '../../handlers/storage/disk.ts';
import { type DiskListenOptions, serveDisk } from '../../handlers/storage/disk-listener.ts';
import { openFolder } from '../../handlers/storage/folder.ts';
import { type Presigner, presigner } from '../../handlers/storage/presign.ts';
import type { Storage, UploadForm } from '../../handlers/storage/storage.ts';

export const PDF = 'application/pdf';

export interface DiskBed {
  readonly storage: Storage;
  readonly dir: string;
  readonly url: string;
  readonly port: number;
  readonly logged: string[];
  readonly parts: DiskParts;
  stop(): Promise<void>;
}

/** Signs for the disk storage at the URL with a secret. */
export function diskPresigner(url: string, secret: string): Presigner {
  const credentials = { accessKeyId: ACCESS_KEY_ID, secretAccessKey: secret };
  return presigner({ endpoint: url, region: REGION, forcePathStyle: true, credentials }, BUCKET);
}

/** Opens one in a new folder. @param path a path that a proxy would add to its URL */
export async function openDiskBed(changes: Partial<DiskListenOptions> = {}, path = ''): Promise<DiskBed> {
  const dir = mkdtempSync(join(tmpdir(), 'disk-storage-'));
  const logged: string[] = [];
  const log: Logger = loggerTo('info', { write: (line) => void logged.push(line) });
  let parts: DiskParts = { folder: await openFolder(dir), url: '', secret: async () => 'secret of a test' };
  const listener = await serveDisk(() => parts, log, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 100,
    headersTimeoutMs: 10_000,
    transferTimeoutMs: 60_000,
    ...changes,
  });
  parts = { ...parts, url: listener.url + path };
  return {
    storage: diskStorage(parts),
    dir,
    url: parts.url,
    port: Number(new URL(listener.url).port),
    logged,
    parts,
    async stop() {
      await listener.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export const newKey = () => `uploads/${randomUUID()}/${randomUUID()}`;

/** The form as a client sends it; `changes` replace or add fields, before the file. @returns the status */
export async function postForm(form: Pick<UploadForm, 'url' | 'fields'>, bytes: Uint8Array | string): Promise<number> {
  const body = new FormData();
  for (const [name, value] of Object.entries(form.fields)) body.set(name, value);
  body.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'any.pdf');
  const answer = await fetch(form.url, { method: 'POST', body });
  await answer.arrayBuffer();
  return answer.status;
}

/** Does the work with a moved clock of the service. */
export async function atOffset<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const before = clockOffsetMs();
  setClockOffset(before + ms);
  try {
    return await work();
  } finally {
    setClockOffset(before);
  }
}
