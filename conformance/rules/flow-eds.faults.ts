/** Faults that the rules of flow-eds.rules.ts must catch. */
import { accepts, answers, bodies, type Json, parse, refused, refuses } from '../mutation/alter.ts';
import { lenient, walk } from '../mutation/alter-documents.ts';
import type { Fault, ProxiedAnswer, ProxiedRequest } from '../mutation/fault.ts';
import { signersIn } from './shared/cms.ts';

/** Identifiers as a CMS holds them (DER). */
const SHA384 = '0609608648016503040202';
const SHA512 = '0609608648016503040203';
/** The key usage nonRepudiation alone. */
const NON_REPUDIATION = '0603551d0f0101ff040403020640';
const CODE_SIGNING = '06082b06010505070303';

const ECDSA_WITH_SHA512 = '06082a8648ce3d040304';
const NAME_CONSTRAINTS = '0603551d1e';
const SERVER_AUTH = '06082b06010505070301';
/** What a length of one byte more looks like at the begin of signed attributes. */
const LOOSE_ATTRIBUTES = /a08[12][0-9a-f]{2,4}301806092a864886f70d010903/;

/** The begin of an RSA key whose modulus has 1,024 bits. */
const RSA_1024 = '30818902818100';

const signatureIn = (asked: ProxiedRequest): string => String(parse(asked.body)?.signature?.value);

/** Whether a CMS has several signers; false if it cannot be read. */
function hasSeveralSigners(asked: ProxiedRequest): boolean {
  try {
    return signersIn(signatureIn(asked)) > 1;
  } catch {
    return false;
  }
}

const hexOf = (asked: ProxiedRequest): string => Buffer.from(signatureIn(asked), 'base64').toString('hex');
const cmsEnds = (asked: ProxiedRequest, bytes: string): boolean => hexOf(asked).endsWith(bytes);
const cmsHolds = (asked: ProxiedRequest, identifier: string): boolean =>
  Buffer.from(signatureIn(asked), 'base64').includes(Buffer.from(identifier, 'hex'));

/** A signature that was accepted is accepted again. @param where only there; by default anywhere */
const takesAgain =
  (where: (asked: ProxiedRequest) => string = () => ''): Fault['alter'] =>
  async (asked, forward, memory) => {
    const answer = await forward(asked);
    if (asked.operation !== 'signDocument') return answer;
    const key = `of ${signatureIn(asked)} at ${where(asked)}`;
    if (answer.status === 200) memory.notes.set(key, answer);
    return (memory.notes.get(key) as ProxiedAnswer | undefined) ?? answer;
  };

