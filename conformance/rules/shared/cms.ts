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
 * The same bytes in texts that are not their base64 (RFC 4648 §4), though lenient decoders take them.
 * @param value ends with padding, otherwise there are fewer of them
 */
export function loose(value: string): [what: string, text: string][] {
  const half = value.length >> 1;
  const texts: [string, string][] = [
    ['with a line break', `${value.slice(0, half)}\n${value.slice(half)}`],
    ['with a blank at the end', `${value} `],
    ['with a foreign character', `${value.slice(0, half)}!${value.slice(half)}`],
    ['in the alphabet of base64url', value.replaceAll('+', '-').replaceAll('/', '_')],
    ['without its padding', value.replace(/=+$/, '')],
    [
      'with bits that are not zero before its padding',
      value.replace(/(.)(=+)$/, (_, last: string, padding: string) => {
        return `${ALPHABET[ALPHABET.indexOf(last) + 1]}${padding}`;
      }),
    ],
  ];
  return texts.filter(([, text]) => text !== value);
}
