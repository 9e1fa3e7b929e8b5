import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { OctetString } from 'asn1js';
import fc from 'fast-check';
import {
  type CertificateWish,
  exactBuffer,
  type Identity,
  type KeyKind,
  makeCertificate,
  newKey,
  type Scheme,
} from '../../../scripts/testbed/eds/certificates.ts';
import { attribute, type CmsWish, makeCms } from '../../../scripts/testbed/eds/signatures.ts';
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
    sha256: createHash('sha256').update(bytes).digest('hex'),
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

function newRoot(kind: KeyKind, more: Partial<CertificateWish> = {}): Identity {
  const key = newKey(kind);
  return { key, certificate: makeCertificate({ ...rootFields, key, ...more }) };
}

function issued(issuer: Identity, key: Identity['key'], more: Partial<CertificateWish> = {}): Identity {
  const fields = { ...valid, commonName: 'Test signer', serialNumber: `IIN${iin}`, issuer, key };
  return { key, certificate: makeCertificate({ ...fields, usage: ['digitalSignature', 'nonRepudiation'], ...more }) };
}

const roots: Readonly<Record<KeyKind, Identity>> = {
  rsa: newRoot('rsa'),
  ec: newRoot('ec'),
  'ec-384': newRoot('ec-384'),
  'rsa-1024': newRoot('rsa-1024'),
};
const keys: Readonly<Record<KeyKind, Identity['key']>> = {
  rsa: newKey('rsa'),
  ec: newKey('ec'),
  'ec-384': newKey('ec-384'),
  'rsa-1024': newKey('rsa-1024'),
};
const root = roots.ec;
const key = keys.ec;
const signer = issued(root, key);

const cms = (signers: readonly Identity[], more: Partial<CmsWish> = {}) =>
  Buffer.from(makeCms({ content: pdf, signers, at, ...more }));

async function verify(
  der: Uint8Array,
  more: { anchors?: Uint8Array[]; iin?: string; at?: Date; content?: Buffer } = {},
) {
  const { content = pdf, ...rest } = more;
  const requirements = { anchors: [root.certificate], iin, at, ...rest };
  return verifyCms(Buffer.from(der).toString('base64'), contentOf(content), requirements);
}

/** The description of the violation of `signature.value`. */
async function refusal(verification: Promise<unknown>): Promise<string> {
  const error = await verification.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw error ?? new Error('accepted');
  expect(error.errorName).toBe('INVALID_ARGUMENT');
  expect(error.extras.violations).toHaveLength(1);
  const [violation] = error.extras.violations ?? [];
  expect(violation?.field).toBe('signature.value');
  return violation?.description ?? '';
}

