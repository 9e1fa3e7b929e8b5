import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The server's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), with which a client proves that it knows the password
 * without sending it.
 */
const ITERATIONS = 15_000;
const KEY_BYTES = 32;
const NONCE_BYTES = 24;
const SALT_BYTES = 16;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** What is kept of a user's password to check proofs. */
export class Credentials {
  readonly salt = randomBytes(SALT_BYTES).toString('base64');
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
  readonly user: string;

  constructor(user: string, password: string) {
    this.user = user;
    const salted = pbkdf2Sync(password, Buffer.from(this.salt, 'base64'), ITERATIONS, KEY_BYTES, 'sha256');
    this.storedKey = sha256(hmac(salted, 'Client Key'));
    this.serverKey = hmac(salted, 'Server Key');
  }
}

/** One attempt to log in: two messages of the client and two answers. */
export class Conversation {
  /** The server's answer to the first message. */
  readonly serverFirst: string;
  readonly #credentials: Credentials;
  readonly #header: string;
  readonly #clientFirst: string;
  readonly #nonce: string;
  readonly #isKnown: boolean;

  /** @returns undefined if the message is not a first message of SCRAM */
  static begin(credentials: Credentials, message: string): Conversation | undefined {
    const found = /^([ny],(?:a=[^,]*)?,)(n=([^,]*),r=([!-+\--~]+)(?:,.*)?)$/.exec(message);
    if (found === null) return undefined;
    const [, header = '', clientFirst = '', user = '', nonce = ''] = found;
    return new Conversation(credentials, { header, clientFirst, user, nonce });
  }

  private constructor(
    credentials: Credentials,
    { header, clientFirst, user, nonce }: Readonly<Record<'header' | 'clientFirst' | 'user' | 'nonce', string>>,
  ) {
    this.#credentials = credentials;
    this.#header = header;
    this.#clientFirst = clientFirst;
    this.#isKnown = user.replaceAll('=2C', ',').replaceAll('=3D', '=') === credentials.user;
    this.#nonce = nonce + randomBytes(NONCE_BYTES).toString('base64');
    // The answer does not show whether the user exists: the password is requested in any case.
    this.serverFirst = `r=${this.#nonce},s=${credentials.salt},i=${ITERATIONS}`;
  }

  /** Checks the client's proof. @returns the server's own proof, or undefined if the client's is wrong */
  finish(message: string): string | undefined {
    const found = /^(c=([^,]*),r=([^,]*)),p=([A-Za-z0-9+/=]+)$/.exec(message);
    if (found === null) return undefined;
    const [, withoutProof = '', binding = '', nonce, proof = ''] = found;
    const { storedKey, serverKey } = this.#credentials;
    const signed = [this.#clientFirst, this.serverFirst, withoutProof].join();
    const given = Buffer.from(proof, 'base64');
    if (given.length !== KEY_BYTES || nonce !== this.#nonce) return undefined;
    if (Buffer.from(binding, 'base64').toString() !== this.#header) return undefined;
    const signature = hmac(storedKey, signed);
    const clientKey = Buffer.from(given.map((byte, i) => byte ^ (signature[i] ?? 0)));
    const isRight = timingSafeEqual(sha256(clientKey), storedKey);
    return isRight && this.#isKnown ? `v=${hmac(serverKey, signed).toString('base64')}` : undefined;
  }
}
