/** Two judges of a detached signature: the service, and the OpenSSL of this machine. For tests. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../handlers/answers/errors.ts';
import { verifyCms } from '../../../handlers/documents/signing/cms.ts';
import { type JudgedSignature, Openssl } from '../../../handlers/runtime/openssl.ts';
import { pemOf } from './folder.ts';

interface Case {
  readonly content: Uint8Array;
  readonly iin: string;
  readonly at: Date;
  /** DER of the only trust anchor. */
  readonly anchor: Uint8Array;
}

const openssl = await Openssl.find({ PATH: process.env.PATH });
const judge =
  openssl instanceof Openssl
    ? async (signature: JudgedSignature) => {
        const isVerified = await openssl.verifies(signature);
        if (isVerified === undefined) throw new Error('OpenSSL gave no verdict.');
        return isVerified;
      }
    : undefined;

/**
 * The refusal of the service, with its last judge where this machine has it; `''` when it accepts.
 * @param text the signature as it is sent
 * @throws any other error
 */
export async function refusalOf(text: string, { content, iin, at, anchor }: Case): Promise<string> {
  const signed = {
    sha256: createHash('sha256').update(content).digest('hex'),
    read: async () =>
      (async function* () {
        yield content;
      })(),
  };
  try {
    await verifyCms(text, signed, { anchors: [anchor], iin, at, judge });
    return '';
  } catch (error) {
    if (!(error instanceof ApiError) || error.errorName !== 'INVALID_ARGUMENT') throw error;
    return error.extras.violations?.[0]?.description ?? '';
  }
}

/** Whether this machine has an OpenSSL of the release that the comparisons are made with. */
export const hasOpenssl = judge !== undefined;
/** How the title of a test begins that cannot run without it. */
export const NO_OPENSSL = 'DID NOT RUN: there is no OpenSSL 3: ';

/** The error messages of OpenSSL; `''` when it verifies. @param der the signature */
export function complaintOfOpenssl(der: Uint8Array, { content, at, anchor }: Omit<Case, 'iin'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'cms-'));
  try {
    const file = (name: string, bytes: Uint8Array | string) => {
      writeFileSync(join(folder, name), bytes);
      return join(folder, name);
    };
    const signature = ['-inform', 'DER', '-in', file('cms', der), '-content', file('content', content)];
    const trust = ['-CAfile', file('anchor', pemOf(anchor)), '-purpose', 'any'];
    const others = ['-attime', String(at.getTime() / 1000), '-out', '/dev/null'];
    const argv = ['cms', '-verify', '-binary', ...signature, ...trust, ...others];
    const { status, stderr } = spawnSync('openssl', argv, { encoding: 'utf8' });
    return status === 0 ? '' : stderr || 'no message';
  } finally {
    rmSync(folder, { recursive: true });
  }
}
