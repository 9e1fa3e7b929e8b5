/**
 * The text in which a CMS is sent (D-21). Signing programs write the same bytes as base64 in one line or in many, in
 * either alphabet, and as PEM; what is stored and compared are the bytes.
 */
import { failField } from '../../answers/errors.ts';

/** Before base64 encoding. */
export const MAX_CMS_BYTES = 65_536;
/** As text: base64 of the largest CMS, with line ends and the two lines of PEM. The contract's `maxLength`. */
export const MAX_CMS_TEXT = 98_304;

/** What stands between the hyphens of PEM for a CMS: RFC 7468 §9, and the older name that OpenSSL still writes. */
const LABELS = ['CMS', 'PKCS7'];
const BEGIN = '-----BEGIN ';
const RIM = '-----';

const refuse = (description: string): never => failField('signature.value', description);

/** @returns the bytes of the CMS @throws ApiError INVALID_ARGUMENT on `signature.value`, saying what is wrong */
export function bytesOfSignature(text: string): Buffer {
  if (text.length > MAX_CMS_TEXT) refuse('must be at most 96 KiB of text');
  const lines = text.split(/[\r\n]+/).filter((line) => line !== '');
  const isPem = text.includes(BEGIN);
  const base64 = (isPem ? insidePem(lines) : lines).join('');
  if (base64 === '') refuse('must hold a CMS in base64 (RFC 4648), and is empty');
  const bytes = Buffer.from(base64, 'base64');
  const [encoded] = base64.split('=', 1) as [string];
  const padding = base64.slice(encoded.length);
  const isPadded = padding === '' || padding === '='.repeat(-encoded.length & 3);
  // Node skips what is not base64, and bits that no byte takes. Encoding the bytes again shows whether there were any.
  const isExact = [bytes.toString('base64url'), bytes.toString('base64').replace(/=+$/, '')].includes(encoded);
  if (!isExact || !isPadded) {
    refuse(
      'must be base64 in one alphabet (RFC 4648 §4 or §5), with or without line ends and padding, and nothing else',
    );
  }
  if (bytes.length > MAX_CMS_BYTES) refuse('must be at most 64 KiB before encoding');
  return bytes;
}

/** The base64 of a single PEM block (RFC 7468 §3, without headers). @param lines those of the text, none empty */
function insidePem(lines: readonly string[]): readonly string[] {
  const [first = '', ...inside] = lines.slice(0, -1);
  const label = first.slice(BEGIN.length, -RIM.length);
  if (!first.startsWith(BEGIN) || lines.at(-1) !== `${RIM}END ${label}${RIM}` || inside.join('').includes(RIM)) {
    refuse('must be one PEM block and nothing around it: -----BEGIN CMS-----, base64, -----END CMS-----');
  }
  if (!LABELS.includes(label)) refuse('must be a PEM block with the label CMS or PKCS7');
  return inside;
}
