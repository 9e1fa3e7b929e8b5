/** Storage in a folder on disk, for a single machine: the same forms and URLs as S3's, served by a listener of ours. */
import { Readable } from 'node:stream';
import { unavailableError } from '../answers/errors.ts';
import { onceForEach } from '../data/batched-reads.ts';
import { noteAway } from '../data/outages.ts';
import { codeOf, reasonOf } from '../runtime/outage-reasons.ts';
import { ACCESS_KEY_ID, REGION } from './aws-signature.ts';
import { guarded } from './byte-streams.ts';
import type { Folder } from './folder.ts';
import { presigner } from './presign.ts';
import type { Storage } from './storage.ts';

export const BUCKET = 'files';

export interface DiskParts {
  readonly folder: Folder;
  /** Where clients reach the listener: an origin, with a path where a proxy adds one. */
  readonly url: string;
  /** The secret that signs forms and URLs; the same in all processes of a deployment. */
  readonly secret: () => Promise<string>;
}

/**
 * A failure of the file system counts as the storage being away. Its message could name a path, so it is not passed on.
 */
function unavailable(error: unknown): never {
  if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
  noteAway('storage', reasonOf(codeOf(error)));
  throw unavailableError('storage', { retryAfterMs: 1000 });
}

/** What signs the forms and URLs of a storage. */
export const signerOf = onceForEach(({ url, secret }: Pick<DiskParts, 'url' | 'secret'>) =>
  presigner(
    {
      endpoint: url,
      region: REGION,
      forcePathStyle: true,
      // Environment variables for AWS' own endpoints must not affect this one.
      useFipsEndpoint: false,
      useDualstackEndpoint: false,
      credentials: async () => ({ accessKeyId: ACCESS_KEY_ID, secretAccessKey: await secret() }),
    },
    BUCKET,
  ),
);

/** The storage itself; {@link serveDisk} answers at its URLs. */
export function diskStorage(parts: DiskParts): Storage {
  const { folder } = parts;
  return {
    ...signerOf(parts),
    async latest(key) {
      const found = await folder.latest(key).catch(unavailable);
      return found && { key, ...found };
    },
    async read(object, range) {
      if ((await folder.size(object).catch(unavailable)) === undefined) throw new Error('there is no such version');
      return guarded(folder.read(object, range), unavailable);
    },
    async write(key, _contentType, bytes) {
      const chunks = bytes instanceof Uint8Array ? Readable.from([bytes]) : bytes;
      const draft = await folder.draft(chunks).catch(unavailable);
      const version = await draft.commit(key).catch(unavailable);
      return { key, version, size_bytes: draft.size_bytes, sha256: draft.sha256 };
    },
    remove: (key, keep) => folder.remove(key, keep).catch(unavailable),
  };
}
