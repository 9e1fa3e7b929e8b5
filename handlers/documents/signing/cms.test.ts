import { generateKeyPairSync, hash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type CertificateWish,
  type Identity,
  type KeyKind,
  makeCertificate,
  newKey,
} from '../../../scripts/world/eds/certificates.ts';
import { type CmsWish, makeCms } from '../../../scripts/world/eds/signatures.ts';
import { ApiError } from '../../answers/errors.ts';
import { identityOf, type SignedContent, verifyCms } from './cms.ts';
import { MAX_CMS_BYTES } from './signature-text.ts';

// The same examples each time, so that a failing run shows a fault of the change under test and not a rare example.
fc.configureGlobal({ seed: 20_260_302 });

const at = new Date('2026-05-01T12:00:00Z');
const days = (n: number) => new Date(at.getTime() + n * 86_400_000);
const valid = { notBefore: days(-10), notAfter: days(355) };
// Invented: the last digit is not the check digit of the others.
const iin = '850101300120';
const pdf = Buffer.from('%PDF-1.7\nThe bytes that are signed.\n%%EOF\n');

function contentOf(bytes: Uint8Array): SignedContent & { reads: number } {
  const content = {
    reads: 0,
    sha256: hash('sha256', bytes, 'hex'),
    async read() {
      content.reads++;
      // In pieces, as storage gives them.
      return (async function* () {
        yield bytes.subarray(0, 7);
        yield bytes.subarray(7);
      })();
    },
  };
  return content;
}

const rootFields = {
  ...valid,
  commonName: 'Test root',
  authority: { isAuthority: true },
  usage: ['keyCertSign', 'cRLSign'],
} as const;

function newRoot(kind: KeyKind): Identity {
  const key = newKey(kind);
  return { key, certificate: makeCertificate({ ...rootFields, key }) };
}

function issued(issuer: Identity, key: Identity['key'], more: Partial<CertificateWish> = {}): Identity {
  const fields = { ...valid, commonName: 'Test signer', serialNumber: `IIN${iin}`, issuer, key };
  return { key, certificate: makeCertificate({ ...fields, usage: ['digitalSignature', 'nonRepudiation'], ...more }) };
}

const roots = { rsa: newRoot('rsa'), ec: newRoot('ec') };
const keys = { rsa: newKey('rsa'), ec: newKey('ec') };
const root = roots.ec;
const key = keys.ec;
const signer = issued(root, key);

const cms = (signers: readonly Identity[], more: Partial<CmsWish> = {}) =>
  Buffer.from(makeCms({ content: pdf, signers, at, ...more }));

async function verify(der: Uint8Array, more: { anchors?: Uint8Array[]; iin?: string; at?: Date } = {}) {
  const requirements = { anchors: [root.certificate], iin, at, ...more };
  return verifyCms(Buffer.from(der).toString('base64'), contentOf(pdf), requirements);
}

/** The description of the violation of `signature.value`; `''` when it is accepted. */
async function refusal(der: Uint8Array, more: Parameters<typeof verify>[1] = {}): Promise<string> {
  const error = await verify(der, more).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return '';
  if (!(error instanceof ApiError)) throw error;
  expect(error.errorName).toBe('INVALID_ARGUMENT');
  expect(error.extras.violations).toHaveLength(1);
  const [violation] = error.extras.violations ?? [];
  expect(violation?.field).toBe('signature.value');
  expect(violation?.description).not.toMatch(/^$|\d{12}/);
  return violation?.description ?? '';
}

/** A signature, and what it is verified with. */
type SignatureCase = readonly [what: string, make: () => Uint8Array, more?: Parameters<typeof verify>[1]];
type RefusedCase = readonly [what: string, words: string, make: () => Uint8Array, more?: Parameters<typeof verify>[1]];

const mine = (more: Partial<CertificateWish>) => () => cms([issued(root, key, more)]);
const short = mine({ notBefore: days(-1), notAfter: days(1) });
const copies = (count: number) => Array.from({ length: count }, () => root.certificate);

test('the result has the signature, the serial number of the certificate and the identity of its value', async () => {
  const der = cms([signer]);
  const result = await verify(der);
  expect(Buffer.from(result.der).equals(der)).toBe(true);
  expect(result.certificateSerial).toMatch(/^[4-7][0-9a-f]{31}$/);
  expect(result.identity).toMatch(/^[0-9a-f]{64}$/);
});

