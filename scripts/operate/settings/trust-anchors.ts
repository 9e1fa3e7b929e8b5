/** `settings trust-anchors`: the certificate authorities whose signers the tenant accepts (D-21). */
import { createHash, randomUUID } from 'node:crypto';
import type { TrustAnchorRow } from '../../../handlers/data/collections/trust_anchors.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { MalformedDer } from '../../../handlers/documents/signing/asn1.ts';
import {
  authorityProblem,
  type Certificate,
  readCertificate,
} from '../../../handlers/documents/signing/certificates.ts';
import { ACCEPTED_KEYS } from '../../../handlers/documents/signing/cms-algorithms.ts';
import { refuse } from '../../kit/command-line.ts';
import { type Column, command, type Group, take, type ValueType } from './command.ts';
import { find, kinds, listOf, removeRow, row } from './lookup.ts';
import { rowShape, shown } from './shape.ts';
import { bytesOf, title } from './values.ts';

/** A limit, because each of them is parsed for every signature that is verified. */
const MOST_ANCHORS = 20;
const MOST_FILE_BYTES = 65_536;

const columns: readonly Column<TrustAnchorRow>[] = [
  ['TITLE', 'title'],
  ['VALID FROM', 'not_before'],
  ['VALID TO', 'not_after'],
  ['FINGERPRINT (SHA-256)', 'fingerprint'],
  ['ID', '_id', 'id'],
];

const json = rowShape('title', 'fingerprint', 'not_before', 'not_after', 'create_time');

/** The certificate of a PEM or DER file, which must hold exactly one. */
function derIn(bytes: Buffer): Uint8Array {
  const text = bytes.toString('latin1');
  if (!text.includes('-----BEGIN ')) return bytes;
  const [found, ...others] = text.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g);
  if (others.length > 0) refuse('The file holds more than one certificate. Add them one by one.');
  return Buffer.from(found?.[1] ?? refuse('The file holds no certificate (BEGIN CERTIFICATE).'), 'base64');
}

function authorityIn(der: Uint8Array, now: Date): Certificate {
  let certificate: Certificate;
  let hasKey: boolean;
  try {
    certificate = readCertificate(der);
    hasKey = certificate.key() !== undefined;
  } catch (error) {
    const why = error instanceof MalformedDer && error.place !== '' ? ` (${error.place}: ${error.message})` : '';
    return refuse(`The file holds no X.509 certificate as RFC 5280 defines it, in PEM or DER${why}.`);
  }
  const problem = authorityProblem(certificate);
  if (problem !== undefined) refuse(`The certificate ${problem}, so it cannot vouch for signers.`);
  if (!hasKey) refuse(`The key of the certificate is not ${ACCEPTED_KEYS}.`);
  if (certificate.notAfter.getTime() < now.getTime()) {
    refuse(`The certificate has expired (${shown(certificate.notAfter)}).`);
  }
  return certificate;
}

/** Adds a trust anchor. @returns null when the tenant already has this certificate @throws Failure (refused) */
export async function addTrustAnchor(
  store: Store,
  tenantId: string,
  anchor: { readonly title: string; readonly der: Uint8Array },
  now: Date,
): Promise<TrustAnchorRow | null> {
  const { notBefore, notAfter } = authorityIn(anchor.der, now);
  const fingerprint = createHash('sha256').update(anchor.der).digest('hex');
  const rows = store.trust_anchors;
  if (await rows.findOne({ tenant_id: tenantId, fingerprint })) return null;
  if ((await rows.countDocuments({ tenant_id: tenantId })) >= MOST_ANCHORS) {
    refuse(`A tenant has at most ${MOST_ANCHORS} trust anchors. Remove one first.`);
  }
  const row: TrustAnchorRow = {
    _id: randomUUID(),
    tenant_id: tenantId,
    title: anchor.title,
    certificate: Buffer.from(anchor.der).toString('base64'),
    fingerprint,
    not_before: notBefore,
    not_after: notAfter,
    create_time: now,
  };
  await rows.insertOne(row);
  return row;
}

const certificateFile: ValueType<Uint8Array> = {
  placeholder: 'path',
  async resolve(_, path) {
    const bytes = await bytesOf(path);
    if (bytes.length > MOST_FILE_BYTES) refuse('The file is too large for one certificate (64 KiB).');
    return derIn(bytes);
  },
};

/** Programs write fingerprints in upper case, with colons. */
const byFingerprint: ValueType<TrustAnchorRow> = {
  ...row(kinds.trust_anchor),
  resolve: (at, text) => find(at, kinds.trust_anchor, text.replaceAll(':', '').toLowerCase()),
};

export const trustAnchors: Group = {
  about: 'Certificate authorities: an EDS slot accepts signatures with certificates that one of them issued.',
  examples: [
    'trust-anchors list',
    'trust-anchors add --title "Удостоверяющий центр" --file ca.pem',
    'trust-anchors remove ID',
  ],
  commands: {
    list: listOf(
      'trust_anchors',
      'List the trust anchors of the tenant by title.',
      { title: 1, _id: 1 },
      json,
      columns,
    ),
    add: command({
      about: 'Accept the signers of a certificate authority.',
      json,
      takes: {
        title: take.required(title('text'), 'its name for administrators'),
        file: take.required(certificateFile, 'its certificate, PEM or DER'),
      },
      examples: ['trust-anchors add --title "Test CA" --file .data/eds/ca/certificate.pem'],
      async run({ store, tenant, now }, { title, file }) {
        const row = await addTrustAnchor(store, tenant._id, { title, der: file }, now);
        if (row === null) return refuse(`The tenant ${tenant.name} has this trust anchor already.`);
        const text = `Added the trust anchor ${title}: ${row.fingerprint}\nFrom now on signatures under it are accepted.`;
        return { of: row, text };
      },
    }),
    remove: command({
      about: 'Stop accepting its signers. Signatures that were accepted stay valid.',
      json,
      takes: { anchor: take.argument(byFingerprint) },
      async run(at, { anchor }) {
        await removeRow(at, 'trust_anchors', anchor);
        const text = `Removed the trust anchor ${anchor.title}. What was signed under it stays signed.`;
        return { of: anchor, text };
      },
    }),
  },
};
