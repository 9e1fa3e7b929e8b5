import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { TAG } from '../../../handlers/documents/signing/asn1.ts';
import { testFolder } from '../../kit/testing/test-folder.ts';
import { makeCertificate, newKey } from '../../world/eds/certificates.ts';
import { encoded, leaf, replaced, treeOf } from '../../world/eds/der.ts';
import { newAuthority, newSigner, pemOf } from '../../world/eds/folder.ts';
import { rsaKey } from '../../world/eds/shape-world.ts';
import { testDeployment } from '../../world/test-deployment.ts';
import { settingsTool } from './test-tool.ts';

const now = new Date('2026-05-01T00:00:00Z');
const authority = newAuthority('ec', now);
const fingerprint = new X509Certificate(authority.certificate).fingerprint256;

const { database, store } = await testDeployment();
const dir = testFolder();

beforeAll(async () => {
  await words('tenants create A');
});

const { words, json, refused, fits } = settingsTool(() => ({
  store,
  env: { ...database.env, TENANT: 'A' },
  now: () => now,
}));
const file = path.join(dir, 'certificate');
const add = `trust-anchors add --title Центр --file ${file}`;

test('a PEM is added once, listed without the certificate, removed by its fingerprint', async () => {
  await writeFile(file, pemOf(authority.certificate));
  await words(add);
  await writeFile(file, authority.certificate);
  expect(await refused(add)).toContain('already');
  const [row, ...others] = await json('trust-anchors list');
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    title: 'Центр',
    fingerprint: fingerprint.replaceAll(':', '').toLowerCase(),
    not_before: '2026-04-30T00:00:00.000Z',
    not_after: '2036-04-28T00:00:00.000Z',
  });
  expect(row).not.toHaveProperty('certificate');
  await fits('trust-anchors list');
  const out = await words('trust-anchors list');
  expect(out).toContain('Центр');
  expect(out).not.toContain('TEST CA');
  const stored = await store.trust_anchors.findOne({ _id: row.id });
  expect(stored?.certificate).toBe(Buffer.from(authority.certificate).toString('base64'));
  await words('trust-anchors remove', fingerprint);
  expect(await words('trust-anchors list')).toBe('None.\n');
  await refused('trust-anchors remove', row.id);
});

test('a DER is added, removed by its id', async () => {
  const row = await json(add);
  await words('trust-anchors remove', row.id);
});

const expired = newAuthority('ec', new Date('2010-01-01T00:00:00Z')).certificate;
const signer = newSigner(authority, { iin: '850101300120', kind: 'ec' }, now).certificate;
const key = newKey('ec');
const negative = encoded(replaced(treeOf(authority.certificate), [0, 1], () => [leaf(TAG.integer, 'c1')]));
const options = { commonName: 'x', key, notBefore: now, notAfter: now, authority: { isAuthority: true } };
test.each([
  ['a signer', signer, 'not a certificate authority'],
  ['an authority for revocation lists only', makeCertificate({ ...options, usage: ['cRLSign'] }), 'keyCertSign'],
  ['an expired one', expired, 'expired (2019-12-30'],
  ['no certificate', Buffer.from('nothing'), 'no X.509 certificate'],
  ['an empty file', Buffer.alloc(0), 'no X.509 certificate'],
  ['one whose key everybody has', makeCertificate({ ...options, key: rsaKey(1) }), 'an exponent of 3 or more'],
  ['one that RFC 5280 does not allow', negative, '(TBSCertificate.serialNumber: it is negative'],
  ['two certificates', Buffer.from(pemOf(authority.certificate).repeat(2)), 'more than one'],
  [
    'another kind of PEM',
    Buffer.from('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'),
    'no certificate',
  ],
  ['a large file', Buffer.alloc(65_537), 'too large'],
])('%s is refused', async (_, contents, why) => {
  await writeFile(file, contents);
  expect(await refused(add)).toContain(why);
  expect(await store.trust_anchors.countDocuments()).toBe(0);
});

test('a tenant has at most 20', async () => {
  for (let i = 0; i < 20; i++) {
    await writeFile(file, newAuthority('ec', now).certificate);
    await words(add);
  }
  await writeFile(file, authority.certificate);
  expect(await refused(add)).toContain('at most 20');
});
