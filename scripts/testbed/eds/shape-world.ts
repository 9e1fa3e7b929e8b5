/** The people, authorities and names that structures to try a verifier with are made of. */
import { CONTEXT, TAG } from '../../../handlers/documents/signing/asn1.ts';
import { type CertificateWish, type Identity, makeCertificate, newKey } from './certificates.ts';
import { branch, CONSTRUCTED, leaf, type Shape, type Tree } from './shapes.ts';

export interface World {
  readonly content: Uint8Array;
  readonly iin: string;
  readonly at: Date;
}

export interface JudgedShape extends Shape {
  readonly anchor: Uint8Array;
}

const DAY_MS = 86_400_000;
/** A value with the tag [n] around its members, or in place of theirs. */
export const tagged = (number: number, ...members: Tree[]) => branch((CONTEXT << 6) | CONSTRUCTED | number, ...members);

export function identifier(dotted: string): Tree {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...others].flatMap((number) => {
    const groups = [number & 0x7f];
    for (let rest = number >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
    return groups;
  });
  return leaf(TAG.oid, Uint8Array.from(bytes));
}

/** Makes certificates of invented people and authorities for one world. */
export function maker({ iin, at: now }: World) {
  const days = (from: number, to: number) => ({
    notBefore: new Date(now.getTime() + from * DAY_MS),
    notAfter: new Date(now.getTime() + to * DAY_MS),
  });
  const authority = (commonName: string, more: Partial<CertificateWish> = {}): Identity => {
    const key = more.key ?? newKey('ec');
    const fields = { authority: { isAuthority: true }, usage: ['keyCertSign', 'cRLSign'] as const, ...days(-10, 400) };
    return { key, certificate: makeCertificate({ commonName, ...fields, ...more, key }) };
  };
  const signer = (issuer: Identity, more: Partial<CertificateWish> = {}): Identity => {
    const key = more.key ?? newKey('ec');
    const fields = {
      serialNumber: `IIN${iin}`,
      usage: ['digitalSignature', 'nonRepudiation'] as const,
      ...days(-5, 300),
    };
    return { key, certificate: makeCertificate({ commonName: 'Invented signer', ...fields, issuer, ...more, key }) };
  };
  return { authority, signer, days };
}
