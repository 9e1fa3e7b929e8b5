/** OpenSSL must verify every signature that this service accepts as evidence (D-21). */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pemOf } from '../../../scripts/eds/folder.ts';
import { ApiError } from '../../http/errors.ts';
import { Seeded } from '../../testing/random.ts';
import { verifyCms } from './cms.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name));
const anchor = fixture('openssl-ca.der');
const pdf = fixture('openssl.pdf');
const at = new Date('2026-12-01T00:00:00Z');
const requirements = { anchors: [anchor], iin: '850101300120', at };
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
  writeFileSync(join(folder, 'anchor'), pemOf(anchor));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The error message of OpenSSL for the bytes; `''` when it verifies them. */
function complaintOfOpenssl(der: Uint8Array): string {
  const [cms, ...given] = ['cms', 'content', 'anchor'].map((name) => join(folder, name));
  writeFileSync(cms as string, der);
  const [signed = '', trusted = ''] = given;
  const args = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', cms as string, '-content', signed];
  const trust = ['-CAfile', trusted, '-purpose', 'any', '-attime', String(at.getTime() / 1000), '-out', '/dev/null'];
  const { status, stderr } = spawnSync('openssl', [...args, ...trust], { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

async function isAccepted(der: Uint8Array): Promise<boolean> {
  try {
    await verifyCms(Buffer.from(der).toString('base64'), content, requirements);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.errorName === 'INVALID_ARGUMENT') return false;
    throw error;
  }
}

/** The bytes with one or two random changes. */
function mutant(good: Buffer, random: Seeded): Buffer {
  let bytes = good;
  for (let changes = 1 + random.int(2); changes > 0; changes--) {
    const place = random.int(bytes.length);
    const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
    const set = (value: number) => Buffer.concat([before, Buffer.from([value & 0xff]), after.subarray(1)]);
    const byte = bytes[place] as number;
    bytes = random.pick([
      () => set(byte ^ (1 << random.int(8))),
      () => set(byte + random.pick([1, 255, 2, 254, 128])),
      () => Buffer.concat([before, after.subarray(1 + random.int(3))]),
      () => Buffer.concat([before, random.pick([Buffer.from([0]), Buffer.from([5, 0]), random.bytes(2)]), after]),
      () => Buffer.concat([before, after.subarray(0, 1 + random.int(12)), after]),
    ] as const)();
  }
  return bytes;
}

const MUTANTS = 1_500;

(hasOpenssl ? test : test.skip)(
  'OpenSSL verifies every one of thousands of changed signatures that the service accepts',
  async () => {
    const wrong: string[] = [];
    let accepted = 0;
    for (const name of ['openssl-ec.p7s', 'openssl-rsa-pss.p7s']) {
      const good = fixture(name);
      expect([await isAccepted(good), complaintOfOpenssl(good)]).toEqual([true, '']);
      const random = new Seeded(20_261_123);
      for (let nth = 0; nth < MUTANTS; nth++) {
        const bytes = mutant(good, random);
        if (bytes.equals(good) || !(await isAccepted(bytes))) continue;
        accepted++;
        const complaint = complaintOfOpenssl(bytes);
        if (complaint !== '') wrong.push(`${name}, ${nth}: ${complaint}\n${bytes.toString('hex')}`);
      }
    }
    expect(wrong).toEqual([]);
    // Some changes do no harm, such as those of unsigned bytes. Without any of these, the comparison would show
    // nothing.
    expect(accepted).toBeGreaterThan(0);
  },
);
