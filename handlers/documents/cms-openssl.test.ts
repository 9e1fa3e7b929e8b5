/** OpenSSL as the judge of what is accepted (D-21): it must verify whatever this service takes as evidence. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAuthority, newSigner, pemOf } from '../../scripts/eds/folder.ts';
import { makeCms } from '../../scripts/eds/signatures.ts';
import { ApiError } from '../runtime/errors.ts';
import { Seeded } from '../runtime/testing/random.ts';
import { verifyCms } from './cms.ts';

const iin = '850101300120';
const now = new Date();
const pdf = Buffer.from('%PDF-1.7\nWhat is signed.\n');
const content = {
  sha256: createHash('sha256').update(pdf).digest('hex'),
  read: async () =>
    (async function* () {
      yield pdf;
    })(),
};
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cms-openssl-'));
  writeFileSync(join(folder, 'content'), pdf);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What OpenSSL says of the bytes; `''` where it verifies them. */
function complaintOfOpenssl(der: Uint8Array): string {
  writeFileSync(join(folder, 'cms'), der);
  const at = (name: string) => join(folder, name);
  const args = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', at('cms'), '-content', at('content')];
  const trust = ['-CAfile', at('anchors'), '-purpose', 'any', '-partial_chain', '-out', '/dev/null'];
  const { status, stderr } = spawnSync('openssl', [...args, ...trust], { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

async function isAccepted(der: Uint8Array, anchors: readonly Uint8Array[]): Promise<boolean> {
  try {
    await verifyCms(Buffer.from(der).toString('base64'), content, { anchors, iin, at: now });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.errorName === 'INVALID_ARGUMENT') return false;
    throw error;
  }
}

/** Bytes with a change or two; most often where a parser may look away: in what comes before contents. */
function mutant(good: Buffer, random: Seeded): Buffer {
  let bytes = good;
  for (let changes = 1 + random.int(2); changes > 0; changes--) {
    const at = random.int(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const turned = Buffer.from(bytes);
    turned.writeUInt8((bytes[at] as number) ^ (1 << random.int(8)), at);
    const changed = Buffer.from(bytes);
    changed.writeUInt8(((bytes[at] as number) + random.pick([1, 255, 2, 254, 128])) & 0xff, at);
    bytes = random.pick([
      () => turned,
      () => changed,
      () => Buffer.concat([before, after.subarray(1 + random.int(3))]),
      () => Buffer.concat([before, random.pick([Buffer.from([0]), Buffer.from([5, 0]), random.bytes(2)]), after]),
      () => Buffer.concat([before, after.subarray(0, 1 + random.int(12)), after]),
    ] as const)();
  }
  return bytes;
}

const MUTANTS = 700;

(hasOpenssl ? describe : describe.skip)(
  'of hundreds of changed signatures each, whatever is accepted OpenSSL verifies',
  () => {
    test.each([
      ['EC', 'ec', 'sha256'],
      ['RSA', 'rsa', 'sha256'],
      ['EC with SHA-512', 'ec', 'sha512'],
    ] as const)('%s', async (_what, kind, hash) => {
      const authority = newAuthority(kind, now);
      const signer = newSigner(authority, { iin, kind }, now);
      const anchors = [authority.certificate];
      writeFileSync(join(folder, 'anchors'), anchors.map(pemOf).join(''));
      const good = Buffer.from(
        makeCms({ content: pdf, signers: [signer], at: now, scheme: { hash }, certificates: [authority.certificate] }),
      );
      expect([await isAccepted(good, anchors), complaintOfOpenssl(good)]).toEqual([true, '']);
      const random = new Seeded(20_261_123);
      const wrong: string[] = [];
      let accepted = 0;
      for (let nth = 0; nth < MUTANTS; nth++) {
        const bytes = mutant(good, random);
        if (bytes.equals(good) || !(await isAccepted(bytes, anchors))) continue;
        accepted++;
        const complaint = complaintOfOpenssl(bytes);
        if (complaint !== '') wrong.push(`${nth}: ${complaint}\n${bytes.toString('hex')}`);
      }
      expect(wrong).toEqual([]);
      // Some changes harm nothing, such as those of what is not signed; without any the comparison would show nothing.
      expect(accepted).toBeGreaterThan(0);
    });
  },
);
