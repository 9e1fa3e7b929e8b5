/** Faults that the rules of flow-eds.rules.ts must catch. */
import { accepts, after, bodies, type Json, parse, put, refused, refuses } from '../mutation/alter.ts';
import { lenient, shown } from '../mutation/alter-documents.ts';
import { type Alter, type Fault, faultsOf, type ProxiedAnswer, type ProxiedRequest } from '../mutation/fault.ts';
import { signersIn } from './shared/cms.ts';

/** Identifiers as a CMS holds them (DER). */
const SHA384 = '0609608648016503040202';
const SHA512 = '0609608648016503040203';
/** The key usage nonRepudiation alone. */
const NON_REPUDIATION = '0603551d0f0101ff040403020640';
const KEY_USAGE = '0603551d0f';
const CODE_SIGNING = '06082b06010505070303';

const ECDSA_WITH_SHA512 = '06082a8648ce3d040304';
const NAME_CONSTRAINTS = '0603551d1e';
const SERVER_AUTH = '06082b06010505070301';
/** What a length of one byte more looks like at the begin of signed attributes. */
const LOOSE_ATTRIBUTES = /a08[12][0-9a-f]{2,4}301806092a864886f70d010903/;

/** The begin of an RSA key whose modulus has 1,024 bits. */
const RSA_1024 = '30818902818100';

const signatureIn = (asked: ProxiedRequest): string => String(parse(asked.body)?.signature?.value);

/** How many signers a CMS has; 0 if it cannot be read. */
function signerCount(asked: ProxiedRequest): number {
  try {
    return signersIn(signatureIn(asked));
  } catch {
    return 0;
  }
}

const hexOf = (asked: ProxiedRequest): string => Buffer.from(signatureIn(asked), 'base64').toString('hex');
const cmsEnds = (asked: ProxiedRequest, bytes: string): boolean => hexOf(asked).endsWith(bytes);
const cmsHolds = (asked: ProxiedRequest, identifier: string): boolean =>
  Buffer.from(signatureIn(asked), 'base64').includes(Buffer.from(identifier, 'hex'));

/** Takes signatures that were refused. */
const takes = (which: (asked: ProxiedRequest) => boolean): Alter =>
  accepts('signDocument', (answer, asked) => refused(answer) && which(asked), { document: {} });

/** A signature that was accepted is accepted again. @param where only there; by default anywhere */
const takesAgain = (where: (asked: ProxiedRequest) => string = () => ''): Alter =>
  after('signDocument', (answer, asked, memory) => {
    const key = `of ${signatureIn(asked)} at ${where(asked)}`;
    if (answer.status === 200) memory.notes.set(key, answer);
    return (memory.notes.get(key) as ProxiedAnswer | undefined) ?? answer;
  });

export const faults: readonly Fault[] = faultsOf({
  'FLOW-30': {
    'flow-cms-not-kept': [
      'the CMS is no file of the document',
      shown(put('files', (files) => files.filter((file: Json) => !/SIGNATURE|CMS|P7S/i.test(file.file_type)))),
    ],
  },
  'FLOW-31': {
    'flow-cms-any': ['a signature that is damaged is taken', lenient('signDocument')],
    'flow-cms-loose-base64': [
      'foreign characters in base64 are skipped',
      bodies('signDocument', ({ signature }) => {
        if (typeof signature?.value === 'string')
          signature.value = Buffer.from(signature.value, 'base64').toString('base64');
      }),
    ],
    'flow-cms-two-signers': ['of two signers the first counts', takes((asked) => signerCount(asked) > 1)],
    'flow-cms-again': ['a signature of one document signs another of the same bytes', takesAgain()],
    'flow-cms-in-a-later-step': [
      'a signature signs a later step of the same document too',
      takesAgain(({ target }) => target),
    ],
  },
  'FLOW-46': {
    'flow-cms-pem-refused': [
      'a signature is taken as base64 in one line only',
      refuses('signDocument', 'INVALID_ARGUMENT', (asked) => /[\r\n]/.test(signatureIn(asked))),
    ],
    'flow-cms-base64url-refused': [
      'a signature in base64url is refused',
      refuses('signDocument', 'INVALID_ARGUMENT', (asked) => /^[^\s+/]*[-_][^\s+/]*$/.test(signatureIn(asked))),
    ],
  },
  'FLOW-44': {
    'flow-cms-further-members': [
      'members that do not belong there are skipped',
      takes((asked) => cmsEnds(asked, '0500')),
    ],
    'flow-cms-attributes-in-ber': [
      'signed attributes need not be DER',
      takes((asked) => LOOSE_ATTRIBUTES.test(hexOf(asked))),
    ],
    'flow-cms-other-digest': [
      'the digest algorithm need not be that of the signature',
      takes((asked) => cmsHolds(asked, ECDSA_WITH_SHA512)),
    ],
    'flow-cms-name-constraints-unread': [
      'name constraints that are not critical are ignored',
      takes((asked) => cmsHolds(asked, NAME_CONSTRAINTS)),
    ],
    'flow-cms-authority-for-servers': [
      'the extended key usage of an authority is ignored',
      takes((asked) => cmsHolds(asked, SERVER_AUTH)),
    ],
    'flow-cms-small-key': ['a key of 1,024 bits is taken', takes((asked) => cmsHolds(asked, RSA_1024))],
    'flow-cms-non-repudiation-refused': [
      'a certificate with the key usage nonRepudiation alone is refused',
      refuses('signDocument', 'INVALID_ARGUMENT', (asked) => cmsHolds(asked, NON_REPUDIATION)),
    ],
    'flow-cms-no-sha512': [
      'a signature of SHA-512 is refused',
      refuses('signDocument', 'INVALID_ARGUMENT', (asked) => cmsHolds(asked, SHA512)),
    ],
    'flow-cms-digest-unread': [
      'a signature of SHA-384 over other bytes is taken',
      takes((asked) => cmsHolds(asked, SHA384)),
    ],
    'flow-cms-usage-absent': [
      'a certificate without a key usage is taken',
      takes((asked) => signerCount(asked) === 1 && !cmsHolds(asked, KEY_USAGE)),
    ],
    'flow-cms-any-certificate': [
      'a certificate that is not for signing is taken',
      takes((asked) => cmsHolds(asked, CODE_SIGNING)),
    ],
  },
});
