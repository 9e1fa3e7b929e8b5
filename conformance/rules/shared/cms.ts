/** CMS signatures (RFC 5652): how many signers they have, and changes that no signer would make. */
import { type BaseBlock, Constructed, fromBER, Integer, Null, ObjectIdentifier, Sequence, Set as SetOf } from 'asn1js';
import { ContentInfo, SignedData } from 'pkijs';

const signedDataOf = (value: string): SignedData => {
  const { content } = new ContentInfo({ schema: fromBER(Buffer.from(value, 'base64')).result });
  return new SignedData({ schema: content });
};

/** A CMS with the signers and the certificates of both, in base64. */
export function joined(one: string, other: string): string {
  const [first, second] = [signedDataOf(one), signedDataOf(other)];
  first.signerInfos.push(...second.signerInfos);
  first.certificates = [...(first.certificates ?? []), ...(second.certificates ?? [])];
  const info = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: first.toSchema(true) });
  return Buffer.from(info.toSchema().toBER()).toString('base64');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The same bytes in the texts in which signing programs write them.
 * @param value ends with padding, otherwise one of them is plain base64
 */
export function spellings(value: string): readonly (readonly [what: string, text: string])[] {
  const inLines = (size: number, end: string) => value.replace(new RegExp(`.{${size}}(?!$)`, 'g'), `$&${end}`);
  const pem = (label: string, end: string) =>
    [`-----BEGIN ${label}-----`, inLines(64, end), `-----END ${label}-----`, ''].join(end);
  return [
    ['PEM', pem('CMS', '\n')],
    ['PEM of PKCS #7 with CR and LF', pem('PKCS7', '\r\n')],
    ['lines of 64', inLines(64, '\n')],
    ['lines of 76 that end with CR and LF', inLines(76, '\r\n')],
    ['a line end at the end', `${value}\n`],
    ['base64url', Buffer.from(value, 'base64').toString('base64url')],
    ['base64 without its padding', value.replace(/=+$/, '')],
  ];
}

/**
 * Texts that hold the same bytes only for lenient decoders, and PEM of something else.
 * @param value ends with padding, otherwise there are fewer of them
 */
export function loose(value: string): [what: string, text: string][] {
  const half = value.length >> 1;
  const [[, pem] = ['', '']] = spellings(value);
  const texts: [string, string][] = [
    ['with a blank at the end', `${value} `],
    ['with a foreign character', `${value.slice(0, half)}!${value.slice(half)}`],
    ['in both alphabets', value.replace(/[+/]/, (one) => (one === '+' ? '-' : '_'))],
    [
      'with bits that are not zero before its padding',
      value.replace(/(.)(=+)$/, (_, last: string, padding: string) => {
        return `${ALPHABET[ALPHABET.indexOf(last) + 1]}${padding}`;
      }),
    ],
    ['as PEM of a certificate', pem.replaceAll('CMS', 'CERTIFICATE')],
    ['as two blocks of PEM', pem + pem],
    ['as PEM without its end', pem.slice(0, pem.indexOf('-----END'))],
  ];
  return texts.filter(([, text]) => text !== value);
}

type Block = BaseBlock & { valueBlock: { value: Block[] } };

/** The members of ContentInfo, SignedData, and SignerInfo. */
interface Members {
  info: Block[];
  data: Block[];
  signer: Block[];
}

const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const ID_DATA = '1.2.840.113549.1.7.1';
const asBlock = (block: BaseBlock): Block => block as Block;
const further = () => asBlock(new Null());

/** An attribute that has to be signed, in the set of unsigned ones. */
const unsignedContentType = () =>
  asBlock(
    new Constructed({
      idBlock: { tagClass: 3, tagNumber: 1 },
      value: [
        new Sequence({
          value: [
            new ObjectIdentifier({ value: CONTENT_TYPE }),
            new SetOf({ value: [new ObjectIdentifier({ value: ID_DATA })] }),
          ],
        }),
      ],
    }),
  );

const misshapes: readonly (readonly [what: string, change: (members: Members) => unknown])[] = [
  ['a further member of ContentInfo', ({ info }) => info.push(further())],
  ['a further member of SignedData', ({ data }) => data.push(further())],
  ['a further member of SignerInfo', ({ signer }) => signer.push(further())],
  ['a further member of IssuerAndSerialNumber', ({ signer }) => signer[1]?.valueBlock.value.push(further())],
  ['a further member of AlgorithmIdentifier', ({ signer }) => signer[2]?.valueBlock.value.push(further())],
  ['certificates behind the signers', ({ data }) => data.push(...data.splice(3, 1))],
  ['the signers twice', ({ data }) => data.push(data.at(-1) as Block)],
  [
    'a version of five bytes',
    ({ data }) => data.splice(0, 1, asBlock(new Integer({ valueHex: Uint8Array.of(1, 0, 0, 0, 1).buffer }))),
  ],
  ['content-type as an unsigned attribute', ({ signer }) => signer.push(unsignedContentType())],
];

/** The same signature in structures that RFC 5652 does not have. Nothing that is signed is changed. */
export function misshapen(value: string): [what: string, text: string][] {
  return misshapes.map(([what, change]) => {
    const whole = asBlock(fromBER(Buffer.from(value, 'base64')).result);
    const info = whole.valueBlock.value;
    const data = info[1]?.valueBlock.value[0]?.valueBlock.value ?? [];
    const signer = data.at(-1)?.valueBlock.value[0]?.valueBlock.value ?? [];
    change({ info, data, signer });
    return [what, Buffer.from(whole.toBER()).toString('base64')];
  });
}
