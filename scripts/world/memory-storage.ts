/** Storage in memory, for tests of code that uses storage: with versions, and with hooks that make calls fail. */
import { createHash, randomUUID } from 'node:crypto';
import { unavailableError } from '../../handlers/answers/errors.ts';
import type { StoredObject } from '../../handlers/data/collections/files.ts';
import { nowMs } from '../../handlers/runtime/clock.ts';
import type { DownloadHeaders, ObjectVersion, Storage, UploadForm } from '../../handlers/storage/storage.ts';

interface Version {
  readonly version: string;
  readonly bytes: Uint8Array;
}

const CHUNK = 64 * 1024;

/** Keeps every version, the latest last. */
export class MemoryStorage implements Storage {
  private readonly objects = new Map<string, Version[]>();
  /** While true, every call fails as with a storage that is down. */
  down = false;
  /** While true, each piece of a read is overwritten by the next, which reveals code that keeps pieces. */
  reusesPieces = false;
  before: (call: keyof Storage, key: string) => void | Promise<void> = () => {};

  /** Uploads as a client does with a form. @returns the version */
  upload(key: string, bytes: Uint8Array | string): string {
    return this.add(key, Buffer.from(bytes as Uint8Array));
  }

  private add(key: string, bytes: Uint8Array): string {
    const version = randomUUID();
    this.objects.set(key, [...(this.objects.get(key) ?? []), { version, bytes }]);
    return version;
  }

  versions(key: string): string[] {
    return (this.objects.get(key) ?? []).map(({ version }) => version);
  }

  async uploadForm(key: string, contentType: string, maxBytes: number, lifetimeMs: number): Promise<UploadForm> {
    await this.enter('uploadForm', key);
    const fields = { key, 'Content-Type': contentType, policy: String(maxBytes) };
    return { url: 'https://storage.example.com/', fields, expire_time: new Date(nowMs() + lifetimeMs) };
  }

  async latest(key: string): Promise<(ObjectVersion & { readonly size_bytes: number }) | undefined> {
    await this.enter('latest', key);
    const found = this.objects.get(key)?.at(-1);
    return found && { key, version: found.version, size_bytes: found.bytes.length };
  }

  async read({ key, version }: ObjectVersion, range?: { readonly start: number; readonly end: number }) {
    await this.enter('read', key);
    const found = this.objects.get(key)?.find((kept) => kept.version === version);
    if (found === undefined) throw new Error('no such version');
    return this.pieces(range === undefined ? found.bytes : found.bytes.subarray(range.start, range.end + 1));
  }

  async write(key: string, _contentType: string, bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<StoredObject> {
    await this.enter('write', key);
    const parts: Uint8Array[] = [];
    if (bytes instanceof Uint8Array) parts.push(bytes);
    else for await (const part of bytes) parts.push(part);
    const whole = Buffer.concat(parts);
    const version = this.add(key, whole);
    return { key, version, size_bytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') };
  }

  async downloadUrl({ key, version }: ObjectVersion, headers: DownloadHeaders, lifetimeMs: number): Promise<string> {
    await this.enter('downloadUrl', key);
    const query = new URLSearchParams({ version, name: headers.filename, lifetime: String(lifetimeMs) });
    return `https://storage.example.com/${key}?${query}`;
  }

  async remove(key: string, keep?: string): Promise<void> {
    await this.enter('remove', key);
    const kept = (this.objects.get(key) ?? []).filter(({ version }) => version === keep);
    if (kept.length === 0) this.objects.delete(key);
    else this.objects.set(key, kept);
  }

  private async enter(call: keyof Storage, key: string): Promise<void> {
    await this.before(call, key);
    if (this.down) throw unavailableError('storage', { retryAfterMs: 1000 });
  }

  private async *pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    const shared = Buffer.alloc(CHUNK);
    for (let from = 0; from < bytes.length; from += CHUNK) {
      const piece = bytes.subarray(from, from + CHUNK);
      if (this.reusesPieces) shared.set(piece);
      yield this.reusesPieces ? shared.subarray(0, piece.length) : piece;
    }
  }
}