export const faults: readonly Fault[] = [
  {
    id: 'flow-cms-not-kept',
    rule: 'FLOW-30',
    breaks: 'the CMS is no file of the document',
    alter: walk((one) => {
      one.files = one.files?.filter((file: Json) => !/SIGNATURE|CMS|P7S/i.test(file.file_type));
    }),
  },
  {
    id: 'flow-cms-any',
    rule: 'FLOW-31',
    breaks: 'a signature that is damaged is taken',
    alter: lenient('signDocument'),
  },
  {
    id: 'flow-cms-loose-base64',
    rule: 'FLOW-31',
    breaks: 'foreign characters in base64 are skipped',
    alter: bodies('signDocument', ({ signature }) => {
      if (typeof signature?.value === 'string')
        signature.value = Buffer.from(signature.value, 'base64').toString('base64');
    }),
  },
  {
    id: 'flow-cms-pem-refused',
    rule: 'FLOW-46',
    breaks: 'a signature is taken as base64 in one line only',
    alter: refuses('signDocument', 'INVALID_ARGUMENT', (asked) => /[\r\n]/.test(signatureIn(asked))),
  },
  {
    id: 'flow-cms-base64url-refused',
    rule: 'FLOW-46',
    breaks: 'a signature in base64url is refused',
    alter: refuses('signDocument', 'INVALID_ARGUMENT', (asked) => /^[^\s+/]*[-_][^\s+/]*$/.test(signatureIn(asked))),
  },
  {
    id: 'flow-cms-further-members',
    rule: 'FLOW-47',
    breaks: 'members that do not belong there are skipped',
    alter: accepts('signDocument', (answer, asked) => refused(answer) && cmsEnds(asked, '0500'), { document: {} }),
  },
  {
    id: 'flow-cms-attributes-in-ber',
    rule: 'FLOW-47',
    breaks: 'signed attributes need not be DER',
    alter: accepts('signDocument', (answer, asked) => refused(answer) && LOOSE_ATTRIBUTES.test(hexOf(asked)), {
      document: {},
    }),
  },
  {
    id: 'flow-cms-other-digest',
    rule: 'FLOW-47',
    breaks: 'the digest algorithm need not be that of the signature',
    alter: accepts('signDocument', (answer, asked) => refused(answer) && cmsHolds(asked, ECDSA_WITH_SHA512), {
      document: {},
    }),
  },
  {
    id: 'flow-cms-name-constraints-unread',
    rule: 'FLOW-47',
    breaks: 'name constraints that are not critical are ignored',
    alter: accepts('signDocument', (answer, asked) => refused(answer) && cmsHolds(asked, NAME_CONSTRAINTS), {
      document: {},
    }),
  },
  {
    id: 'flow-cms-authority-for-servers',
    rule: 'FLOW-47',
    breaks: 'the extended key usage of an authority is ignored',
    alter: accepts('signDocument', (answer, asked) => refused(answer) && cmsHolds(asked, SERVER_AUTH), {
      document: {},
    }),
  },
  {
    id: 'flow-cms-two-signers',
    rule: 'FLOW-31',
    breaks: 'of two signers the first counts',
    alter: accepts('signDocument', (answer, asked) => refused(answer) && hasSeveralSigners(asked), { document: {} }),
  },
  {
    id: 'flow-cms-small-key',
    rule: 'FLOW-44',
    breaks: 'a key of 1,024 bits is taken',
    alter: accepts('signDocument', (answer, asked) => refused(answer) && cmsHolds(asked, RSA_1024), { document: {} }),
  },
  {
    id: 'flow-sheet-of-others',
    rule: 'FLOW-45',
    breaks: 'the signing sheet has another employee than the one who approved',
    alter: answers('signDocument', ({ document }) => {
      const [first] = document.route?.steps?.[0]?.participants ?? [];
      if (first) first.employee_id = crypto.randomUUID();
    }),
  },
  {
    id: 'flow-cms-non-repudiation-refused',
    rule: 'FLOW-44',
    breaks: 'a certificate with the key usage nonRepudiation alone is refused',
    alter: refuses('signDocument', 'INVALID_ARGUMENT', (asked) => cmsHolds(asked, NON_REPUDIATION)),
  },
  {
    id: 'flow-cms-no-sha512',
    rule: 'FLOW-44',
    breaks: 'a signature of SHA-512 is refused',
    alter: refuses('signDocument', 'INVALID_ARGUMENT', (asked) => cmsHolds(asked, SHA512)),
  },
  {
    id: 'flow-cms-digest-unread',
    rule: 'FLOW-44',
    breaks: 'a signature of SHA-384 over other bytes is taken',
    alter: accepts('signDocument', (answer, asked) => refused(answer) && cmsHolds(asked, SHA384)),
  },
  {
    id: 'flow-cms-any-certificate',
    rule: 'FLOW-44',
    breaks: 'a certificate that is not for signing is taken',
    alter: accepts('signDocument', (answer, asked) => refused(answer) && cmsHolds(asked, CODE_SIGNING), {
      document: {},
    }),
  },
  {
    id: 'flow-cms-again',
    rule: 'FLOW-31',
    breaks: 'a signature of one document signs another of the same bytes',
    alter: takesAgain(),
  },
  {
    id: 'flow-cms-in-a-later-step',
    rule: 'FLOW-31',
    breaks: 'a signature signs a later step of the same document too',
    alter: takesAgain(({ target }) => target),
  },
];