describe('accepted', () => {
  const schemes: readonly (readonly [KeyKind, Scheme])[] = [
    ['rsa', { hash: 'sha256' }],
    ['rsa', { hash: 'sha512' }],
    ['rsa', { hash: 'sha256', pss: true }],
    ['rsa', { hash: 'sha384', pss: true }],
    ['ec', { hash: 'sha256' }],
    ['ec', { hash: 'sha512' }],
    ['ec-384', { hash: 'sha384' }],
  ];

  test.each(schemes)('%s with %j', async (kind, scheme) => {
    const anchors = [roots[kind].certificate];
    const identity = issued(roots[kind], keys[kind], { scheme });
    const der = cms([identity], { scheme });
    const result = await verify(der, { anchors });
    expect(Buffer.from(result.der).equals(der)).toBe(true);
    expect(result.certificateSerial).toMatch(/^[4-7][0-9a-f]{31}$/);
    expect(result.identity).toMatch(/^[0-9a-f]{64}$/);
    const changed = Buffer.from(pdf);
    changed[20] = 0;
    expect(await refusal(verify(der, { anchors, content: changed }))).toContain('message digest');
  });

  test('without reading the content again when its digest is known', async () => {
    const requirements = { anchors: [root.certificate], iin, at };
    const known = contentOf(pdf);
    await verifyCms(cms([signer]).toString('base64'), known, requirements);
    expect(known.reads).toBe(0);
    const other = contentOf(pdf);
    await verifyCms(cms([signer], { scheme: { hash: 'sha384' } }).toString('base64'), other, requirements);
    expect(other.reads).toBe(1);
  });

  test('with a serial number without the prefix IIN', async () => {
    await expect(verify(cms([issued(root, key, { serialNumber: iin })]))).resolves.toBeDefined();
  });

  test('in BER with indefinite lengths around, as common tools write it', async () => {
    const der = cms([signer], { certificates: [root.certificate] });
    // Three headers of four bytes and the identifier of the type come before the contents of SignedData.
    expect(der.subarray(0, 23).toString('hex')).toMatch(/^3082....06092a864886f70d010702a082....3082....$/);
    const ends = Buffer.alloc(6);
    const open = Buffer.from('308006092a864886f70d010702a0803080', 'hex');
    await expect(verify(Buffer.concat([open, der.subarray(23), ends]))).resolves.toBeDefined();
  });

  test('with the signer named by the identifier of the key', async () => {
    await expect(verify(cms([signer], { byKeyIdentifier: true }))).resolves.toBeDefined();
    const other = cms([issued(root, newKey('ec'))], { byKeyIdentifier: true, withoutSigners: true });
    expect(await refusal(verify(other))).toContain("the signer's certificate");
  });

  test.each([['2.5.29.37.0'], ['1.3.6.1.5.5.7.3.4'], ['1.3.6.1.5.5.7.3.2'], ['1.3.6.1.5.5.7.3.36']])(
    'with extended key usage %s beside an unknown one',
    async (purpose) => {
      const identity = issued(root, key, { purposes: ['1.2.398.3.3.4.1.1', purpose] });
      await expect(verify(cms([identity]))).resolves.toBeDefined();
    },
  );

  test.each([['digitalSignature'], ['nonRepudiation']] as const)('with key usage %s alone', async (usage) => {
    await expect(verify(cms([issued(root, key, { usage: [usage] })]))).resolves.toBeDefined();
  });

  test('with another accepted digest algorithm listed beside its own', async () => {
    await expect(verify(cms([signer], { otherDigests: ['sha512'] }))).resolves.toBeDefined();
  });

  test('with ten certificates', async () => {
    const certificates = Array.from({ length: 9 }, () => root.certificate);
    await expect(verify(cms([signer], { certificates }))).resolves.toBeDefined();
  });

  test('at the first and at the last moment of the validity', async () => {
    const short = cms([issued(root, key, { notBefore: days(-1), notAfter: days(1) })]);
    await expect(verify(short, { at: days(-1) })).resolves.toBeDefined();
    await expect(verify(short, { at: days(1) })).resolves.toBeDefined();
  });
});

describe('refused: form', () => {
  const good = cms([signer]);

  test.each([
    ['a text', Buffer.from('This is no signature.')],
    ['a certificate', Buffer.from(signer.certificate)],
    ['a byte more', Buffer.concat([good, Buffer.of(0)])],
    ['a byte less', good.subarray(0, -1)],
    ['nested deeper than anything real', Buffer.alloc(60_000, Buffer.of(0x30, 0x80))],
    ['another CMS type', Buffer.from(good.toString('latin1').replace('\x07\x02', '\x07\x03'), 'latin1')],
  ])('not CMS: %s', async (_, bytes) => {
    expect(await refusal(verify(bytes))).toContain('CMS');
  });

  test('attached content', async () => {
    expect(await refusal(verify(cms([signer], { attached: true })))).toContain('detached');
  });

  test('no signer, two signers', async () => {
    expect(await refusal(verify(cms([])))).toContain('exactly one signer');
    expect(await refusal(verify(cms([signer, signer])))).toContain('exactly one signer');
  });

  test('content of another type', async () => {
    const der = cms([signer]);
    der.writeUInt8(6, der.indexOf('06092a864886f70d010701', 0, 'hex') + 10);
    expect(await refusal(verify(der))).toContain('id-data');
  });

  test('SHA-1 as digest', async () => {
    expect(await refusal(verify(cms([signer], { scheme: { hash: 'sha1' } })))).toContain('SHA-256');
  });

  test('a list of digest algorithms that lacks its own, or has another than the three', async () => {
    const der = cms([signer]);
    // The last byte of the identifier, at its first place: 1 names SHA-256, 2 names SHA-384.
    der.writeUInt8(2, der.indexOf('0609608648016503040201', 0, 'hex') + 10);
    expect(await refusal(verify(der))).toContain('among its own');
    expect(await refusal(verify(cms([signer], { otherDigests: ['sha1'] })))).toContain('none but');
  });

  test('more certificates than a chain can need', async () => {
    const certificates = Array.from({ length: 10 }, () => root.certificate);
    expect(await refusal(verify(cms([signer], { certificates })))).toContain('at most 10 certificates');
  });
});

