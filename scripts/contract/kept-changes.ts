/** What each release changed for its clients, as it is kept: the docs read it without the tools that found it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Breaks a client; may come in what is read, so that a client must expect it; is offered, so that a client may use it. */
export type ChangeKind = 'breaks' | 'expect' | 'offers';

/** One change, in words. */
export interface ReleaseChange {
  readonly kind: ChangeKind;
  /** Operations by operationId, events and errors by name; `*` for all operations that both releases have. */
  readonly of: readonly string[];
  /** Follows the name of what has changed. */
  readonly text: string;
}

/** The changes of each kept release against the one before, and of the contract against the last release, as `next`. */
export type KeptChanges = Readonly<Record<string, readonly ReleaseChange[]>>;

/** Beside the releases. */
export const CHANGES_PATH = join(import.meta.dirname, 'releases/changes.yaml');
export const NEXT = 'next';
/** All operations that both releases have. */
export const EVERYWHERE = '*';
/** The text of something that was not there before. */
export const IS_NEW = 'is new';

/** The kept changes. @throws Error if the file cannot be read */
export const readChanges = (): KeptChanges => parse(readFileSync(CHANGES_PATH, 'utf8')) as KeptChanges;
