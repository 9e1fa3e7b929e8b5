import { writeFileSync } from 'node:fs';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { joined, loose, misshapen, spellings } from './shared/cms.ts';
import { type Document, downloadOf, draftFromUpload, fetchFile, pdf, titleOf } from './shared/document-calls.ts';
import { act, approval, cast, done, eds, outline, sent, setRoute, signing, unchanged } from './shared/flow-calls.ts';
import { need, together } from './shared/needs.ts';
import { textOfPdf } from './shared/pdf-text.ts';

let files = 0;

/**
 * A CMS over bytes, in base64.
 * @param certificate whose certificate, by the names of the admin commands
 * @param scheme hash and padding; without it, those that sign_cms takes
 */
async function cmsOf(t: TestContext, bytes: Buffer, certificate = 'restricted', scheme?: string): Promise<string> {
  const file = t.path(`signed-${process.pid}-${files++}.pdf`);
  writeFileSync(file, bytes, { mode: 0o600 });
  const printed =
    scheme === undefined
      ? await t.admin('sign_cms', { file, certificate })
      : await t.admin('sign_cms_with', { file, certificate, scheme });
  return printed.trim();
}

/** A CMS whose base64 ends with padding: one in three does not. */
async function paddedCmsOf(t: TestContext, bytes: Buffer): Promise<string> {
  let value = await cmsOf(t, bytes);
  for (let nth = 1; !value.endsWith('=') && nth < 8; nth++) value = await cmsOf(t, bytes);
  return value;
}

const bytesOf = async (t: TestContext, document: Document): Promise<Buffer> =>
  fetchFile(t, (await downloadOf(t.as('full'), document.id)).url);

rule({
  id: 'FLOW-30',
  level: 'MUST',
  text: 'A qualified signature is verified and kept: the slot is SIGNED and the CMS is a file of the document.',
  place: 'signDocument',
  decisions: ['D-21'],
  needs: together(need.threeOwners, { admin: ['sign_cms'] }),
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second), eds(restricted)]);
    await done(second.api, going.id, '_approve');
    const value = await cmsOf(t, await bytesOf(t, going));
    const end = await done(restricted.api, going.id, '_sign', {
      signature: { format: t.spelling.signature_format.CMS, value },
    });
    t.equal(
      outline(t, end),
      'COMPLETED COMPLETED [APPROVAL COMPLETED APPROVED] [SIGNING COMPLETED SIGNED]',
      'statuses',
    );
    t.equal(
      end.files.map(({ file_type }) => file_type),
      [t.spelling.file_type.PDF, t.spelling.file_type.SIGNATURE, t.spelling.file_type.SIGNED_PDF],
      'the files after a qualified signature',
    );
    const { url } = await downloadOf(second.api, end.id, end.files[1]?.file_id);
    const stored = await fetchFile(t, url);
    t.check(stored.equals(Buffer.from(value, 'base64')), 'the stored signature is not the one that was sent');
    (
      await act(restricted.api, going.id, '_sign', { signature: { format: t.spelling.signature_format.CMS, value } })
    ).fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'the same signature again');
    await unchanged(full.api, end, 'a repeated signature');
  },
});

/** The CMS with one bit changed. @param at position, as a share of its length */
function damaged(value: string, at: number): string {
  const bytes = Buffer.from(value, 'base64');
  const index = Math.min(bytes.length - 1, Math.floor(bytes.length * at));
  bytes[index] = (bytes[index] ?? 0) ^ 0x01;
  return bytes.toString('base64');
}

/** Each act needs its own signature: in another document of the same bytes, and in a later step of the same document. */
async function reused(t: TestContext): Promise<void> {
  const { full, restricted } = cast(t);
  const bytes = pdf(titleOf(t));
  const [one, other] = [await uploadedOnSign(t, bytes, 2), await uploadedOnSign(t, bytes)];
  const signature = { format: t.spelling.signature_format.CMS, value: await cmsOf(t, bytes) };
  const later = await done(restricted.api, one.id, '_sign', { signature });
  const cases: [what: string, document: Document][] = [
    ['the signature of another document', other],
    ['the signature of an earlier step', later],
  ];
  for (const [what, document] of cases) {
    (await act(restricted.api, document.id, '_sign', { signature })).blames('signature.value', what);
    await unchanged(full.api, document, what);
  }
}

/** A document that waits for signatures of one person, in so many steps. */
async function uploadedOnSign(t: TestContext, bytes: Buffer, steps = 1): Promise<Document> {
  const { full, restricted } = cast(t);
  const { id } = await draftFromUpload(t, full.api, bytes);
  await setRoute(
    full.api,
    id,
    Array.from({ length: steps }, () => eds(restricted)),
  );
  return done(full.api, id, '_send');
}

