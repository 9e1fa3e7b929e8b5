/**
 * OpenSSL as the last judge of a signature (D-21). The service's own verifier refuses in words that tell a caller what to
 * do. What it has accepted, `openssl cms -verify` judges again, so whatever is stored, OpenSSL verifies. The program runs
 * without environment and configuration, and its files have no name that could outlive it.
 */
import { spawn } from 'node:child_process';
import { randomUUID, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { certificatesIn } from './certificates.ts';
import type { Config } from './config.ts';

/** A signature that the service's own verifier has accepted, but for the digest, which the program does not compare. */
export interface JudgedSignature {
  /** The CMS. */
  readonly der: Uint8Array;
  /** DER of the authorities that are trusted. */
  readonly anchors: readonly Uint8Array[];
  /** DER of the signer's certificate. */
  readonly certificate: Uint8Array;
  readonly at: Date;
}

/** What a name beside a version begins with that is judged by: LibreSSL and older releases differ. */
const NAMED = 'OpenSSL 3';
/** How long the program may take, in milliseconds; it needs about 20. */
const LIMIT_MS = 2_000;
/** How long it may take at the start, when a machine is often busy: what is not taken now does not judge until the next start. */
const START_LIMIT_MS = 20_000;

/** Exit codes of `openssl cms` (openssl-cms(1)). */
const EXIT = { verified: 0, unreadable: 2, refused: 4 } as const;
/** How it begins to say that it cannot read the CMS, and not one of the files around it. */
const UNREADABLE = /^Error reading/;
/** The files, by the numbers that the program has for them: what it trusts, and whom it takes for the signer. */
const [ANCHORS, SIGNER] = ['/dev/fd/3', '/dev/fd/4'];

const der = Buffer.from(
  `MIICeQYJKoZIhvcNAQcCoIICajCCAmYCAQExDzANBglghkgBZQMEAgEFADALBgkqhkiG9w0BBwGgggFDMIIBPzCB5aADAgECAhBW5pz0u6UYvdbT
  6iTrHFTGMAoGCCqGSM49BAMCMBAxDjAMBgNVBAMMBXRyaWFsMB4XDTI2MDEwMTAwMDAwMFoXDTI2MDEwMjAwMDAwMFowEDEOMAwGA1UEAwwFdHJp
  YWwwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATFXqKTjo7zAL0DB0OhnbAcHF6wm9GuubBsAtMRiLVHBZrNBbt3NSbfQvPGhlfIU593BgY7O5fI
  C4rJLxDCydQHoyEwHzAdBgNVHQ4EFgQUL60sYp1O/3bN28BzDieaZu+zg4swCgYIKoZIzj0EAwIDSQAwRgIhAJq/rToYRUKBq0hJhI0oVms/G5g0
  S/E9YSUYIQpHIHIQAiEAwCq5FBCzhkj27qnq7OpLLKrp0plslMh7OI84t9XCZFYxgfswgfgCAQEwJDAQMQ4wDAYDVQQDDAV0cmlhbAIQVuac9Lul
  GL3W0+ok6xxUxjANBglghkgBZQMEAgEFAKBpMBgGCSqGSIb3DQEJAzELBgkqhkiG9w0BBwEwHAYJKoZIhvcNAQkFMQ8XDTI2MDEwMTAwMDAwMFow
  LwYJKoZIhvcNAQkEMSIEIHmJHpgHR/+9IeaQKXOU7+dk+lbX43dQ+ACHn7stNFcaMAoGCCqGSM49BAMCBEcwRQIgKqmucei0ArZI00B7y0BN2oBB
  FuWtCXVvcBBnR0l8G0YCIQCrkz593kOH3bTqifQA5ufO6kLSLkqRm6L0ImT43yGKEw==`,
  'base64',
);
const certificate = der.subarray(60, 383);
/** By it a program shows at the start that it judges here: a right signature, whose signer is its own authority. */
const TRIAL: JudgedSignature = { der, anchors: [certificate], certificate, at: new Date('2026-01-01T00:00:00Z') };

/** An empty name is no file; without the variable the program reads the one of the machine. */
const ENVIRONMENT = { OPENSSL_CONF: '' };

interface Ending {
  /** Null where a signal ended it; undefined where it could not be started. */
  readonly code?: number | null;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** What a program works with; it sees the files as /dev/fd/3 and on. */
interface ProgramInput {
  readonly input?: Uint8Array;
  readonly files?: readonly FileHandle[];
  readonly limitMs: number;
}

/** Runs the program to its end. Never fails. */
async function run(
  program: string,
  argv: readonly string[],
  { input, files = [], limitMs }: ProgramInput,
): Promise<Ending> {
  const child = spawn(program, argv, {
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'pipe', ...files.map(({ fd }) => fd)],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr] = [said(child.stdout), said(child.stderr)];
  // It may end before it has read all.
  child.stdin?.on('error', () => {}).end(input);
  const code = await new Promise<number | null | undefined>((resolve) => {
    child.once('error', () => resolve(undefined)).once('exit', resolve);
  });
  if (code === undefined) return {};
  return code === null ? { code } : { code, stdout: await stdout, stderr: await stderr };
}

const said = async (stream: Readable | null) => (stream === null ? '' : text(stream).catch(() => ''));

/** A file that no name leads to, open at its beginning: to some systems /dev/fd/3 is the open file, not a new one. */
async function namelessFile(content: string): Promise<FileHandle> {
  const path = join(tmpdir(), `developer-api-${randomUUID()}`);
  await writeFile(path, content, { flag: 'wx', mode: 0o600 });
  return open(path, 'r+').finally(() => unlink(path));
}

/** An OpenSSL of this machine. */
export class Openssl {
  readonly program: string;
  /** As it says it: `OpenSSL 3.0.19 27 Jan 2026 (…)`. */
  readonly version: string;
  readonly #limitMs: number;

  private constructor(program: string, version: string, limitMs: number) {
    this.program = program;
    this.version = version;
    this.#limitMs = limitMs;
  }

  /**
   * Finds the program, and sees that it judges.
   * @param config its path, or else the folders in which it is looked for
   * @returns it, or why there is none, in words
   */
  static async find({ OPENSSL: named, PATH = '' }: Partial<Pick<Config, 'OPENSSL' | 'PATH'>>, limitMs = LIMIT_MS) {
    const folders = PATH.split(delimiter).filter((folder) => folder !== '');
    const onPath = folders.map((folder) => join(folder, 'openssl')).filter((file) => existsSync(file));
    for (const program of named === undefined ? onPath : [named]) {
      const { code, stdout = '' } = await run(program, ['version'], { limitMs: START_LIMIT_MS });
      if (code === undefined) continue;
      const version = stdout.trim();
      if (code !== 0 || !version.startsWith(NAMED)) return `${program} is no ${NAMED}: ${version.slice(0, 80)}`;
      const trial = new Openssl(program, version, START_LIMIT_MS);
      const verdict = await trial.#judged(TRIAL).catch(String);
      return verdict === true
        ? new Openssl(program, version, limitMs)
        : `${program} cannot judge here: ${verdict || 'it refuses what is right'}`;
    }
    return named === undefined ? 'no openssl is on the PATH' : `${named} cannot be run`;
  }

  /**
   * Whether the program verifies a signature, and takes the same certificate for its signer's.
   * @returns undefined where it has given no verdict
   */
  async verifies(signature: JudgedSignature): Promise<boolean | undefined> {
    const verdict = await this.#judged(signature).catch(() => undefined);
    return typeof verdict === 'boolean' ? verdict : undefined;
  }

  /** @returns whether it verifies; else why it has not judged */
  async #judged({ der, anchors, certificate, at }: JudgedSignature): Promise<boolean | string> {
    const authorities = anchors.map((one) => new X509Certificate(one));
    const files = await Promise.all([namelessFile(authorities.join('')), namelessFile('')]);
    try {
      // The digest of the content is compared already, so the content is not read again.
      const content = ['-content', '/dev/null', '-no_content_verify', '-out', '/dev/null'];
      const roots = [...(anchors.length > 0 ? ['-CAfile', ANCHORS] : ['-no-CAfile']), '-no-CApath', '-no-CAstore'];
      // Without being asked to, it ends a chain only at a certificate that names itself as its issuer.
      const others = authorities.every(({ subject, issuer }) => subject === issuer) ? [] : ['-partial_chain'];
      const when = ['-purpose', 'any', '-attime', String(Math.floor(at.getTime() / 1_000))];
      const argv = ['cms', '-verify', '-binary', '-inform', 'DER', ...content, ...roots, ...others, ...when];
      const { code, stderr = '' } = await run(this.program, [...argv, '-signer', SIGNER], {
        input: der,
        files,
        limitMs: this.#limitMs,
      });
      if (code === EXIT.verified) {
        const signers = certificatesIn(await text(files[1].createReadStream({ start: 0, autoClose: false })));
        return signers.every(({ raw }) => raw.equals(certificate)) && signers.length === 1;
      }
      const isRefused = code === EXIT.refused || (code === EXIT.unreadable && UNREADABLE.test(stderr));
      return isRefused ? false : `it ended with ${code}`;
    } finally {
      await Promise.all(files.map((file) => file.close()));
    }
  }
}
