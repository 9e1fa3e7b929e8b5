/** Makes detached CMS signatures (RFC 5652) for tests and demonstrations. */
import { createHash } from 'node:crypto';
import { type BaseBlock, OctetString, Primitive, UTCTime } from 'asn1js';
import {
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import {
  exactBuffer,
  type HashName,
  hashIdentifier,
  type Identity,
  keyIdentifier,
  oid,
  read,
  type Scheme,
  signatureIdentifier,
  signed,
} from './certificates.ts';

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const ID_DATA = '1.2.840.113549.1.7.1';

export interface CmsWish {
  /** The content to sign: its bytes, or its digest if there are too many bytes to hold in memory. */
  readonly content: Uint8Array | { readonly digest: Uint8Array };
  readonly signers: readonly Identity[];
  /** Certificates of authorities between the signer and its anchor. The signers' own are included, unless left out. */
  readonly certificates?: readonly Uint8Array[];
  readonly withoutSigners?: boolean;
  /** Identifies the signer by its key's identifier instead of by issuer and serial number. */
  readonly byKeyIdentifier?: boolean;
  readonly scheme?: Scheme;
  /** The hash of the signature, if it is another one than that of the content and the digest algorithm. */
  readonly signatureHash?: HashName;
  /** Listed in SignedData beside the digest algorithm that is used. */
  readonly otherDigests?: readonly HashName[];
  /** The signing time that the signature states. */
  readonly at: Date;
  /** Changes the usual signed attributes of a signature. */
  readonly attributes?: (usual: Attribute[]) => Attribute[];
  /** Includes the content, so that the signature is not detached. */
  readonly attached?: boolean;
}

export function makeCms(options: CmsWish): Uint8Array {
  const scheme = options.scheme ?? { hash: 'sha256' };
  const { content } = options;
  const digest = content instanceof Uint8Array ? digestOf(scheme.hash, content) : content.digest;
  const encapsulated = new EncapsulatedContentInfo({ eContentType: ID_DATA });
  if (options.attached && content instanceof Uint8Array) {
    encapsulated.eContent = new OctetString({ valueHex: exactBuffer(content) });
  }
  const own = options.withoutSigners ? [] : options.signers.map(({ certificate }) => certificate);
  const data = new SignedData({
    version: 1,
    digestAlgorithms: [scheme.hash, ...(options.otherDigests ?? [])].map(hashIdentifier),
    encapContentInfo: encapsulated,
    certificates: [...own, ...(options.certificates ?? [])].map(read),
    signerInfos: options.signers.map((signer) => signerInfo(signer, digest, scheme, options)),
  });
  const info = new ContentInfo({ contentType: SIGNED_DATA, content: data.toSchema(true) });
  return new Uint8Array(info.toSchema().toBER());
}

function digestOf(hash: HashName, bytes: Uint8Array): Uint8Array {
  return createHash(hash).update(bytes).digest();
}

export function attribute(type: string, value: BaseBlock): Attribute {
  return new Attribute({ type, values: [value] });
}

function signerInfo({ key, certificate }: Identity, digest: Uint8Array, scheme: Scheme, options: CmsWish): SignerInfo {
  const usual = [
    attribute('1.2.840.113549.1.9.3', oid(ID_DATA)),
    attribute('1.2.840.113549.1.9.5', new UTCTime({ valueDate: options.at })),
    attribute('1.2.840.113549.1.9.4', new OctetString({ valueHex: exactBuffer(digest) })),
  ];
  const attributes = (options.attributes?.(usual) ?? usual).sort(byEncoding);
  const { issuer, serialNumber } = read(certificate);
  const own = { ...scheme, hash: options.signatureHash ?? scheme.hash };
  const byKey =
    options.byKeyIdentifier &&
    new Primitive({ idBlock: { tagClass: 3, tagNumber: 0 }, valueHex: exactBuffer(keyIdentifier(key)) });
  const info = new SignerInfo({
    version: byKey ? 3 : 1,
    sid: byKey || new IssuerAndSerialNumber({ issuer, serialNumber }),
    digestAlgorithm: hashIdentifier(scheme.hash),
    signatureAlgorithm: signatureIdentifier(key, own),
  });
  let bytes = Buffer.alloc(0);
  if (attributes.length > 0) {
    info.signedAttrs = new SignedAndUnsignedAttributes({ type: 0, attributes });
    bytes = Buffer.from(info.signedAttrs.toSchema().toBER());
    // The signature covers a SET OF, not the implicit tag that is encoded in its place (RFC 5652 §5.4).
    bytes[0] = 0x31;
  }
  info.signature = new OctetString({ valueHex: exactBuffer(signed(key, own, bytes)) });
  return info;
}

/** DER sorts the members of a SET OF by their encoding. */
function byEncoding(one: Attribute, other: Attribute): number {
  return Buffer.compare(Buffer.from(one.toSchema().toBER()), Buffer.from(other.toSchema().toBER()));
}
