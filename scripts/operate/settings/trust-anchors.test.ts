import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { TAG } from '../../../handlers/documents/signing/asn1.ts';
import { makeCertificate, newKey } from '../../testbed/eds/certificates.ts';
import { newAuthority, newSigner, pemOf } from '../../testbed/eds/folder.ts';
import { rsaKey } from '../../testbed/eds/shape-world.ts';
import { encoded, leaf, replaced, treeOf } from '../../testbed/eds/shapes.ts';
import { testDeployment } from '../../testbed/test-deployment.ts';
import { testFolder } from '../../testbed/test-surroundings.ts';
import { settingsTool } from './test-tool.ts';

const now = new Date('2026-05-01T00:00:00Z');
const authority = newAuthority('ec', now);
const fingerprint = new X509Certificate(authority.certificate).fingerprint256;

const { database, store } = await testDeployment();
const dir = testFolder();

beforeAll(async () => {
  await run('tenants', 'create', 'A');
  await run('tenants', 'create', 'B');
});

const { run, json, fits } = settingsTool(() => ({ env: { ...database.env, TENANT: 'A' }, now: () => now }));
const anchors = (...argv: string[]) => run('trust-anchors', ...argv);

async function add(contents: string | Uint8Array, title = 'Центр') {
  const file = path.join(dir, 'certificate');
  await writeFile(file, contents);
  return anchors('add', '--title', title, '--file', file);
}

test('a PEM is added once, listed without the certificate, removed by its fingerprint', async () => {
  expect((await add(pemOf(authority.certificate))).code).toBe(0);
  const again = await add(authority.certificate, 'The same as DER');
  expect(again).toMatchObject({ code: 1, out: '' });
  expect(again.err).toContain('already');
  const [row, ...others] = await json('trust-anchors', 'list');
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    title: 'Центр',
    fingerprint: fingerprint.replaceAll(':', '').toLowerCase(),
    not_before: '2026-04-30T00:00:00.000Z',
    not_after: '2036-04-28T00:00:00.000Z',
  });
  expect(row).not.toHaveProperty('certificate');
  await fits('trust-anchors', 'list');
  const { out } = await anchors('list');
  expect(out).toContain('Центр');
  expect(out).not.toContain('TEST CA');
  const stored = await store.trust_anchors.findOne({ _id: row.id });
  expect(stored?.certificate).toBe(Buffer.from(authority.certificate).toString('base64'));
  expect((await run('trust-anchors', 'remove', row.id, '--tenant', 'B')).code).toBe(1);
  expect((await anchors('remove', fingerprint)).code).toBe(0);
  expect((await anchors('list')).out).toBe('None.\n');
  expect((await anchors('remove', row.id)).code).toBe(1);
});

test('a DER is added, removed by its id', async () => {
  const { out } = await add(authority.certificate);
  expect(out).toContain('Added');
  const [row] = await json('trust-anchors', 'list');
  expect((await anchors('remove', row.id)).code).toBe(0);
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
])('%s is refused', async (_, contents, words) => {
  const { code, out, err } = await add(contents);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(words);
  expect(await store.trust_anchors.countDocuments()).toBe(0);
});

test('a missing file is refused with its name', async () => {
  const { code, err } = await anchors('add', '--title', 'x', '--file', path.join(dir, 'missing'));
  expect(code).toBe(1);
  expect(err).toContain('missing');
});

test('a tenant has at most 20', async () => {
  for (let i = 0; i < 20; i++) expect((await add(newAuthority('ec', now).certificate)).code).toBe(0);
  expect((await add(authority.certificate)).err).toContain('at most 20');
});
