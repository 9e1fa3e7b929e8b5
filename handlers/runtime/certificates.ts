/** Files of certificates. */
import { X509Certificate } from 'node:crypto';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates in a text of PEM blocks. @throws if one of the blocks is none */
export const certificatesIn = (pem: string): X509Certificate[] =>
  (pem.match(PEM) ?? []).map((block) => new X509Certificate(block));
