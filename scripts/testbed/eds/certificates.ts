/** Makes keys and X.509 certificates for tests and demonstrations. Nobody trusts this certificate authority. */
import {
  constants,
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
} from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  BitString,
  fromBER,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  PrintableString,
  Sequence,
  Set as SetOf,
  Utf8String,
} from 'asn1js';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  RSASSAPSSParams,
} from 'pkijs';

export interface Identity {
  readonly key: KeyObject;
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER of the authorities between it and its anchor, the nearest first; absent in an anchor and below one. */
  readonly chain?: readonly Uint8Array[];
}

export type KeyKind = 'rsa' | 'rsa-1024' | 'ec' | 'ec-384';

/** A new private key: RSA of 2,048 bits or, too few to be accepted, of 1,024; or ECDSA on P-256 or P-384. */
export function newKey(kind: KeyKind): KeyObject {
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  if (kind === 'rsa-1024') return generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey;
  return generateKeyPairSync('ec', { namedCurve: kind === 'ec' ? 'P-256' : 'P-384' }).privateKey;
}

export type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

const hashIds: Readonly<Record<HashName, string>> = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
};
const rsaIds = {
  sha1: '1.2.840.113549.1.1.5',
  sha256: '1.2.840.113549.1.1.11',
  sha384: '1.2.840.113549.1.1.12',
  sha512: '1.2.840.113549.1.1.13',
} as const;
const ecdsaIds = {
  sha1: '1.2.840.10045.4.1',
  sha256: '1.2.840.10045.4.3.2',
  sha384: '1.2.840.10045.4.3.3',
  sha512: '1.2.840.10045.4.3.4',
} as const;
const PSS = '1.2.840.113549.1.1.10';
const MGF1 = '1.2.840.113549.1.1.8';
const PSS_SALT = 32;

/** How something is signed; `pss` applies only to RSA keys. */
export interface Scheme {
  readonly hash: HashName;
  readonly pss?: boolean;
}

/** The identifier of a hash, as CMS and PSS name it. */
export function hashIdentifier(hash: HashName): AlgorithmIdentifier {
  return new AlgorithmIdentifier({ algorithmId: hashIds[hash], algorithmParams: new Null() });
}

export function signatureIdentifier(key: KeyObject, { hash, pss }: Scheme): AlgorithmIdentifier {
  if (key.asymmetricKeyType === 'ec') return new AlgorithmIdentifier({ algorithmId: ecdsaIds[hash] });
  if (!pss) return new AlgorithmIdentifier({ algorithmId: rsaIds[hash], algorithmParams: new Null() });
  const params = new RSASSAPSSParams({
    hashAlgorithm: hashIdentifier(hash),
    maskGenAlgorithm: new AlgorithmIdentifier({
      algorithmId: MGF1,
      algorithmParams: hashIdentifier(hash).toSchema(),
    }),
    saltLength: PSS_SALT,
  });
  return new AlgorithmIdentifier({ algorithmId: PSS, algorithmParams: params.toSchema() });
}

/** Signs bytes; an ECDSA signature is encoded as DER. */
export function signed(key: KeyObject, { hash, pss }: Scheme, bytes: Uint8Array): Uint8Array {
  const padding = pss && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: PSS_SALT };
  return signBytes(hash, bytes, { key, ...padding });
}

/** Key usages by name, each with its bit (RFC 5280 §4.2.1.3). */
export const keyUsages = {
  digitalSignature: 0x80,
  nonRepudiation: 0x40,
  keyEncipherment: 0x20,
  keyCertSign: 0x04,
  cRLSign: 0x02,
} as const;
export type KeyUsageName = keyof typeof keyUsages;

export interface CertificateWish {
  /** Never the name of a real person. */
  readonly commonName: string;
  /** The subject's serialNumber, such as `IIN` and twelve digits, or several of them. */
  readonly serialNumber?: string | readonly string[];
  readonly key: KeyObject;
  /** If absent, the certificate is signed by its own key. */
  readonly issuer?: Identity;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly authority?: { readonly isAuthority: boolean; readonly pathLength?: number };
  readonly usage?: readonly KeyUsageName[];
  /** Object identifiers; if absent, there is no extended key usage. */
  readonly purposes?: readonly string[];
  /** Names and IPv4 addresses of a server (subject alternative names); if absent or empty, there are none. */
  readonly hosts?: readonly string[];
  /** The object identifier of an unknown extension that is marked critical. */
  readonly criticalExtension?: string;
  /** Further extensions; the value is DER. */
  readonly others?: readonly { readonly id: string; readonly critical?: boolean; readonly value: Uint8Array }[];
  readonly scheme?: Scheme;
}

