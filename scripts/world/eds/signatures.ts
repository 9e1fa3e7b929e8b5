/** Makes detached CMS signatures (RFC 5652) for tests and demonstrations. */
import { createHash } from 'node:crypto';
import { TAG } from '../../../handlers/documents/signing/asn1.ts';
import {
  fieldsOf,
  type HashName,
  hashIdentifier,
  type Identity,
  keyIdentifier,
  type Scheme,
  signatureIdentifier,
  signed,
} from './certificates.ts';
import {
  at,
  attribute,
  byEncoding,
  encoded,
  identified,
  identifier,
  leaf,
  type Path,
  plain,
  replaced,
  sequence,
  set,
  type Tree,
  tagged,
  treeOf,
  utcTime,
} from './der.ts';

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const ID_DATA = '1.2.840.113549.1.7.1';

export interface CmsWish {
  /** The content to sign: its bytes, or its digest if there are too many bytes to hold in memory. */
  readonly content: Uint8Array | { readonly digest: Uint8Array };
  readonly signers: readonly Identity[];
  /** Certificates of authorities between the signer and its anchor. The signers' own are included. */
  readonly certificates?: readonly Uint8Array[];
  /** Identifies the signer by its key's identifier instead of by issuer and serial number. */
  readonly byKeyIdentifier?: boolean;
  readonly scheme?: Scheme;
  /** The hash of the signature, if it is another one than that of the content and the digest algorithm. */
  readonly signatureHash?: HashName;
  /** Listed in SignedData beside the digest algorithm that is used. */
  readonly otherDigests?: readonly HashName[];
  /** The signing time that the signature states. */
  readonly at: Date;
  /** Includes the content, so that the signature is not detached. */
  readonly attached?: boolean;
}

/** @returns DER */
export function makeCms(options: CmsWish): Buffer {
  const { content, signers, scheme = { hash: 'sha256' }, otherDigests = [], certificates = [] } = options;
  const isWhole = content instanceof Uint8Array;
  const digest = isWhole ? createHash(scheme.hash).update(content).digest() : content.digest;
  const attached = isWhole && options.attached ? [tagged(0, leaf(TAG.octetString, content))] : [];
  const own = signers.map(({ certificate }) => certificate);
  const data = sequence(
    versionOf(options),
    set(...[scheme.hash, ...otherDigests].map(hashIdentifier)),
    identified(ID_DATA, ...attached),
    tagged(0, ...[...own, ...certificates].map((certificate) => treeOf(certificate))),
    set(...signers.map((signer) => signerInfo(signer, digest, scheme, options))),
  );
  return encoded(identified(SIGNED_DATA, tagged(0, data)));
}

/** Of the whole and of each signer: it says how they are identified. */
const versionOf = ({ byKeyIdentifier }: CmsWish) => leaf(TAG.integer, byKeyIdentifier ? '03' : '01');

function signerInfo({ key, certificate }: Identity, digest: Uint8Array, scheme: Scheme, options: CmsWish): Tree {
  const { byKeyIdentifier, signatureHash: hash = scheme.hash } = options;
  const all = [
    attribute('1.2.840.113549.1.9.3', identifier(ID_DATA)),
    attribute('1.2.840.113549.1.9.5', utcTime(options.at)),
    attribute('1.2.840.113549.1.9.4', leaf(TAG.octetString, digest)),
  ].toSorted(byEncoding);
  const { issuer, serialNumber } = fieldsOf(certificate);
  // The signature covers a SET OF, not the implicit tag that is encoded in its place (RFC 5652 §5.4).
  const covered = encoded(set(...all));
  return sequence(
    versionOf(options),
    byKeyIdentifier ? plain(0, keyIdentifier(key)) : sequence(issuer, serialNumber),
    hashIdentifier(scheme.hash),
    tagged(0, ...all),
    signatureIdentifier(key, { ...scheme, hash }),
    leaf(TAG.octetString, signed(key, { ...scheme, hash }, covered)),
  );
}

/** The tree with a signature over its signed attributes, as they are. @param signer where the SignerInfo is */
export function resigned(tree: Tree, { key }: Identity, signer: Path, scheme: Scheme): Tree {
  const bytes = encoded(at(tree, [...signer, 3]));
  bytes[0] = 0x31;
  return replaced(tree, [...signer, 5], () => [leaf(TAG.octetString, signed(key, scheme, bytes))]);
}

/** A signature whose signed attributes have a longer length than DER allows, and are signed as they are. */
export function withLooseAttributes(cms: Uint8Array, person: Identity, scheme: Scheme): Buffer {
  const signer: Path = [1, 0, 4, 0];
  const loose = replaced(treeOf(cms), [...signer, 3], (old) => [{ ...old, length: 1 }]);
  return encoded(resigned(loose, person, signer, scheme));
}
