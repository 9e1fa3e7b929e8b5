/** The signature in a request to sign: which slot needs one, who must have made it, and how it is stored (D-21). */
import type { Signature } from '../../../generated/client/types.gen.ts';
import type { Caller } from '../../access/caller.ts';
import { failField, unavailableError } from '../../answers/errors.ts';
import type { AcceptedSignatureRow } from '../../data/collections/accepted_signatures.ts';
import type { StoredDocumentFile, StoredParticipant } from '../../data/collections/documents.ts';
import { signatureInTurn } from '../../fairness/work-in-turn.ts';
import { now } from '../../runtime/clock.ts';
import type { JudgedSignature, Openssl } from '../../runtime/openssl.ts';
import { storeFile } from '../../storage/objects.ts';
import type { Storage } from '../../storage/storage.ts';
import type { SignatureFacts } from '../workflow/acts.ts';
import { verifyCms } from './cms.ts';

/** What is signed: a document's PDF, in a slot of its route. */
interface SignedAct {
  readonly documentId: string;
  readonly pdf: StoredDocumentFile;
  readonly slot: Pick<StoredParticipant, 'id' | 'employee_id' | 'key_type'>;
}

const MAX_FILENAME = 255;
const RETRY_AFTER_MS = 1_000;
const SUFFIX = '.p7s';

/**
 * Verifies the signature that was sent for this slot, at the server's current time, and stores the CMS. Call it after
 * every check of state and before the change is written. After the change is written, claim the file's object.
 * @throws ApiError INVALID_ARGUMENT on `signature` or `signature.value`; UNAVAILABLE where OpenSSL does not answer
 */
export async function acceptSignature(request: {
  readonly caller: Caller;
  readonly storage: Storage;
  readonly openssl?: Openssl;
  readonly to: SignedAct;
  readonly signature: Signature | undefined;
}): Promise<Omit<SignatureFacts, 'pdf_sha256'>> {
  const { caller, storage, openssl, signature } = request;
  const { documentId, pdf, slot } = request.to;
  if (slot.key_type === 'SIMPLE') {
    if (signature !== undefined) failField('signature', 'must be absent: the slot has the key_type SIMPLE');
    return { file: null, certificate_serial: '' };
  }
  if (signature === undefined) return failField('signature', 'is required: the slot has the key_type EDS');
  const [anchors, iin] = await Promise.all([anchorsOf(caller), iinOf(caller, slot.employee_id)]);
  const { der, certificateSerial, identity } = await verifyCms(
    signature.value,
    { sha256: pdf.object.sha256, read: () => storage.read(pdf.object) },
    { anchors, iin, at: now(), judge: openssl && judgeOf(caller.tenant.id, openssl) },
  );
  await claimSignature(caller, identity, { document_id: documentId, participant_id: slot.id });
  const file = {
    file_type: 'FILE_TYPE_SIGNATURE',
    filename: `${pdf.filename.slice(0, MAX_FILENAME - SUFFIX.length).toWellFormed()}${SUFFIX}`,
    content_type: 'application/pkcs7-signature',
  } as const;
  return { file: await storeFile({ caller, storage }, documentId, file, der), certificate_serial: certificateSerial };
}

/** OpenSSL, asked when it is the tenant's turn. */
const judgeOf = (tenantId: string, openssl: Openssl) => async (signature: JudgedSignature) => {
  const isVerified = await signatureInTurn(tenantId, () => openssl.verifies(signature));
  if (isVerified === undefined) throw unavailableError('openssl', { retryAfterMs: RETRY_AFTER_MS });
  return isVerified;
};

/**
 * Records that a signature value proves this act, so that it cannot prove another one. The same act may use it again,
 * for example when the answer was lost and the request is repeated.
 */
async function claimSignature(
  caller: Caller,
  identity: string,
  act: Pick<AcceptedSignatureRow, 'document_id' | 'participant_id'>,
): Promise<void> {
  const rows = caller.inTenant('accepted_signatures');
  const _id = `${caller.tenant.id}:${identity}`;
  if (await rows.insert({ _id, tenant_id: caller.tenant.id, ...act, create_time: now() })) return;
  const there = await rows.first({ _id });
  if (there?.document_id !== act.document_id || there.participant_id !== act.participant_id) {
    failField('signature.value', 'has been accepted for another act: each act needs a signature of its own');
  }
}

async function anchorsOf(caller: Caller): Promise<Uint8Array[]> {
  const rows = await caller.inTenant('trust_anchors').list({}, { fingerprint: 1 });
  if (rows.length === 0) {
    failField('signature.value', 'cannot be accepted: the tenant has no trust anchors yet');
  }
  return rows.map(({ certificate }) => Buffer.from(certificate, 'base64'));
}

/** The national identification number that the signer's certificate must name. */
async function iinOf(caller: Caller, employeeId: string): Promise<string> {
  const employee = (await caller.inTenant('employees').byId([employeeId], ['person_id'])).get(employeeId);
  const personId = employee?.person_id ?? '';
  const person = (await caller.inTenant('persons').byId([personId], ['iin'])).get(personId);
  const iin = person?.iin ?? '';
  if (iin === '') {
    failField('signature.value', 'cannot be verified: the participant has no IIN, which its certificate has to name');
  }
  return iin;
}