describe('refused: signed attributes', () => {
  const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
  const CONTENT_TYPE = '1.2.840.113549.1.9.3';
  const without = (type: string) => cms([signer], { attributes: (usual) => usual.filter((one) => one.type !== type) });
  const digest = attribute(MESSAGE_DIGEST, new OctetString({ valueHex: exactBuffer(createHash('sha256').digest()) }));

  test('none at all', async () => {
    expect(await refusal(verify(cms([signer], { attributes: () => [] })))).toContain('signed attributes');
  });

  test('without or with two message digests, without content type', async () => {
    expect(await refusal(verify(without(MESSAGE_DIGEST)))).toContain('message-digest');
    const two = cms([signer], { attributes: (usual) => [...usual, digest] });
    expect(await refusal(verify(two))).toContain('twice');
    expect(await refusal(verify(without(CONTENT_TYPE)))).toContain('content-type');
  });

  test('encoded in BER', async () => {
    const der = cms([signer]);
    const attributes = der.indexOf('301806092a864886f70d010903', 0, 'hex') - 2;
    const length = der.readUInt8(attributes + 1);
    expect([der.readUInt8(attributes), length < 0x80]).toEqual([0xa0, true]);
    const signerInfo = der.lastIndexOf('020101', attributes, 'hex');
    const header = (size: number) => (size < 0x100 ? 3 : 4);
    const sequence = signerInfo - header(der.length - signerInfo);
    const set = sequence - header(der.length - sequence);
    expect([der.readUInt8(sequence), der.readUInt8(set)]).toEqual([0x30, 0x31]);
    const end = attributes + 2 + length;
    const indefinite = [Buffer.of(0xa0, 0x80), der.subarray(attributes + 2, end), Buffer.alloc(2)];
    const rebuilt = (parts: readonly Buffer[]) =>
      asSignedData(
        Buffer.concat([
          der.subarray(23, set),
          wrapped(
            0x31,
            wrapped(0x30, Buffer.concat([der.subarray(signerInfo, attributes), ...parts, der.subarray(end)])),
          ),
        ]),
      );
    await expect(verify(rebuilt([der.subarray(attributes, end)]))).resolves.toBeDefined();
    expect(await refusal(verify(rebuilt(indefinite)))).toContain('not DER');
  });
});

/** A value with these contents, with its length in three bytes (BER). */
function wrapped(tag: number, contents: Uint8Array): Buffer {
  const { length } = contents;
  return Buffer.concat([Buffer.of(tag, 0x83, length >> 16, (length >> 8) & 255, length & 255), contents]);
}
const signedData = Buffer.from('06092a864886f70d010702', 'hex');
const asSignedData = (contents: Uint8Array) =>
  wrapped(0x30, Buffer.concat([signedData, wrapped(0xa0, wrapped(0x30, contents))]));