rule({
  id: 'FLOW-31',
  level: 'MUST',
  text: 'A qualified signature that is missing, damaged, neither base64 nor PEM, over other bytes, of another person, of two signers, of another authority, expired, or accepted before for another document or another step is INVALID_ARGUMENT, and the slot stays open.',
  place: 'signDocument',
  decisions: ['D-21'],
  needs: together(need.threeOwners, { admin: ['sign_cms'] }),
  check: async (t) => {
    const { full, restricted } = cast(t);
    const going = await sent(t, full, [eds(restricted)]);
    const bytes = await bytesOf(t, going);
    const [right, overOthers, second, foreign, expired] = await Promise.all([
      paddedCmsOf(t, bytes),
      cmsOf(t, Buffer.concat([bytes, Buffer.from(' ')])),
      cmsOf(t, bytes, 'second'),
      cmsOf(t, bytes, 'foreign'),
      cmsOf(t, bytes, 'expired'),
    ]);
    const raw = Buffer.from(right, 'base64');
    const cases: [what: string, value: unknown][] = [
      ['no base64', '!!!!'],
      ['empty', ''],
      ['no CMS', Buffer.from('no signature').toString('base64')],
      ['a PDF', pdf().toString('base64')],
      ['cut short', raw.subarray(0, raw.length >> 1).toString('base64')],
      ['with bytes behind it', Buffer.concat([raw, Buffer.from('x')]).toString('base64')],
      ['beyond 64 KiB', Buffer.alloc(65_537, 0x30).toString('base64')],
      ['a damaged end (the signature itself)', damaged(right, 1)],
      ['a damaged middle', damaged(right, 0.5)],
      ['over other bytes', overOthers],
      ['of another person', second],
      ['of two signers', joined(right, second)],
      ...loose(right),
      ['of another authority', foreign],
      ['of an expired certificate', expired],
      ['a number', 7],
    ];
    (await act(restricted.api, going.id, '_sign')).blames('signature', 'no signature');
    for (const [what, value] of cases) {
      (
        await act(restricted.api, going.id, '_sign', { signature: { format: t.spelling.signature_format.CMS, value } })
      ).blames('signature.value', what);
    }
    (await act(restricted.api, going.id, '_sign', { signature: { format: 'XML', value: right } })).blames(
      'signature.format',
    );
    (await act(restricted.api, going.id, '_sign', { signature: { value: right } })).blames(
      'signature.format',
      'no format',
    );
    await unchanged(full.api, going, 'refused signatures');
    await done(restricted.api, going.id, '_sign', {
      signature: { format: t.spelling.signature_format.CMS, value: right },
    });
    await reused(t);
  },
});

/** Signatures with these certificates and schemes are accepted. */
const ACCEPTED = [
  ...['sha256', 'sha384', 'sha512'].map((hash) => ['restricted', hash]),
  ['restricted_p384', 'sha384'],
  ...['sha256', 'sha512', 'pss-sha384'].map((scheme) => ['restricted_rsa', scheme]),
  ['below', 'sha256'],
  ...['digital_signature', 'non_repudiation'].map((usage) => [usage, 'sha256']),
] as [certificate: string, scheme: string][];

/** Signatures with these certificates and schemes are refused, although they are over the right bytes. */
const REFUSED: typeof ACCEPTED = [
  ['restricted', 'sha1'],
  ['small_rsa', 'sha256'],
  ['below_expired', 'sha256'],
  ['wrong_usage', 'sha256'],
  ['wrong_purpose', 'sha256'],
];

rule({
  id: 'FLOW-44',
  level: 'MUST',
  text: 'A signature with each hash, kind of key and key usage that the contract names is accepted, but not over other bytes; one with SHA-1, by an RSA key below 2,048 bits, with an expired authority in the chain or by a certificate that is not for signing is INVALID_ARGUMENT.',
  place: 'signDocument: signature',
  decisions: ['D-21'],
  needs: together(need.threeOwners, { admin: ['sign_cms_with'] }),
  check: async (t) => {
    const { full, restricted } = cast(t);
    const going = await sent(
      t,
      full,
      ACCEPTED.map(() => eds(restricted)),
    );
    const bytes = await bytesOf(t, going);
    const others = Buffer.concat([bytes, Buffer.from(' ')]);
    const signature = (value: string) => ({ signature: { format: t.spelling.signature_format.CMS, value } });
    for (const [certificate, scheme] of REFUSED) {
      const value = await cmsOf(t, bytes, certificate, scheme);
      const answer = await act(restricted.api, going.id, '_sign', signature(value));
      answer.blames('signature.value', `${certificate} with ${scheme}`);
    }
    let signed: Document = going;
    for (const [certificate, scheme] of ACCEPTED) {
      const [right, wrong] = await Promise.all([
        cmsOf(t, bytes, certificate, scheme),
        cmsOf(t, others, certificate, scheme),
      ]);
      const answer = await act(restricted.api, going.id, '_sign', signature(wrong));
      answer.blames('signature.value', `${certificate} with ${scheme}, over other bytes`);
      signed = await done(restricted.api, going.id, '_sign', signature(right));
    }
    t.equal(signed.status, t.spelling.document_status.COMPLETED, 'the status after all signatures');
  },
});