/** Makes a certificate. @returns DER */
export function makeCertificate(options: CertificateWish): Uint8Array {
  const scheme = options.scheme ?? { hash: 'sha256' };
  const signer = options.issuer?.key ?? options.key;
  const spki = publicBytes(options.key);
  const certificate = new Certificate({ version: 2 });
  certificate.serialNumber = positiveInteger(randomBytes(16));
  certificate.subject = subjectOf(options);
  certificate.issuer = options.issuer === undefined ? certificate.subject : read(options.issuer.certificate).subject;
  certificate.notBefore.value = options.notBefore;
  certificate.notAfter.value = options.notAfter;
  certificate.subjectPublicKeyInfo = new PublicKeyInfo({ schema: fromBER(spki).result });
  certificate.extensions = extensions(options);
  certificate.signature = signatureIdentifier(signer, scheme);
  certificate.signatureAlgorithm = certificate.signature;
  const tbs = new Uint8Array(certificate.encodeTBS().toBER());
  certificate.signatureValue = new BitString({ valueHex: exactBuffer(signed(signer, scheme, tbs)) });
  return new Uint8Array(certificate.toSchema(true).toBER());
}

/** Parses a certificate that was made here. */
export function read(der: Uint8Array): Certificate {
  return new Certificate({ schema: fromBER(der).result });
}

function publicBytes(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' });
}

/** The subject key identifier in certificates that are made here. @param key the private key */
export function keyIdentifier(key: KeyObject): Uint8Array {
  return createHash('sha256').update(publicBytes(key)).digest().subarray(0, 20);
}

function positiveInteger(bytes: Buffer): Integer {
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f);
  return new Integer({ valueHex: exactBuffer(bytes) });
}

/** Each attribute is in its own part of the name, as certificate authorities do it. */
function subjectOf({ commonName, serialNumber }: CertificateWish): RelativeDistinguishedNames {
  const part = (type: string, value: Utf8String | PrintableString) =>
    new SetOf({ value: [new AttributeTypeAndValue({ type, value }).toSchema()] });
  const parts = [part('2.5.4.3', new Utf8String({ value: commonName }))];
  for (const value of [serialNumber ?? []].flat()) parts.push(part('2.5.4.5', new PrintableString({ value })));
  return new RelativeDistinguishedNames({ schema: fromBER(new Sequence({ value: parts }).toBER()).result });
}

function extensions({
  authority,
  usage,
  purposes,
  hosts,
  criticalExtension,
  others,
  key,
}: CertificateWish): Extension[] {
  const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
    new Extension({ extnID, critical, extnValue: value.toBER() });
  const made = [extension('2.5.29.14', false, new OctetString({ valueHex: exactBuffer(keyIdentifier(key)) }))];
  if (authority !== undefined) {
    const { isAuthority, pathLength } = authority;
    const constraints = new BasicConstraints({
      cA: isAuthority,
      ...(pathLength === undefined ? {} : { pathLenConstraint: pathLength }),
    });
    made.push(extension('2.5.29.19', true, constraints.toSchema()));
  }
  if (usage !== undefined) made.push(extension('2.5.29.15', true, usageBits(usage)));
  if (purposes !== undefined) {
    made.push(extension('2.5.29.37', false, new ExtKeyUsage({ keyPurposes: [...purposes] }).toSchema()));
  }
  if (hosts?.length) {
    made.push(extension('2.5.29.17', false, new GeneralNames({ names: hosts.map(hostName) }).toSchema()));
  }
  if (criticalExtension !== undefined) made.push(extension(criticalExtension, true, new Null()));
  for (const { id, critical = false, value } of others ?? []) {
    made.push(new Extension({ extnID: id, critical, extnValue: exactBuffer(value) }));
  }
  return made;
}

function hostName(host: string): GeneralName {
  if (!isIPv4(host)) return new GeneralName({ type: 2, value: host });
  return new GeneralName({
    type: 7,
    value: new OctetString({ valueHex: exactBuffer(Buffer.from(host.split('.').map(Number))) }),
  });
}

/** DER does not allow zero bits at the end of named bits. */
function usageBits(usage: readonly KeyUsageName[]): BitString {
  const bits = usage.reduce((sum, one) => sum | keyUsages[one], 0);
  const unusedBits = bits === 0 ? 0 : 31 - Math.clz32(bits & -bits);
  return new BitString({ valueHex: exactBuffer(Uint8Array.of(bits)), unusedBits });
}

/** The bytes in a buffer of their own, which asn1js requires. */
export function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

/** An object identifier in the form that asn1js uses. */
export function oid(value: string): ObjectIdentifier {
  return new ObjectIdentifier({ value });
}