describe('refused: key and certificate', () => {
  test('the digest of another PDF', async () => {
    expect(await refusal(verify(cms([signer]), { content: Buffer.from('%PDF-1.7 other') }))).toContain(
      'message digest',
    );
  });

  test.each([['rsa'], ['ec']] as const)('the signature of another key (%s)', async (kind) => {
    const identity = issued(roots[kind], keys[kind]);
    const der = cms([{ ...identity, key: newKey(kind) }]);
    expect(await refusal(verify(der, { anchors: [roots[kind].certificate] }))).toContain('was not made by the key');
  });

  test('a signature algorithm that is not of the kind of the key', async () => {
    const identity = issued(roots.rsa, keys.rsa);
    const der = cms([{ key, certificate: identity.certificate }]);
    expect(await refusal(verify(der, { anchors: [roots.rsa.certificate] }))).toContain('RSA');
  });

  test('expired, not valid yet', async () => {
    const der = cms([issued(root, key, { notBefore: days(-10), notAfter: days(-1) })]);
    expect(await refusal(verify(der))).toContain('expired');
    await expect(verify(der, { at: days(-2) })).resolves.toBeDefined();
    const early = cms([issued(root, key, { notBefore: days(1) })]);
    expect(await refusal(verify(early))).toContain('not valid yet');
  });

  test.each([[['keyEncipherment']], [undefined]] as const)('key usage %j', async (usage) => {
    const { usage: _, ...rest } = { usage: 0, ...valid };
    const fields = { ...rest, commonName: 'Test signer', serialNumber: `IIN${iin}`, issuer: root, key };
    const certificate = makeCertificate(usage === undefined ? fields : { ...fields, usage });
    expect(await refusal(verify(cms([{ key, certificate }])))).toContain('key usage');
  });

  test('extended key usage for servers only', async () => {
    const der = cms([issued(root, key, { purposes: ['1.3.6.1.5.5.7.3.1'] })]);
    expect(await refusal(verify(der))).toContain('extended key usage');
  });

  test('a critical extension that is unknown', async () => {
    expect(await refusal(verify(cms([issued(root, key, { criticalExtension: '1.2.3.4' })])))).toContain('critical');
  });

  test.each([['IIN850101300121'], ['850101300121'], ['iin850101300120'], ['IIN850101300120 '], ['BIN850101300120']])(
    'the serial number %s',
    async (serialNumber) => {
      const problem = await refusal(verify(cms([issued(root, key, { serialNumber })])));
      expect(problem).toContain('another person');
      expect(problem).not.toMatch(/\d{12}/);
    },
  );

  test('two serial numbers', async () => {
    const der = cms([issued(root, key, { serialNumber: [`IIN${iin}`, 'IIN850101300121'] })]);
    expect(await refusal(verify(der))).toContain('another person');
  });

  test('the same extension twice', async () => {
    const der = cms([issued(root, key, { criticalExtension: '2.5.29.15' })]);
    expect(await refusal(verify(der))).toContain('well-formed');
  });

  test('a curve that is not accepted', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
    expect(await refusal(verify(cms([issued(root, other)])))).toContain('P-256');
  });

  test('a small RSA key', async () => {
    expect(await refusal(verify(cms([issued(root, keys['rsa-1024'])])))).toContain('2,048');
  });

  test('the certificate of the signer is missing, or another one is there', async () => {
    const missing = cms([signer], { withoutSigners: true });
    expect(await refusal(verify(missing))).toContain("the signer's certificate");
    const other = cms([signer], { withoutSigners: true, certificates: [issued(root, key).certificate] });
    expect(await refusal(verify(other))).toContain("the signer's certificate");
    const renamed = cms([signer]);
    renamed.write('Other', renamed.lastIndexOf('Test root'));
    expect(await refusal(verify(renamed))).toContain("the signer's certificate");
  });
});

