import type { UploadedFile } from '../../../generated/client/types.gen.ts';
import { type CollectionDeclaration, query, SHARD_KEY, shardKeyIndex } from '../collection.ts';
import type { RowLife } from '../field-life.ts';
import { DAY_MS } from '../retention.ts';

/** Bytes in storage, pinned to one version of one object. */
export interface StoredObject {
  key: string;
  version: string;
  size_bytes: number;
  /** SHA-256 of the bytes, lower-case hex. */
  sha256: string;
}

/**
 * An upload (D-23). It belongs to a user, not to an API key. Its bytes are stored under the storage key that
 * {@link uploadKey} returns; until it is confirmed nothing is known about them.
 */
export interface FileRow {
  _id: string;
  tenant_id: string;
  owner_id: string;
  filename: string;
  content_type: string;
  /** The size that the reservation announced. */
  reserved_bytes: number;
  status: 'FILE_UPLOAD_STATUS_RESERVED' | 'FILE_UPLOAD_STATUS_UPLOADED' | 'FILE_UPLOAD_STATUS_EXPIRED';
  /** Set by the confirmation, and never changed after it. */
  object: StoredObject | null;
  confirmed_at: Date | null;
  /** The document that uses it, or `''`; written before the document itself, so that two documents can never use it. */
  document_id: string;
  linked_at: Date | null;
  /** When the sweeper must check it next; null for a file that belongs to a document. */
  sweep_at: Date | null;
  create_time: Date;
  update_time: Date;
}

export const fileLife = {
  owner_id: ['copied', ''],
  filename: ['shown', ''],
  content_type: 'shown, kept',
  reserved_bytes: 'copied, kept',
  status: ['shown', 'FILE_UPLOAD_STATUS_EXPIRED'],
  object: ['internal', null],
  confirmed_at: ['copied', null],
  document_id: ['copied', ''],
  linked_at: ['copied', null],
  sweep_at: 'internal, kept',
  create_time: 'shown, kept',
  // The sweeper shows no end of a reservation that is as old as this.
  update_time: ['copied', new Date(0)],
} satisfies RowLife<FileRow, UploadedFile>;

export const files: CollectionDeclaration<FileRow, UploadedFile> = {
  keeps: {
    holds:
      'uploads that no document took: expired reservations, and confirmed uploads; the row of an upload that a document took stays with the document',
    forMs: 30 * DAY_MS,
    after: 'the confirmation, or the end of the reservation',
    by: 'sweep_files',
  },
  life: fileLife,
  indexes: [
    { key: { sweep_at: 1 }, serves: [query.find('the sweeper: uploads of every tenant whose time has come')] },
    shardKeyIndex,
  ],
  shardKey: SHARD_KEY,
  polls: [{ name: 'uploads whose time has come', filter: ['sweep_at'], why: 'a read a minute, by an index' }],
};
