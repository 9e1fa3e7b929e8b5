/**
 * Where bytes are kept: in an S3-compatible service (`s3.ts`), or in a folder on disk (`disk.ts`). Both pass the same
 * tests.
 */
import type { StoredObject } from '../data/collections/files.ts';

export type ObjectVersion = Pick<StoredObject, 'key' | 'version'>;

/** A presigned POST form (D-23): the client posts its fields unchanged, with the bytes last, as the field `file`. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly expire_time: Date;
}

export interface DownloadHeaders {
  /** The name that the user sees; the implementation encodes it (RFC 6266, RFC 8187). */
  readonly filename: string;
  readonly content_type: string;
}

/** Failures of the storage itself (down, slow, refusing) are thrown as ApiError UNAVAILABLE. */
export interface Storage {
  /**
   * A form that puts one object under exactly this key with exactly this content type, of 1 to `maxBytes` bytes.
   * It may be used more than once until it expires; each use makes a further version.
   */
  uploadForm(key: string, contentType: string, maxBytes: number, lifetimeMs: number): Promise<UploadForm>;
  /** The latest version under the key; undefined when there is none. */
  latest(key: string): Promise<(ObjectVersion & { readonly size_bytes: number }) | undefined>;
  /**
   * The bytes of a version, from `start` to `end` inclusive where given, as a stream that is never held in memory.
   * @throws Error when the version does not exist; see {@link latest}
   */
  read(
    object: ObjectVersion,
    range?: { readonly start: number; readonly end: number },
  ): Promise<AsyncIterable<Uint8Array>>;
  /** Stores bytes durably and returns their size and digest. */
  write(key: string, contentType: string, bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<StoredObject>;
  /** A URL from which a plain GET fetches the version as an attachment. */
  downloadUrl(object: ObjectVersion, headers: DownloadHeaders, lifetimeMs: number): Promise<string>;
  /** Removes every version under the key, or all but the one to keep; a key without any is no failure. */
  remove(key: string, keep?: string): Promise<void>;
}

/** A version as a listing of all of them has it. */
export interface ListedVersion extends Pick<ObjectVersion, 'version'> {
  /** The key, or what the storage makes of it. */
  readonly place: string;
  readonly size_bytes: number;
}

/** All that a storage holds, for a comparison with the rows. */
export interface Inventory {
  placeOf(key: string): string;
  /** In the order of their places. What is written or removed meanwhile may be missing. */
  versions(): AsyncIterable<ListedVersion>;
  removeVersion(listed: ListedVersion): Promise<void>;
}

/** Under which key the bytes of an upload lie. */
export function uploadKey(tenantId: string, fileId: string): string {
  return `uploads/${tenantId}/${fileId}`;
}

/** Under which key a file that the service made for a document lies. */
export function documentKey(tenantId: string, documentId: string, fileId: string): string {
  return `documents/${tenantId}/${documentId}/${fileId}`;
}

/** The id of the document to which a key from {@link documentKey} belongs. @throws Error for any other key */
export function documentOfKey(key: string): string {
  const [kind, , documentId = '', fileId] = key.split('/');
  if (kind !== 'documents' || fileId === undefined) throw new Error('not a key of a document');
  return documentId;
}
