/** A certificate that nobody has reason to trust: self-signed, and for a name that is not the receiver's. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { Integer, Utf8String } from 'asn1js';
import { AttributeTypeAndValue, Certificate } from 'pkijs';

/** The certificate of a receiver and its private key, each a PEM text. */
export interface Identity {
  cert: string;
  key: string;
}

const DAY_MS = 86_400_000;
const COMMON_NAME = '2.5.4.3';

/** Each call makes a new certificate. */
export async function strangeCertificate(): Promise<Identity> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const certificate = new Certificate({ version: 2 });
  certificate.serialNumber = new Integer({ value: 1 });
  for (const name of [certificate.subject, certificate.issuer]) {
    const value = new Utf8String({ value: 'strange.invalid' });
    name.typesAndValues.push(new AttributeTypeAndValue({ type: COMMON_NAME, value }));
  }
  certificate.notBefore.value = new Date(Date.now() - DAY_MS);
  certificate.notAfter.value = new Date(Date.now() + DAY_MS);
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign(keys.privateKey, 'SHA-256');
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    cert: new X509Certificate(Buffer.from(certificate.toSchema(true).toBER())).toString(),
    key: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
      .export({ format: 'pem', type: 'pkcs8' })
      .toString(),
  };
}
