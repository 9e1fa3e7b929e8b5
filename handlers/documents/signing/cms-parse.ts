/** Parses a CMS SignedData (RFC 5652 §5) in BER or DER, without verifying it. */
import { fromBER, ObjectIdentifier, OctetString } from 'asn1js';
import {
  type AlgorithmIdentifier,
  type Attribute,
  ContentInfo,
  IssuerAndSerialNumber,
  type RelativeDistinguishedNames,
  SignedData,
} from 'pkijs';
import { isOneValue } from './asn1-form.ts';
import { type Certificate, octetsOf, PARSER_LIMITS, serialOf } from './cms-certificates.ts';

export const SIGNED_DATA = '1.2.840.113549.1.7.2';
export const ID_DATA = '1.2.840.113549.1.7.1';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';

export interface Signer {
  /** Whether a certificate is the one that the signer names. */
  readonly named: (certificate: Certificate) => boolean;
  readonly digestAlgorithm: AlgorithmIdentifier;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array;
  /** Undefined when the signer has none. */
  readonly attributes: SignedAttributes | undefined;
}

export interface SignedAttributes {
  /** The SET OF that the signature covers, as it was sent. */
  readonly bytes: Uint8Array;
  /** RFC 5652 §5.3 requires DER here, even when the rest is BER. A length byte of 0x80 is indefinite length: BER. */
  readonly isDer: boolean;
  /** The only value of the attribute; undefined when it is absent, repeated or of another type. */
  readonly contentType: string | undefined;
  readonly messageDigest: Uint8Array | undefined;
}

export interface Cms {
  /** The type of what was signed. */
  readonly contentType: string;
  readonly isDetached: boolean;
  /** The list in SignedData itself, for all signers. */
  readonly digestAlgorithms: readonly AlgorithmIdentifier[];
  /** DER of each X.509 certificate that was sent; certificates of other kinds are left out. */
  readonly certificates: readonly Uint8Array[];
  readonly signers: readonly Signer[];
}

/** @throws Error when the bytes are no CMS SignedData */
export function parseCms(bytes: Uint8Array): Cms {
  if (!isOneValue(bytes)) throw new Error('not one value that all readers decode in the same way');
  const { offset, result } = fromBER(bytes, PARSER_LIMITS);
  if (offset !== bytes.length) throw new Error('not one value');
  const info = new ContentInfo({ schema: result });
  if (info.contentType !== SIGNED_DATA) throw new Error('not SignedData');
  const certificates = certificatesIn(info.content);
  const data = new SignedData({ schema: info.content });
  return {
    contentType: data.encapContentInfo.eContentType,
    isDetached: data.encapContentInfo.eContent === undefined,
    digestAlgorithms: data.digestAlgorithms,
    certificates,
    signers: data.signerInfos.map(({ sid, digestAlgorithm, signatureAlgorithm, signature, signedAttrs }) => ({
      named: (certificate) => isNamed(sid, certificate),
      digestAlgorithm,
      signatureAlgorithm,
      signature: octetsOf(signature),
      attributes: signedAttrs && attributesOf(new Uint8Array(signedAttrs.encodedValue), signedAttrs.attributes),
    })),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: asn1js gives the blocks of a parsed value no narrower type
type Block = any;

/** The bytes of the certificates as they were sent: signatures and fingerprints are made over these bytes. */
function certificatesIn(content: Block): Uint8Array[] {
  const [set] = content.valueBlock.value.filter(
    ({ idBlock }: Block) => idBlock.tagClass === 3 && idBlock.tagNumber === 0,
  );
  const members: Block[] = set?.valueBlock.value ?? [];
  return members
    .filter(({ idBlock }) => idBlock.tagClass === 1 && idBlock.tagNumber === 16)
    .map(({ valueBeforeDecodeView }) => valueBeforeDecodeView);
}

function isNamed(sid: Block, certificate: Certificate): boolean {
  if (sid instanceof IssuerAndSerialNumber) {
    return serialOf(sid.serialNumber) === certificate.serial && isSameName(sid.issuer, certificate.issuer);
  }
  const wanted = Buffer.from(sid.valueBlock.valueHexView ?? []).toString('hex');
  return wanted !== '' && wanted === certificate.subjectKeyIdentifier;
}

/** Compares byte by byte: parsers disagree about which other names are equal. */
function isSameName(one: RelativeDistinguishedNames, other: RelativeDistinguishedNames): boolean {
  return Buffer.from(one.valueBeforeDecode).equals(Buffer.from(other.valueBeforeDecode));
}

function attributesOf(bytes: Uint8Array, attributes: readonly Attribute[]): SignedAttributes {
  const only = (type: string): unknown => {
    const [values, ...others] = attributes.filter((attribute) => attribute.type === type).map(({ values }) => values);
    return others.length === 0 && values?.length === 1 ? values[0] : undefined;
  };
  const contentType = only(CONTENT_TYPE);
  const digest = only(MESSAGE_DIGEST);
  return {
    bytes,
    isDer: bytes[1] !== 0x80,
    contentType: contentType instanceof ObjectIdentifier ? contentType.valueBlock.toString() : undefined,
    messageDigest: digest instanceof OctetString ? octetsOf(digest) : undefined,
  };
}
