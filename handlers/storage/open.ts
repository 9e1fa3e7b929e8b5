/** Opens the configured storage. */
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Listener } from '../http/listener.ts';
import type { Config } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import { type DiskParts, diskStorage } from './disk.ts';
import { serveDisk } from './disk-listener.ts';
import { openFolder } from './folder.ts';
import { measuredStorage } from './measured.ts';
import type { Storage } from './storage.ts';

/** How often files of dead writers are removed from the folder. */
const CLEAN_MS = 60 * 60 * 1000;

export interface OpenStorage {
  readonly storage: Storage;
  /** Where this process serves bytes itself; null if a separate service does. */
  readonly url: string | null;
  readonly port: number | null;
  /** Which storage it is, for the operator. */
  readonly place: string;
  /**
   * Checks whether the storage can be used.
   * @throws ApiError UNAVAILABLE when it does not answer now; Error with an explanation when its configuration is wrong
   */
  check(): Promise<void>;
  /** Tries, after an outage, whether it takes calls again. */
  takesWrites(): Promise<boolean>;
  /** Lets transfers under way finish, for up to 9 s. */
  stop(): Promise<void>;
}

/**
 * Opens the storage. A folder is created and served at once; a service is not called before {@link OpenStorage.check}.
 * @throws Error of the listener, or of a folder that cannot be used
 */
export async function openStorage(
  config: Config,
  secret: () => Promise<Uint8Array>,
  log: Logger,
): Promise<OpenStorage> {
  return config.STORAGE_DIR === undefined ? openS3(config) : openDisk(config.STORAGE_DIR, config, secret, log);
}

async function openDisk(
  dir: string,
  config: Config,
  secret: () => Promise<Uint8Array>,
  log: Logger,
): Promise<OpenStorage> {
  const folder = await openFolder(resolve(dir)).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`STORAGE_DIR: is no folder that this user can write to (${error.code})`);
  });
  let known: string | undefined;
  const text = async () => {
    known ??= Buffer.from(await secret()).toString('base64url');
    return known;
  };
  let parts: DiskParts = { folder, url: config.STORAGE_URL ?? '', secret: text };
  const listener: Listener = await serveDisk(() => parts, log, {
    host: config.HOST,
    port: config.STORAGE_PORT,
    maxConnections: config.MAX_CONNECTIONS,
    headersTimeoutMs: Math.min(config.HEADERS_TIMEOUT_MS, config.STORAGE_TIMEOUT_MS),
    transferTimeoutMs: config.STORAGE_TIMEOUT_MS,
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
  });
  parts = { ...parts, url: config.STORAGE_URL ?? listener.url };
  const clean = () =>
    void folder.clean().catch((error) => log.warn({ event: 'storage_clean_failed', code: error.code }));
  clean();
  const timer = setInterval(clean, CLEAN_MS).unref();
  return {
    storage: measuredStorage(diskStorage(parts)),
    url: parts.url,
    port: Number(new URL(listener.url).port),
    place: resolve(dir),
    check: async () => {},
    async takesWrites() {
      const draft = await folder.draft(Readable.from([Buffer.from('x')]));
      await draft.discard();
      return true;
    },
    async stop() {
      clearInterval(timer);
      await listener.stop();
    },
  };
}

async function openS3(config: Config): Promise<OpenStorage> {
  // The AWS SDK is large, and only few deployments need it.
  const { s3Storage } = await import('./s3.ts');
  const storage = s3Storage(config);
  return {
    storage: measuredStorage(storage),
    url: null,
    port: null,
    place: storage.place,
    check: storage.check,
    takesWrites: () => storage.check().then(() => true),
    stop: async () => storage.stop(),
  };
}
