import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { series } from './shared/calls.ts';
import { joined, loose, misshapen, spellings } from './shared/cms.ts';
import { cms, cmsOf } from './shared/cms-commands.ts';
import {
  act,
  approval,
  cast,
  contentOf,
  type Document,
  done,
  draftFromUpload,
  eds,
  outline,
  pdf,
  sent,
  titleOf,
  unchanged,
} from './shared/document-calls.ts';

const rule = rulesWith({ place: 'signDocument', decisions: ['D-21'] });

/** A CMS whose base64 ends with padding: one in three does not. */
async function paddedCmsOf(t: TestContext, bytes: Buffer): Promise<string> {
  let value = await cmsOf(t, bytes);
  for (let nth = 1; !value.endsWith('=') && nth < 8; nth++) value = await cmsOf(t, bytes);
  return value;
}

rule({
  id: 'FLOW-30',
  text: 'A qualified signature is verified and kept: the slot is SIGNED and the CMS is a file of the document.',
  check: async (t) => {
    const { full, second, restricted } = cast(t);
    const going = await sent(t, full, [approval(second), eds(restricted)]);
    await done(second.api, going.id, '_approve');
    const value = await cmsOf(t, await contentOf(t, full.api, going.id));
    const end = await done(restricted.api, going.id, '_sign', cms(t, value));
    const statuses = 'COMPLETED COMPLETED [APPROVAL COMPLETED APPROVED] [SIGNING COMPLETED SIGNED]';
    t.equal(outline(t, end), statuses, 'statuses');
    const { PDF, SIGNATURE, SIGNED_PDF } = t.spelling.file_type;
    const kinds = end.files.map(({ file_type }) => file_type);
    t.equal(kinds, [PDF, SIGNATURE, SIGNED_PDF], 'the files after a qualified signature');
    const stored = await contentOf(t, second.api, end.id, end.files[1]?.file_id);
    t.check(stored.equals(Buffer.from(value, 'base64')), 'the stored signature is not the one that was sent');
    const again = await act(restricted.api, going.id, '_sign', cms(t, value));
    again.fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'the same signature again');
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
  const signature = cms(t, await cmsOf(t, bytes));
  const later = await done(restricted.api, one.id, '_sign', signature);
  const cases: [what: string, document: Document][] = [
    ['the signature of another document', other],
    ['the signature of an earlier step', later],
  ];
  for (const [what, document] of cases) {
    (await act(restricted.api, document.id, '_sign', signature)).blames('signature.value', what);
    await unchanged(full.api, document, what);
  }
}

/** A document that waits for signatures of one person, in so many steps. */
async function uploadedOnSign(t: TestContext, bytes: Buffer, steps = 1): Promise<Document> {
  const { full, restricted } = cast(t);
  const plan = series(steps, () => eds(restricted));
  return sent(t, full, plan, await draftFromUpload(t, full.api, bytes));
}

rule({
  id: 'FLOW-31',
  text: 'A qualified signature that is missing, damaged, neither base64 nor PEM, over other bytes, of another person, of two signers, of another authority, expired, or accepted before for another document or another step is INVALID_ARGUMENT, and the slot stays open.',
  check: async (t) => {
    const { full, restricted } = cast(t);
    const going = await sent(t, full, [eds(restricted)]);
    const bytes = await contentOf(t, full.api, going.id);
    const [right, overOthers, second, foreign, expired] = await Promise.all([
      paddedCmsOf(t, bytes),
      cmsOf(t, Buffer.concat([bytes, Buffer.from(' ')])),
      cmsOf(t, bytes, 'second'),
      cmsOf(t, bytes, 'foreign'),
      cmsOf(t, bytes, 'expired'),
    ]);
    const raw = Buffer.from(right, 'base64');
    const cases: [what: string, value: string][] = [
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
    ];
    (await act(restricted.api, going.id, '_sign')).blames('signature', 'no signature');
    for (const [what, value] of cases) {
      (await act(restricted.api, going.id, '_sign', cms(t, value))).blames('signature.value', what);
    }
    await unchanged(full.api, going, 'refused signatures');
    await done(restricted.api, going.id, '_sign', cms(t, right));
    await reused(t);
  },
});

/** Signatures with these certificates and schemes are accepted. */
const ACCEPTED = [
  ...['sha256', 'sha384', 'sha512'].map((hash) => ['restricted', hash]),
  ['restricted_p384', 'sha384'],
  ...['sha256', 'sha512', 'pss-sha384'].map((scheme) => ['restricted_rsa', scheme]),
  ['below', 'sha256'],
  ['below_last', 'sha256'],
  ...['digital_signature', 'non_repudiation'].map((usage) => [usage, 'sha256']),
] as [certificate: string, scheme: string][];

/** Signatures with these certificates and schemes are refused, although they are over the right bytes. */
const REFUSED: typeof ACCEPTED = [
  ['restricted', 'sha1'],
  ['small_rsa', 'sha256'],
  ['below_expired', 'sha256'],
  ['wrong_usage', 'sha256'],
  ['no_usage', 'sha256'],
  ['wrong_purpose', 'sha256'],
  ['restricted', 'sha256-then-sha512'],
  ['restricted', 'sha256-not-der'],
  ['below_constrained', 'sha256'],
  ['below_servers', 'sha256'],
  ['below_beyond', 'sha256'],
];

rule({
  id: 'FLOW-44',
  text: 'A signature with each hash, kind of key and key usage that the contract names is accepted, but not over other bytes. One that others would refuse is INVALID_ARGUMENT: with SHA-1, by a short RSA key, with an authority that expired or whose name constraints, path length or key usage are broken, by a certificate that is not for signing, with a member that is further, misplaced or doubled, with signed attributes that are not DER, or with another digest algorithm.',
  place: 'signDocument: signature.value',
  check: async (t) => {
    const { full, restricted } = cast(t);
    const steps = ACCEPTED.map(() => eds(restricted));
    let signed = await sent(t, full, steps);
    const bytes = await contentOf(t, full.api, signed.id);
    const others = Buffer.concat([bytes, Buffer.from(' ')]);
    const cases = misshapen(await cmsOf(t, bytes));
    for (const [certificate, scheme] of REFUSED)
      cases.push([`${certificate} with ${scheme}`, await cmsOf(t, bytes, certificate, scheme)]);
    for (const [what, value] of cases)
      (await act(restricted.api, signed.id, '_sign', cms(t, value))).blames('signature.value', what);
    await unchanged(full.api, signed, 'refused signatures');
    for (const [certificate, scheme] of ACCEPTED) {
      const right = await cmsOf(t, bytes, certificate, scheme);
      const wrong = await cmsOf(t, others, certificate, scheme);
      const answer = await act(restricted.api, signed.id, '_sign', cms(t, wrong));
      answer.blames('signature.value', `${certificate} with ${scheme}, over other bytes`);
      signed = await done(restricted.api, signed.id, '_sign', cms(t, right));
    }
    t.equal(signed.status, t.spelling.document_status.COMPLETED, 'the status after all signatures');
  },
});

rule({
  id: 'FLOW-46',
  text: 'A signature is read as base64 in either alphabet, with or without line ends and padding, and as one PEM block, and its bytes are what is stored.',
  place: 'signDocument: signature.value',
  check: async (t) => {
    const { full, restricted } = cast(t);
    const steps = spellings('').map(() => eds(restricted));
    let signed = await sent(t, full, steps);
    const bytes = await contentOf(t, full.api, signed.id);
    for (const nth of steps.keys()) {
      const right = await paddedCmsOf(t, bytes);
      const [what, value] = t.present(spellings(right)[nth], 'there is no such form');
      signed = await done(restricted.api, signed.id, '_sign', cms(t, value));
      const kept = signed.files.filter(({ file_type }) => file_type === t.spelling.file_type.SIGNATURE)[nth];
      const stored = await contentOf(t, full.api, signed.id, t.present(kept, `${what} is not kept`).file_id);
      t.check(stored.equals(Buffer.from(right, 'base64')), `other bytes are kept of ${what}`);
    }
    t.equal(signed.status, t.spelling.document_status.COMPLETED, 'the status after all signatures');
  },
});
