/** FILE: reserving an upload, sending its bytes to storage, confirming it. */
import type { OperationId } from '../../../generated/operations.ts';
import { needing, type Rule } from '../rule.ts';

const upload: readonly OperationId[] = ['reserveFile', 'confirmFile'];
const used: readonly OperationId[] = [...upload, 'createDocument', 'downloadDocument'];

const reserving = needing(['reserveFile']);
const confirming = needing(upload);
const using = needing(used);

export const fileRules: readonly Rule[] = [
  reserving(
    'FILE-1',
    'A reservation answers with a RESERVED upload and a form that expires after the declared time.',
    'reserveFile',
    { decisions: ['D-23'] },
  ),
  confirming(
    'FILE-2',
    'The bytes go to storage by the form alone: it works without an API key, and neither form nor address holds the key.',
    'reserveFile, PresignedUpload',
  ),
  reserving('FILE-3', 'Another content type than application/pdf is INVALID_ARGUMENT.', 'ReserveFileRequest'),
  reserving(
    'FILE-4',
    'The largest size may be reserved, as a number and as text; one byte more is INVALID_ARGUMENT.',
    'ReserveFileRequest: size_bytes',
    { decisions: ['D-3', 'D-23'] },
  ),
  reserving(
    'FILE-5',
    'A size that is zero, negative, no whole decimal number or of another JSON type is INVALID_ARGUMENT.',
    'ReserveFileRequest: size_bytes',
    { decisions: ['D-3', 'D-23'] },
  ),
  confirming(
    'FILE-6',
    'Confirming before the form was sent is FILE_NOT_UPLOADED, and the upload can still be finished.',
    'confirmFile, FILE_NOT_UPLOADED',
  ),
  confirming('FILE-7', 'A confirmation answers with the upload, now UPLOADED, else as it was reserved.', 'confirmFile'),
  confirming(
    'FILE-8',
    'Confirming again, also several times at once, changes nothing and answers the same.',
    'confirmFile',
  ),
  confirming(
    'FILE-9',
    'An object that is larger than its reservation never becomes UPLOADED: storage refuses it or the confirmation does.',
    'confirmFile, FILE_SIZE_MISMATCH',
    { needs: { operations: ['createDocument'], fixtures: ['document_type_id'] } },
  ),
  confirming(
    'FILE-10',
    'An object that is smaller than its reservation is treated as the target declares.',
    'confirmFile',
    {
      decisions: ['D-23'],
    },
  ),
  confirming('FILE-11', 'An unknown id is FILE_NOT_FOUND, and so is a malformed one.', 'confirmFile, FILE_NOT_FOUND', {
    decisions: ['D-14'],
  }),
  confirming(
    'FILE-12',
    'An upload of another owner, or of another tenant, answers exactly as an unknown one.',
    'confirmFile, FILE_NOT_FOUND',
    { needs: { keys: ['second_owner', 'other_tenant'] } },
  ),
  confirming(
    'FILE-13',
    'Another key of the same owner may confirm an upload, or not, as the target declares.',
    'confirmFile',
    { decisions: ['D-23'], needs: { keys: ['second_key_same_owner'] } },
  ),
  confirming(
    'FILE-14',
    'After confirmation size_bytes is the number of stored bytes, as a decimal string.',
    'UploadedFile',
    {
      decisions: ['D-3'],
    },
  ),
  reserving(
    'FILE-15',
    'A filename in any script comes back as it was given; one with separators, control characters or of a wrong length is INVALID_ARGUMENT.',
    'ReserveFileRequest: filename',
    { decisions: ['D-23'] },
  ),
  confirming(
    'FILE-16',
    'A form is good for its one object and content type: with any field altered or left out storage refuses it and stores nothing.',
    'reserveFile',
    { decisions: ['D-23'] },
  ),
  confirming('FILE-17', 'A form is accepted until its declared end and refused after it.', 'reserveFile', {
    decisions: ['D-23'],
    needs: { clock: true },
  }),
  using(
    'FILE-18',
    'Confirming an upload that a document took changes neither the upload nor the document.',
    'confirmFile',
    { needs: { fixtures: ['document_type_id'] } },
  ),
  confirming(
    'FILE-19',
    'A file_id in the body that is not the one of the path is treated as the target declares.',
    'ConfirmFileRequest',
    {
      decisions: ['D-6a'],
    },
  ),
  confirming(
    'FILE-20',
    'After a refused confirmation the right bytes may follow with the same form, as the target declares.',
    'confirmFile',
    {
      decisions: ['D-23'],
    },
  ),
  confirming(
    'FILE-21',
    'Bytes that do not begin as a PDF are confirmed or refused as the target declares.',
    'confirmFile',
    {
      decisions: ['D-23'],
    },
  ),
  reserving('FILE-22', 'Every reservation is a new upload, an Idempotency-Key or not.', 'reserveFile'),
  confirming('FILE-23', 'Storage takes no more than the largest size, whatever the form is used for.', 'reserveFile', {
    decisions: ['D-23'],
  }),
  using(
    'FILE-24',
    'Confirmation pins the bytes: what is sent with the same form afterwards never reaches the document.',
    'confirmFile',
    { decisions: ['D-23'], needs: { fixtures: ['document_type_id'] } },
  ),
  using(
    'FILE-25',
    'An upload that was not confirmed in time is FILE_NOT_UPLOADED at its confirmation and FILE_INVALID_STATUS_TRANSITION at a creation.',
    'reserveFile, confirmFile, createDocument',
    { decisions: ['D-23'], needs: { clock: true, fixtures: ['document_type_id'] } },
  ),
  reserving(
    'FILE-26',
    'A reservation without one of its fields, with one of another JSON type, or with an unknown one is INVALID_ARGUMENT naming it.',
    'ReserveFileRequest',
    { decisions: ['D-6a'] },
  ),
  confirming(
    'FILE-27',
    'A confirmation takes no body, {} or its own id alike; an unknown field is INVALID_ARGUMENT.',
    'ConfirmFileRequest',
    {
      decisions: ['D-6a'],
    },
  ),
  confirming('FILE-28', 'What lies in storage cannot be read there without a presigned URL.', 'reserveFile'),
];
