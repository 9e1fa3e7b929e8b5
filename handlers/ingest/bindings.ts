/** Ids that follow from what they stand for, so that work that is repeated after a crash makes the same things. */
import { createHash } from 'node:crypto';
import type { IngestKind, IngestSource } from '../data/store.ts';

/** No two lists of texts have the same digest. */
function digest(parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** A text by which an object of a source is known. */
export interface Name {
  readonly source: IngestSource;
  readonly kind: IngestKind;
  readonly externalId: string;
  /** Whether the text is not its external id but the `Ссылка` beside it: one never takes the other's place. */
  readonly isLink?: true;
}

/** The id of the binding of a name: external ids are compared code point by code point (D-29). */
export function bindingId(tenantId: string, { source, kind, externalId, isLink }: Name): string {
  return digest([isLink ? 'link' : 'binding', tenantId, source, kind, externalId]).toString('hex');
}

/**
 * The id of the object that a request creates for an external id. It hangs on the request too: an object that was
 * deleted in the settings can be created anew by a later request, under another id.
 */
export function objectId(requestId: string, { source, kind, externalId }: Name): string {
  return derivedUuid('object', requestId, source, kind, externalId);
}

/** A UUID in the form of version 4, as all ids have, that follows from texts. */
export function derivedUuid(...parts: readonly string[]): string {
  const bytes = digest(parts).subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