test.each<SignatureCase>([
  ['a serial number without the prefix IIN', mine({ serialNumber: iin })],
  ['another accepted digest algorithm listed beside its own', () => cms([signer], { otherDigests: ['sha512'] })],
  ['ten certificates', () => cms([signer], { certificates: copies(9) })],
  ['the first moment of the validity', short, { at: days(-1) }],
  ['the last moment of the validity', short, { at: days(1) }],
  ...['2.5.29.37.0', '1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.36'].map(
    (purpose): SignatureCase => [
      `extended key usage ${purpose} beside an unknown one`,
      mine({ purposes: ['1.2.398.3.3.4.1.1', purpose] }),
    ],
  ),
])('accepted: %s', async (_, make, more = {}) => {
  expect(await refusal(make(), more)).toBe('');
});

test('the content is read only when its digest is not known', async () => {
  const requirements = { anchors: [root.certificate], iin, at };
  for (const [digest, reads] of [
    ['sha256', 0],
    ['sha384', 1],
  ] as const) {
    const content = contentOf(pdf);
    await verifyCms(cms([signer], { scheme: { hash: digest } }).toString('base64'), content, requirements);
    expect(content.reads).toBe(reads);
  }
});

const good = cms([signer], { certificates: [root.certificate] });
test.each<RefusedCase>([
  ['nested deeper than anything real', 'CMS', () => Buffer.alloc(60_000, Buffer.of(0x30, 0x80))],
  ['attached content', 'detached', () => cms([signer], { attached: true })],
  ['a list with another than the three', 'none but', () => cms([signer], { otherDigests: ['sha1'] })],
  ['too many certificates', 'at most 10 certificates', () => cms([signer], { certificates: copies(10) })],
  [
    'a curve that is not accepted',
    'P-256',
    () => cms([issued(root, generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey)]),
  ],
  [
    'the signature of another RSA key',
    'was not made by the key',
    () => cms([{ ...issued(roots.rsa, keys.rsa), key: newKey('rsa') }]),
    { anchors: [roots.rsa.certificate] },
  ],
  [
    'an algorithm that is not of the kind of the key',
    'RSA',
    () => cms([{ key, certificate: issued(roots.rsa, keys.rsa).certificate }]),
    { anchors: [roots.rsa.certificate] },
  ],
  ['a certificate that is not valid yet', 'not valid yet', mine({ notBefore: days(1) })],
  ['two serial numbers', 'another person', mine({ serialNumber: [`IIN${iin}`, 'IIN850101300121'] })],
  ...['IIN850101300121', '850101300121', 'iin850101300120', 'IIN850101300120 ', 'BIN850101300120'].map(
    (serialNumber): RefusedCase => [`the serial number ${serialNumber}`, 'another person', mine({ serialNumber })],
  ),
])('refused: %s', async (_, words, make, more = {}) => {
  expect(await refusal(make(), more)).toContain(words);
});

/** A value with these contents, with its length in three bytes (BER). */
function wrapped(tag: number, contents: Uint8Array): Buffer {
  const { length } = contents;
  return Buffer.concat([Buffer.of(tag, 0x83, length >> 16, (length >> 8) & 255, length & 255), contents]);
}
const signedData = Buffer.from('06092a864886f70d010702', 'hex');
const asSignedData = (contents: Uint8Array) =>
  wrapped(0x30, Buffer.concat([signedData, wrapped(0xa0, wrapped(0x30, contents))]));

describe('chains', () => {
  const middleKey = newKey('ec');
  const authority = (issuer: Identity, more: Partial<CertificateWish> = {}, own = middleKey): Identity => ({
    key: own,
    certificate: makeCertificate({ ...rootFields, commonName: 'Test intermediate', issuer, key: own, ...more }),
  });
  const under = (middle: Identity, others: readonly Identity[] = []) =>
    cms([issued(middle, key)], { certificates: [middle, ...others].map(({ certificate }) => certificate) });
  const upper = authority(root, { commonName: 'Upper' }, keys.rsa);
  const lower = authority(upper, { commonName: 'Lower' });
  const inDisorder = [upper, root, lower].map(({ certificate }) => certificate);
  const usage = ['digitalSignature', 'keyCertSign'] as const;
  const selfSigned = makeCertificate({ ...valid, commonName: 'Test root', serialNumber: iin, key, usage });

  test.each<SignatureCase>([
    ['two intermediates, RSA over EC', () => under(lower, [upper])],
    ['them in another order, with the anchor', () => cms([issued(lower, key)], { certificates: inDisorder })],
  ])('accepted: %s', async (_, make, more = {}) => {
    expect(await refusal(make(), more)).toBe('');
  });

  test.each<SignatureCase>([
    ['another authority of the same name', () => cms([issued(newRoot('ec'), key)])],
    ['self-signed', () => cms([{ key, certificate: selfSigned }])],
  ])('refused: %s', async (_, make) => {
    expect(await refusal(make())).toContain('trust anchors');
  });

  test('authorities that issue each other in a circle end the search', async () => {
    const [a, b] = [newKey('ec'), newKey('ec')];
    const unsignedA = { key: a, certificate: makeCertificate({ ...rootFields, commonName: 'A', key: a }) };
    const bByA = authority(unsignedA, { commonName: 'B' }, b);
    const aByB = authority(bByA, { commonName: 'A' }, a);
    expect(await refusal(under(bByA, [aByB, unsignedA]))).toContain('trust anchors');
  });

  test('authorities that all issue each other are visited once each', async () => {
    const fields = { ...rootFields, commonName: 'One of many', key: middleKey };
    const many = Array.from({ length: 9 }, () => makeCertificate(fields));
    const [first = new Uint8Array()] = many;
    const der = cms([issued({ key: middleKey, certificate: first }, key)], { certificates: many });
    const before = process.cpuUsage();
    expect(await refusal(der)).toContain('trust anchors');
    const { user, system } = process.cpuUsage(before);
    // Visiting them again on every level would verify tens of thousands of signatures.
    expect(user + system).toBeLessThan(3_000_000);
  });
});