describe('chains', () => {
  const middleKey = newKey('ec');
  const authority = (issuer: Identity, more: Partial<CertificateWish> = {}, own = middleKey): Identity => ({
    key: own,
    certificate: makeCertificate({ ...rootFields, commonName: 'Test intermediate', issuer, key: own, ...more }),
  });
  const under = (middle: Identity, others: readonly Identity[] = []) =>
    cms([issued(middle, key)], { certificates: [middle, ...others].map(({ certificate }) => certificate) });

  test('another authority of the same name', async () => {
    expect(await refusal(verify(cms([issued(newRoot('ec'), key)])))).toContain('trust anchors');
    expect(await refusal(verify(cms([signer]), { anchors: [] }))).toContain('trust anchors');
  });

  test('self-signed', async () => {
    const fields = { ...valid, commonName: 'Test root', serialNumber: iin, key };
    const certificate = makeCertificate({ ...fields, usage: ['digitalSignature', 'keyCertSign'] });
    expect(await refusal(verify(cms([{ key, certificate }])))).toContain('trust anchors');
  });

  test('one and two intermediates, in any order, RSA over EC', async () => {
    await expect(verify(under(authority(root)))).resolves.toBeDefined();
    const upper = authority(root, { commonName: 'Upper' }, keys.rsa);
    const lower = authority(upper, { commonName: 'Lower' });
    await expect(verify(under(lower, [upper]))).resolves.toBeDefined();
    const der = cms([issued(lower, key)], { certificates: [upper.certificate, root.certificate, lower.certificate] });
    await expect(verify(der)).resolves.toBeDefined();
    expect(await refusal(verify(under(lower)))).toContain('trust anchors');
  });

  test.each([
    ['without the flag of an authority', { authority: { isAuthority: false } }, 'not a certificate authority'],
    ['without keyCertSign', { usage: ['cRLSign'] as const }, 'keyCertSign'],
    ['expired', { notAfter: days(-1) }, 'not valid at this time'],
    ['not valid yet', { notBefore: days(1) }, 'not valid at this time'],
    ['with an unknown critical extension', { criticalExtension: '1.2.3.4' }, 'critical'],
    ['signed with SHA-1', { scheme: { hash: 'sha1' } as const }, 'trust anchors'],
  ])('an intermediate %s', async (_, more, words) => {
    expect(await refusal(verify(under(authority(root, more))))).toContain(words);
  });

  test('an intermediate without basic constraints, such as a signer who issues', async () => {
    const middle = issued(root, middleKey, { commonName: 'Another', usage: ['digitalSignature', 'keyCertSign'] });
    expect(await refusal(verify(under(middle)))).toContain('not a certificate authority');
  });

  test('a path length that is respected, and one that is exceeded', async () => {
    const narrow = newRoot('ec', { authority: { isAuthority: true, pathLength: 0 } });
    const anchors = [narrow.certificate];
    await expect(verify(cms([issued(narrow, key)]), { anchors })).resolves.toBeDefined();
    expect(await refusal(verify(under(authority(narrow)), { anchors }))).toContain('pathLenConstraint');
    const one = newRoot('ec', { authority: { isAuthority: true, pathLength: 1 } });
    await expect(verify(under(authority(one)), { anchors: [one.certificate] })).resolves.toBeDefined();
  });

  test('an anchor that has expired', async () => {
    const old = newRoot('ec', { notAfter: days(-1) });
    expect(await refusal(verify(cms([issued(old, key)]), { anchors: [old.certificate] }))).toContain('not valid at');
  });

  test('authorities that issue each other in a circle end the search', async () => {
    const [a, b] = [newKey('ec'), newKey('ec')];
    const unsignedA = { key: a, certificate: makeCertificate({ ...rootFields, commonName: 'A', key: a }) };
    const bByA = authority(unsignedA, { commonName: 'B' }, b);
    const aByB = authority(bByA, { commonName: 'A' }, a);
    expect(await refusal(verify(under(bByA, [aByB, unsignedA])))).toContain('trust anchors');
  });

  test('authorities that all issue each other are visited once each', async () => {
    const fields = { ...rootFields, commonName: 'One of many', key: middleKey };
    const many = Array.from({ length: 9 }, () => makeCertificate(fields));
    const [first = new Uint8Array()] = many;
    const der = cms([issued({ key: middleKey, certificate: first }, key)], { certificates: many });
    const before = process.cpuUsage();
    expect(await refusal(verify(der))).toContain('trust anchors');
    const { user, system } = process.cpuUsage(before);
    // Visiting them again on every level would verify tens of thousands of signatures.
    expect(user + system).toBeLessThan(3_000_000);
  });

  test('more intermediates than the search follows', async () => {
    const links = [root];
    for (let i = 0; i < 7; i++) links.push(authority(links[i] as Identity, { commonName: `Level ${i}` }));
    const chain = links.slice(1).reverse();
    expect(await refusal(verify(under(chain[0] as Identity, chain.slice(1))))).toContain('trust anchors');
    const five = links.slice(1, 6).reverse();
    await expect(verify(under(five[0] as Identity, five.slice(1)))).resolves.toBeDefined();
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
  const good = cms([signer], { certificates: [root.certificate] });

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

  test('a flipped bit in the signature, the message digest or the certificate is never accepted', async () => {
    const parts = [createHash('sha256').update(pdf).digest(), Buffer.from(signer.certificate), good.subarray(-64)];
    for (const part of parts) {
      const start = good.indexOf(part);
      expect(start).toBeGreaterThan(0);
      await fc.assert(
        fc.asyncProperty(fc.nat(part.length * 8 - 1), async (bit) => {
          expect(await survives(flipped([start * 8 + bit]))).toBe(false);
        }),
        { numRuns: 15 },
      );
    }
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

describe('signatures that OpenSSL made', () => {
  const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name));
  const requirements = {
    anchors: [fixture('openssl-ca.der')],
    iin: '850101300120',
    at: new Date('2026-12-01T00:00:00Z'),
  };
  const content = contentOf(fixture('openssl.pdf'));

  test.each(['openssl-ec.p7s', 'openssl-rsa-pss.p7s'])('%s', async (name) => {
    const result = await verifyCms(fixture(name).toString('base64'), content, requirements);
    expect(result.certificateSerial).toBe('1001');
  });
});