/** Ids may be broken at the end of a line. */
const withoutBlanks = (text: string) => text.replace(/\s/g, '');

rule({
  id: 'FLOW-45',
  level: 'MUST',
  text: 'The signing sheet of a completed document has the ids of everybody who approved or signed it.',
  place: 'downloadDocument',
  decisions: ['D-22'],
  needs: need.threeOwners,
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second), signing(restricted)]);
    await done(second.api, going.id, '_approve');
    const end = await done(restricted.api, going.id, '_sign');
    const sheet = end.files.find(({ file_type }) => file_type === t.spelling.file_type.SIGNED_PDF);
    const { url } = await downloadOf(full.api, end.id, t.present(sheet, 'there is no signed PDF').file_id);
    const text = withoutBlanks(textOfPdf(await fetchFile(t, url)));
    const { steps } = t.present(end.route, 'the document has no route');
    const ids = steps.flatMap(({ participants }) => participants.flatMap(({ id, employee_id }) => [id, employee_id]));
    const missing = ids.filter((id) => !text.includes(id));
    if (missing.length === ids.length) t.untested('no_such_data', 'the text of the signing sheet cannot be read');
    t.equal(missing, [], 'the participants and employees that the sheet lacks');
  },
});

rule({
  id: 'FLOW-46',
  level: 'MUST',
  text: 'A signature is read as base64 in either alphabet, with or without line ends and padding, and as one PEM block, and its bytes are what is stored.',
  place: 'signDocument: signature.value',
  decisions: ['D-21'],
  needs: together(need.threeOwners, { admin: ['sign_cms'] }),
  check: async (t) => {
    const { full, restricted } = cast(t);
    const steps = spellings('').map(() => eds(restricted));
    let signed = await sent(t, full, steps);
    const bytes = await bytesOf(t, signed);
    for (const nth of steps.keys()) {
      const right = await paddedCmsOf(t, bytes);
      const [what, value] = t.present(spellings(right)[nth], 'there is no such form');
      signed = await done(restricted.api, signed.id, '_sign', {
        signature: { format: t.spelling.signature_format.CMS, value },
      });
      const kept = signed.files.filter(({ file_type }) => file_type === t.spelling.file_type.SIGNATURE)[nth];
      const { url } = await downloadOf(full.api, signed.id, t.present(kept, `${what} is not kept`).file_id);
      t.check((await fetchFile(t, url)).equals(Buffer.from(right, 'base64')), `other bytes are kept of ${what}`);
    }
    t.equal(signed.status, t.spelling.document_status.COMPLETED, 'the status after all signatures');
  },
});

/** Signatures that are over the right bytes, by the right key, and yet no evidence for others. */
const NO_EVIDENCE: typeof ACCEPTED = [
  ['restricted', 'sha256-then-sha512'],
  ['restricted', 'sha256-not-der'],
  ['below_constrained', 'sha256'],
  ['below_servers', 'sha256'],
];

rule({
  id: 'FLOW-47',
  level: 'MUST',
  text: 'A signature that others refuse is INVALID_ARGUMENT: with a member that is further, misplaced or doubled, an attribute in the wrong set, signed attributes that are not DER, a digest algorithm that is not the signature’s, or a chain that breaks name constraints or an extended key usage.',
  place: 'signDocument: signature.value',
  decisions: ['D-21'],
  needs: together(need.threeOwners, { admin: ['sign_cms', 'sign_cms_with'] }),
  check: async (t) => {
    const { full, restricted } = cast(t);
    const going = await sent(t, full, [eds(restricted)]);
    const bytes = await bytesOf(t, going);
    const right = await cmsOf(t, bytes);
    const cases = misshapen(right);
    for (const [certificate, scheme] of NO_EVIDENCE) {
      cases.push([`${certificate} with ${scheme}`, await cmsOf(t, bytes, certificate, scheme)]);
    }
    const signature = (value: string) => ({ signature: { format: t.spelling.signature_format.CMS, value } });
    for (const [what, value] of cases) {
      (await act(restricted.api, going.id, '_sign', signature(value))).blames('signature.value', what);
    }
    await unchanged(full.api, going, 'refused signatures');
    await done(restricted.api, going.id, '_sign', signature(right));
  },
});