describe('the identity of a signature value', () => {
  const value = (...bytes: number[]) => identityOf(Uint8Array.from(bytes));

  test('is the same for the two values that ECDSA has for one signature', () => {
    const sequence = (...integers: number[][]) => {
      const parts = integers.flatMap((bytes) => [0x02, bytes.length, ...bytes]);
      return value(0x30, parts.length, ...parts);
    };
    expect(sequence([1, 2], [3])).toBe(sequence([1, 2], [0, 250, 7]));
    expect(sequence([1, 2], [3])).not.toBe(sequence([1, 3], [3]));
    expect(sequence([1, 2], [3])).not.toBe(sequence([2, 2], [3]));
    expect(sequence([1, 2], [3])).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['RSA', [1, 2, 3, 4, 5, 6, 7]],
    ['another tag', [0x31, 6, 2, 1, 5, 2, 1]],
    ['another length', [0x30, 7, 2, 1, 5, 2, 1]],
    ['no integer', [0x30, 6, 4, 1, 5, 2, 1]],
  ])('depends on every byte of other values: %s', (_, bytes) => {
    const others = bytes.map((byte, i) => value(...bytes.with(i, byte ^ 8), 9));
    const all = [value(...bytes, 9), value(...bytes, 10), ...others];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('hostile bytes', () => {
  /** Verifies the bytes. The test fails on any result but an acceptance or the one refusal, and when it takes long. */
  async function survives(bytes: Uint8Array): Promise<boolean> {
    const before = process.cpuUsage();
    const accepted = await verify(bytes).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.errorName === 'INVALID_ARGUMENT') return false;
        throw error;
      },
    );
    const { user, system } = process.cpuUsage(before);
    // Processor time: typically 10 ms, while an endless parser takes minutes.
    expect(user + system).toBeLessThan(10_000_000);
    return accepted;
  }

  const positions = (most: number) => fc.array(fc.nat(most), { minLength: 1, maxLength: 8 });
  const flipped = (bits: readonly number[]) => {
    const bytes = Buffer.from(good);
    for (const bit of bits) bytes.writeUInt8((bytes[bit >> 3] as number) ^ (1 << (bit & 7)), bit >> 3);
    return bytes;
  };

  test('truncated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), async (length) => {
        expect(await survives(good.subarray(0, length))).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test('flipped bits', async () => {
    await fc.assert(
      fc.asyncProperty(positions(good.length * 8 - 1), async (bits) => {
        await survives(flipped(bits));
      }),
      { numRuns: 60 },
    );
  });

  test('random bytes, random pieces in a good signature', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.nat(good.length), async (bytes, where) => {
        expect(await survives(bytes)).toBe(false);
        await survives(Buffer.concat([good.subarray(0, where), bytes, good.subarray(where + bytes.length)]));
      }),
      { numRuns: 25 },
    );
  });

  test.each(['30', '3080', '3000', '0500', '3130', '2480', 'a080', '00', 'ff', '020105', '0602ff7f', '04023000'])(
    '64 KiB of %s, bare, in a sequence and as SignedData',
    async (pattern) => {
      const many = Buffer.alloc(65_500, Buffer.from(pattern, 'hex'));
      for (const bytes of [
        Buffer.alloc(MAX_CMS_BYTES, Buffer.from(pattern, 'hex')),
        wrapped(0x30, many),
        asSignedData(many),
      ]) {
        expect(await survives(bytes)).toBe(false);
      }
    },
  );
});
