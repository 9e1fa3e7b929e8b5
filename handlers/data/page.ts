/**
 * Keyset paging (D-9 to D-11). Every list is newest first by (`create_time`, `_id`). Both never change, so a row
 * belongs to exactly one page of a walk.
 */
import { createCipheriv, createSecretKey, hash, type KeyObject, randomBytes } from 'node:crypto';
import { compactDecrypt } from 'jose';
import { failField } from '../answers/errors.ts';
import { nowMs } from '../runtime/clock.ts';
import type { PageBinding, PageQuery } from './list.ts';
import { type ListRead, type Position, readSteadily } from './list-read.ts';
import type { PagedRow } from './reads.ts';

const MAX_LIMIT = 1000;
const TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;
const MAX_TOKEN_LENGTH = 1024;

export interface Page<Row> {
  readonly rows: Row[];
  /** Empty if there are no more rows. */
  readonly nextPageToken: string;
}

/** Seals and opens page tokens: a compact JWE (RFC 7516), `dir` with `A256GCM`. */
export interface PageTokens {
  seal(binding: PageBinding, limit: number, position: Position): string;
  open(binding: PageBinding, limit: number, token: string): Promise<Position>;
}

function fingerprint(binding: PageBinding, limit: number): string {
  const filters = Object.entries(binding.filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  const text = JSON.stringify([binding.list, binding.tenantId, limit, filters]);
  return hash('sha256', text, 'base64url').slice(0, 22);
}

const PROTECTED_HEADER = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
const IV_BYTES = 12;

/**
 * The compact JWE of a text (RFC 7516 §3.1, §5.1). jose opens it, but does not make it: every page with a next one needs
 * a token, and WebCrypto would leave the thread and come back for a few bytes.
 */
function sealed(key: KeyObject, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(PROTECTED_HEADER, 'ascii'));
  const parts = [iv, Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]), cipher.getAuthTag()];
  // The second part, the encrypted key, is empty: the key is shared (`dir`).
  return [PROTECTED_HEADER, '', ...parts.map((part) => part.toString('base64url'))].join('.');
}

/** @param keys 32 bytes each; the first seals, all of them open, so a key can be replaced without breaking a walk */
export function pageTokens(keys: readonly Uint8Array[]): PageTokens {
  // Imported once: jose would import raw bytes again for every token.
  const imported = keys.map((key) =>
    crypto.subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, ['encrypt', 'decrypt']),
  );
  const [first] = keys;
  if (first === undefined) throw new Error('pageTokens needs at least one key');
  const sealing = createSecretKey(first);
  const decoder = new TextDecoder();

  async function decrypt(token: string): Promise<Uint8Array | undefined> {
    for (const key of imported) {
      try {
        const { plaintext } = await compactDecrypt(token, await key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return plaintext;
      } catch {
        // Another key may fit; the caller handles the case that none does.
      }
    }
    return undefined;
  }

  return {
    seal(binding, limit, position) {
      const claims = [fingerprint(binding, limit), position.createTimeMs, position.id, nowMs()];
      return sealed(sealing, JSON.stringify(claims));
    },
    async open(binding, limit, token) {
      const plaintext = isCanonical(token) ? await decrypt(token) : undefined;
      if (plaintext === undefined) return failField('page_token', 'is not a token of this service');
      const [print, createTimeMs, id, issuedMs] = JSON.parse(decoder.decode(plaintext));
      if (print !== fingerprint(binding, limit)) {
        return failField(
          'page_token',
          'was issued for another list, other filters or another limit; start from the first page',
        );
      }
      if (nowMs() - issuedMs > TOKEN_LIFETIME_MS)
        return failField('page_token', 'is older than 24 hours; start from the first page');
      return { createTimeMs, id };
    },
  };
}

/** Whether the token is exactly as sealed: one altered in the unused bits of its last character would still open. */
function isCanonical(token: string): boolean {
  return (
    token.length <= MAX_TOKEN_LENGTH &&
    token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}

/**
 * One page of a list, in one query for each part. The first rows of all parts together are among the first rows of the
 * single parts, so reading each part by its own index and merging is exact.
 * @throws ApiError INVALID_ARGUMENT on `page_token` when it is malformed, expired, or issued for something else
 */
export async function readPage(list: ListRead, tokens: PageTokens, query: PageQuery): Promise<Page<PagedRow>> {
  const limit = Math.min(query.limit, MAX_LIMIT);
  const from = query.page_token ? await tokens.open(list.binding, limit, query.page_token) : undefined;
  const { rows, isCut } = await readSteadily(list, from, limit + 1);
  rows.splice(limit);
  const last = rows.at(-1);
  if (!isCut || last === undefined) return { rows, nextPageToken: '' };
  const position = { createTimeMs: last.create_time.getTime(), id: last._id };
  return { rows, nextPageToken: tokens.seal(list.binding, limit, position) };
}
