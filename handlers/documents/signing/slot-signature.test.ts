import { hash, randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { newAuthority, newSigner } from '../../../scripts/world/eds/folder.ts';
import { makeCms } from '../../../scripts/world/eds/signatures.ts';
import type { Caller } from '../../access/caller.ts';
import { ApiError } from '../../answers/errors.ts';
import type { AcceptedSignatureRow } from '../../data/collections/accepted_signatures.ts';
import type { StoredDocumentFile } from '../../data/collections/documents.ts';
import { setClockOffset } from '../../runtime/clock.ts';
import type { Openssl } from '../../runtime/openssl.ts';
import type { Storage } from '../../storage/storage.ts';
import { acceptSignature } from './slot-signature.ts';

const iin = '850101300120';
const pdf = Buffer.from('%PDF-1.7\nWhat is signed.\n');
const now = new Date();
const authority = newAuthority('ec', now);
const signer = newSigner(authority, { iin, kind: 'ec' }, now);
const [tenantId, documentId, employeeId, personId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const cms = () => Buffer.from(makeCms({ content: pdf, signers: [signer], at: now }));
const eds = { id: randomUUID(), employee_id: employeeId, key_type: 'EDS' } as const;

afterEach(() => setClockOffset(0));

const judging = (verdict: boolean | undefined) => ({ verifies: async () => verdict }) as unknown as Openssl;

interface Situation {
  readonly anchors?: readonly Uint8Array[];
  readonly iin?: string;
  readonly filename?: string;
  readonly openssl?: Openssl;
}

/** Rows and storage of one document whose PDF one employee signs. */
function situation(options: Situation = {}) {
  const { anchors = [authority.certificate], iin: of = iin, filename = 'приказ.pdf', openssl } = options;
  const written = new Set<string>();
  const accepted = new Map<string, AcceptedSignatureRow>();
  const rows = {
    trust_anchors: {
      list: async () => anchors.map((der) => ({ certificate: Buffer.from(der).toString('base64') })),
    },
    employees: { byId: async () => new Map([[employeeId, { person_id: personId }]]) },
    persons: { byId: async () => new Map([[personId, { iin: of }]]) },
    accepted_signatures: {
      insert: async (row: AcceptedSignatureRow) => !accepted.has(row._id) && accepted.set(row._id, row).size > 0,
      first: async ({ _id }: { _id: string }) => accepted.get(_id),
    },
    unclaimed_objects: {
      insert: async () => true,
      change: async () => undefined,
    },
  };
  const caller = { tenant: { id: tenantId }, inTenant: (name: keyof typeof rows) => rows[name] } as unknown as Caller;
  const file: StoredDocumentFile = {
    file_id: randomUUID(),
    file_type: 'FILE_TYPE_PDF',
    filename,
    content_type: 'application/pdf',
    object: {
      key: 'the-pdf',
      version: 'v',
      size_bytes: pdf.length,
      sha256: hash('sha256', pdf, 'hex'),
    },
  };
  const storage = {
    read: async ({ key }: { key: string }) =>
      (async function* () {
        if (key === 'the-pdf') yield pdf;
      })(),
    write: async (key: string, _contentType: string, bytes: Uint8Array) => {
      written.add(key);
      const sha256 = hash('sha256', bytes, 'hex');
      return { key, version: '1', size_bytes: bytes.length, sha256 };
    },
  } as unknown as Storage;
  return { caller, storage, openssl, to: { documentId, pdf: file, slot: eds }, written };
}

const value = (bytes: Buffer) => ({ format: 'CMS', value: bytes.toString('base64') }) as const;

async function refusal(request: Parameters<typeof acceptSignature>[0]) {
  const error = await acceptSignature(request).catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error('not refused', { cause: error });
  const [violation] = error.extras.violations ?? [];
  return { error: error.errorName, ...violation };
}

test('the CMS is stored as a file of the document, under a name of at most 255 characters', async () => {
  const at = situation({ filename: `${'ж'.repeat(251)}.pdf` });
  const { file, certificate_serial } = await acceptSignature({ ...at, signature: value(cms()) });
  expect(file).toMatchObject({ file_type: 'FILE_TYPE_SIGNATURE', filename: `${'ж'.repeat(251)}.p7s` });
  expect([...at.written]).toEqual([`documents/${tenantId}/${documentId}/${file?.file_id}`]);
  expect(certificate_serial).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  ['of a person without IIN', { iin: '' }, 'has no IIN'],
  ['in a tenant without trust anchors', { anchors: [] }, 'no trust anchors'],
  ['that OpenSSL does not verify', { openssl: judging(false) }, 'OpenSSL'],
])('a signature %s is refused, and nothing is stored', async (_, options, words) => {
  const at = situation(options);
  const refused = await refusal({ ...at, signature: value(cms()) });
  expect(refused).toMatchObject({ error: 'INVALID_ARGUMENT', field: 'signature.value' });
  expect(refused.description).toContain(words);
  expect(at.written.size).toBe(0);
});

test('where OpenSSL gives no verdict, a signature is neither taken nor refused', async () => {
  const at = situation({ openssl: judging(undefined) });
  expect(await refusal({ ...at, signature: value(cms()) })).toEqual({ error: 'UNAVAILABLE' });
  expect(at.written.size).toBe(0);
});

test('a signature is taken again for the same act and refused for another one', async () => {
  const at = situation();
  const signature = value(cms());
  const sign = (more: object) => refusal({ ...at, signature, ...more });
  expect((await acceptSignature({ ...at, signature })).file).not.toBeNull();
  expect((await acceptSignature({ ...at, signature })).file).not.toBeNull();
  const words = 'has been accepted for another act: each act needs a signature of its own';
  const refused = { error: 'INVALID_ARGUMENT', field: 'signature.value', description: words };
  expect(await sign({ to: { ...at.to, slot: { ...eds, id: randomUUID() } } })).toEqual(refused);
  expect(await sign({ to: { ...at.to, documentId: randomUUID() } })).toEqual(refused);
  // Another signature over the same bytes may prove another act.
  expect(
    (await acceptSignature({ ...at, to: { ...at.to, slot: { ...eds, id: randomUUID() } }, signature: value(cms()) }))
      .file,
  ).not.toBe(null);
});

test("certificates are judged by the server's time", async () => {
  setClockOffset(400 * 86_400_000);
  const refused = await refusal({ ...situation(), signature: value(cms()) });
  expect(refused.description).toContain('expired');
});
