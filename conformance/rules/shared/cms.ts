/** CMS signatures (RFC 5652): how many signers they have, and changes that no signer would make. */
import { fromBER } from 'asn1js';
import { ContentInfo, SignedData } from 'pkijs';

const signedDataOf = (value: string): SignedData => {
  const { content } = new ContentInfo({ schema: fromBER(Buffer.from(value, 'base64')).result });
  return new SignedData({ schema: content });
};

/** How many signers a CMS has. @throws Error if the text is no CMS */
export const signersIn = (value: string): number => signedDataOf(value).signerInfos.length;

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
