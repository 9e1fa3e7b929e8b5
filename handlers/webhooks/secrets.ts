/**
 * Webhook secrets as they are stored (D-24): a compact JWE (RFC 7516), `dir` with `A256GCM`. Its authenticated header
 * names the endpoint, so that a sealed secret can be opened only in its own row.
 */
import { hash, randomBytes } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import type { Store } from '../data/store.ts';
import { sharedSecret } from '../data/token-keys.ts';

/** No key of this deployment opens the secret, or it belongs to another endpoint. */
export class SecretUnreadable extends Error {
  constructor() {
    super('no key of this deployment opens the secret of a webhook endpoint; see WEBHOOK_SECRET_KEYS');
    this.name = 'SecretUnreadable';
  }
}

/** Seals and opens the secrets of webhook endpoints. */
export interface SecretBox {
  seal(endpointId: string, secret: string): Promise<string>;
  /** @throws SecretUnreadable */
  open(endpointId: string, sealed: string): Promise<string>;
  /**
   * For the rotation of keys: the secret sealed again, to be stored instead; undefined if the present key sealed it.
   * @throws SecretUnreadable
   */
  reseal(endpointId: string, sealed: string): Promise<string | undefined>;
}

/** A new secret: 32 random bytes as text. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

/** How many opened secrets a process remembers: to open one again costs more than to sign with it. */
const MOST_OPENED = 1_000;

const ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Identifies a key without revealing it. */
const nameOf = (key: Uint8Array) => hash('sha256', key, 'hex').slice(0, 16);

/**
 * @param configured 32-byte keys: the first one seals, all of them open. Without them a key of the deployment, kept in
 *   the database, is used; it still opens what it sealed after keys are configured
 */
export function secretBox(store: Store, configured: readonly Uint8Array[] | undefined): SecretBox {
  let kept: Promise<Uint8Array> | undefined;
  /** By endpoint and sealed text, the oldest first. A secret that is sealed anew has another text. */
  const known = new Map<string, string>();
  /** Read once; after a failure it is read again. */
  const shared = () => {
    kept ??= sharedSecret(store, 'webhook_secret').catch((error) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
  const sealing = async () => configured?.[0] ?? shared();

  async function keyNamed(name: string): Promise<Uint8Array> {
    const key = configured?.find((one) => nameOf(one) === name) ?? (await shared());
    if (nameOf(key) !== name) throw new SecretUnreadable();
    return key;
  }

  async function open(endpointId: string, sealed: string): Promise<string> {
    const header = headerOf(sealed);
    const key = await keyNamed(header.kid);
    const opened = await compactDecrypt(sealed, key, ALGORITHMS).catch(() => undefined);
    if (opened === undefined || opened.protectedHeader.endpoint_id !== endpointId) throw new SecretUnreadable();
    return new TextDecoder().decode(opened.plaintext);
  }

  const box: SecretBox = {
    async seal(endpointId, secret) {
      const key = await sealing();
      const header = { alg: 'dir', enc: 'A256GCM', kid: nameOf(key), endpoint_id: endpointId };
      return new CompactEncrypt(new TextEncoder().encode(secret)).setProtectedHeader(header).encrypt(key);
    },
    async open(endpointId, sealed) {
      const name = `${endpointId} ${sealed}`;
      const secret = known.get(name) ?? (await open(endpointId, sealed));
      known.set(name, secret);
      if (known.size > MOST_OPENED) known.delete(known.keys().next().value as string);
      return secret;
    },
    async reseal(endpointId, sealed) {
      const secret = await box.open(endpointId, sealed);
      return headerOf(sealed).kid === nameOf(await sealing()) ? undefined : box.seal(endpointId, secret);
    },
  };
  return box;
}

function headerOf(sealed: string): { kid: string } {
  try {
    return { kid: String(decodeProtectedHeader(sealed).kid) };
  } catch {
    throw new SecretUnreadable();
  }
}
