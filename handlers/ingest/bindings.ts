/** Ids computed from what they identify, so that work repeated after a crash creates the same objects. */
import { createHash } from 'node:crypto';
import type { IngestKind, IngestSource } from '../data/collections/external_bindings.ts';

/** Different lists of texts have different digests. */
function digest(parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** A text by which a source identifies an object. */
export interface BindingName {
  readonly source: IngestSource;
  readonly kind: IngestKind;
  readonly externalId: string;
  /** True if the text is not the external id but the natural id beside it: the two are never mixed up. */
  readonly isLink?: true;
}

/** The id of the binding of a name: external ids are compared code point by code point (D-29). */
export function bindingId(tenantId: string, { source, kind, externalId, isLink }: BindingName): string {
  return digest([isLink ? 'link' : 'binding', tenantId, source, kind, externalId]).toString('hex');
}

/**
 * The id of the object that a request creates for an external id. It depends on the request too: if an object was
 * deleted in the settings, a later request can create it again, under another id.
 */
export function objectId(requestId: string, { source, kind, externalId }: BindingName): string {
  return derivedUuid('object', requestId, source, kind, externalId);
}

/** A UUID computed from texts, in the form of version 4, as all ids have. */
export function derivedUuid(...parts: readonly string[]): string {
  const bytes = digest(parts).subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
