/** OpenSSL must verify every signature that this service accepts as evidence (D-21). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { complaintOfOpenssl, hasOpenssl, refusalOf } from '../../../scripts/testbed/eds/judges.ts';
import { SeededRandom } from '../../../scripts/testbed/random.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name));
const given = {
  content: fixture('openssl.pdf'),
  iin: '850101300120',
  at: new Date('2026-12-01T00:00:00Z'),
  anchor: fixture('openssl-ca.der'),
};
const isAccepted = async (der: Uint8Array) => (await refusalOf(Buffer.from(der).toString('base64'), given)) === '';

/** The bytes with one or two random changes. */
function mutant(good: Buffer, random: SeededRandom): Buffer {
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
      expect([await isAccepted(good), complaintOfOpenssl(good, given)]).toEqual([true, '']);
      const random = new SeededRandom(20_261_123);
      for (let nth = 0; nth < MUTANTS; nth++) {
        const bytes = mutant(good, random);
        if (bytes.equals(good) || !(await isAccepted(bytes))) continue;
        accepted++;
        const complaint = complaintOfOpenssl(bytes, given);
        if (complaint !== '') wrong.push(`${name}, ${nth}: ${complaint}\n${bytes.toString('hex')}`);
      }
    }
    expect(wrong).toEqual([]);
    // Some changes do no harm, such as those of unsigned bytes. Without any of these, the comparison would show
    // nothing.
    expect(accepted).toBeGreaterThan(0);
  },
);
