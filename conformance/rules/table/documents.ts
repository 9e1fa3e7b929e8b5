/** DOC: creating documents. */
import type { OperationId } from '../../../generated/operations.ts';
import { needing, ofTemplate, type Rule } from '../rule.ts';

const uploads: readonly OperationId[] = ['createDocument', 'reserveFile', 'confirmFile'];
const creating = needing(['createDocument'], ofTemplate);
const checking = needing(['createDocument', 'listDocuments'], ofTemplate);
const fromUpload = needing(uploads, ['document_type_id']);
const reading = needing(['createDocument', 'getDocument'], ofTemplate);
const listing = needing(['createDocument', 'listDocuments'], ofTemplate);
const downloading = needing(['createDocument', 'downloadDocument'], ofTemplate);

export const documentRules: readonly Rule[] = [
  reading(
    'DOC-1',
    'A creation from a template answers with the new document, which is read back as it was answered.',
    'createDocument',
  ),
  creating('DOC-2', 'A new document is a DRAFT without a route, completed never.', 'createDocument'),
  creating('DOC-3', 'The initiator is the employee who owns the key.', 'createDocument', {
    needs: { fixtures: ['owner_employee_id'] },
  }),
  creating(
    'DOC-4',
    'An owner who is no employee gets DOCUMENT_INITIATOR_NOT_FOUND, but only for a request that is right in form.',
    'createDocument, DOCUMENT_INITIATOR_NOT_FOUND',
    { decisions: ['D-17'], needs: { keys: ['no_employee_owner'] } },
  ),
  checking('DOC-5', 'Neither template_id nor file_id is INVALID_ARGUMENT, and nothing is created.', 'createDocument'),
  checking('DOC-6', 'Both template_id and file_id are INVALID_ARGUMENT, and nothing is created.', 'createDocument'),
  creating(
    'DOC-7',
    'An explicit null or "" for template_id or file_id is treated as the target declares.',
    'createDocument',
    {
      decisions: ['D-17'],
    },
  ),
  fromUpload('DOC-8', 'An upload that was never confirmed is FILE_INVALID_STATUS_TRANSITION.', 'createDocument'),
  fromUpload('DOC-9', 'An unknown file_id is FILE_NOT_FOUND.', 'createDocument'),
  fromUpload(
    'DOC-10',
    'A confirmed upload of another owner, or of another tenant, answers exactly as an unknown one.',
    'createDocument, FILE_NOT_FOUND',
    { needs: { keys: ['second_owner', 'other_tenant'] } },
  ),
  fromUpload(
    'DOC-11',
    'An upload serves one document: a second creation with it is FILE_ALREADY_LINKED.',
    'createDocument',
  ),
  needing([...uploads, 'downloadDocument'], ['document_type_id'])(
    'DOC-12',
    'A document from an upload has it as its one file, a PDF, and the download gives the very bytes.',
    'createDocument, downloadDocument',
  ),
  needing([...uploads, 'listDocuments'], ofTemplate)(
    'DOC-13',
    'A type that is unknown, archived, of another tenant or out of the owner’s view is INVALID_ARGUMENT; the foreign and the hidden answer as the unknown.',
    'createDocument: type_id',
    {
      decisions: ['D-16', 'D-17'],
      needs: {
        keys: ['restricted_owner'],
        fixtures: [
          'document_type_archived_id',
          'document_type_other_tenant_id',
          'document_type_hidden_from_restricted_id',
        ],
      },
    },
  ),
  checking(
    'DOC-14',
    'A date that is no day of the calendar as YYYY-MM-DD is INVALID_ARGUMENT.',
    'createDocument: date',
  ),
  checking('DOC-15', 'Each field of another JSON type is INVALID_ARGUMENT naming it.', 'CreateDocumentRequest', {
    decisions: ['D-6a'],
  }),
  creating(
    'DOC-16',
    'An organisation that does not exist is treated as the target declares, a foreign one alike.',
    'createDocument',
    {
      decisions: ['D-17'],
      needs: { keys: ['other_tenant'], fixtures: ['employee_other_tenant_id'] },
    },
  ),
  creating(
    'DOC-17',
    'Subjects are existing employees within the owner’s view, each once, at most 1,000; a foreign, deleted, draft or hidden one answers as an unknown one.',
    'createDocument: subject_employee_ids',
    {
      decisions: ['D-17'],
      needs: {
        keys: ['restricted_owner'],
        fixtures: [
          'employee_other_tenant_id',
          'employee_deleted_id',
          'employee_draft_id',
          'employee_hidden_from_restricted_id',
        ],
      },
    },
  ),
  checking(
    'DOC-18',
    'Values that break the variable_schema are INVALID_ARGUMENT, each named as template_values.<id>.',
    'createDocument',
    {
      decisions: ['D-17'],
    },
  ),
  creating(
    'DOC-19',
    'A template_version that does not exist, or is no positive int32, is INVALID_ARGUMENT.',
    'createDocument',
    {
      decisions: ['D-17'],
    },
  ),
  creating(
    'DOC-20',
    'A template that is unknown, foreign, archived or of another type is INVALID_ARGUMENT; the foreign answers as the unknown.',
    'createDocument: template_id',
    { decisions: ['D-17'], needs: { fixtures: ['document_template_other_tenant_id'] } },
  ),
  reading(
    'DOC-21',
    'What was given comes back: title, type, date, number, organisation, subjects in their order.',
    'createDocument',
    {
      needs: { fixtures: ['organization_id', 'employee_id', 'employee_common_id'] },
    },
  ),
  creating('DOC-22', 'A creation emits no event.', 'createDocument', {
    needs: {
      callbacks: true,
      operations: ['createWebhookEndpoint', 'deleteWebhookEndpoint'],
      fixtures: ['owner_employee_id'],
    },
  }),
  creating('DOC-23', 'create_time and update_time of a new document are the time of its creation.', 'Document'),
  listing('DOC-24', 'Stored documents hold no placeholder, but for a route that was never set.', 'Document', {
    decisions: ['D-1'],
  }),
  fromUpload('DOC-25', 'A creation that is refused leaves the upload free for the next one.', 'createDocument'),
  fromUpload(
    'DOC-26',
    'Of creations at the same time with one upload exactly one wins; the others are FILE_ALREADY_LINKED.',
    'createDocument',
  ),
  fromUpload(
    'DOC-27',
    'A type without allow_api is INVALID_ARGUMENT, and the upload stays free.',
    'createDocument: type_id',
    {
      decisions: ['D-17'],
      needs: { fixtures: ['document_type_no_api_id'] },
    },
  ),
  fromUpload(
    'DOC-28',
    'A type without allow_upload takes no file_id: INVALID_ARGUMENT, and the upload stays free.',
    'createDocument',
    {
      decisions: ['D-17'],
      needs: { fixtures: ['document_type_no_upload_id'] },
    },
  ),
  creating(
    'DOC-29',
    'title and type_id are required or not, as the target declares; one that is must not be empty.',
    'CreateDocumentRequest',
    {
      decisions: ['D-17'],
    },
  ),
  creating(
    'DOC-30',
    'What is left out is filled in: the initiator’s organisation and department, today’s date, no number, no subjects.',
    'createDocument',
    { decisions: ['D-17'], needs: { fixtures: ['owner_employee_id'] } },
  ),
  checking(
    'DOC-31',
    'Fields that only the service decides, or that do not exist, are INVALID_ARGUMENT naming them and take no effect.',
    'CreateDocumentRequest',
    { decisions: ['D-6a'] },
  ),
  reading(
    'DOC-32',
    'A title or number is stored to the letter, whatever characters it has, up to its longest; one more, or a title that shows nothing, is INVALID_ARGUMENT.',
    'CreateDocumentRequest',
    {
      decisions: ['D-17'],
    },
  ),
  fromUpload(
    'DOC-33',
    'template_version or template_values beside file_id are INVALID_ARGUMENT, and the upload stays free.',
    'createDocument',
    {
      decisions: ['D-17'],
    },
  ),
  downloading(
    'DOC-34',
    'A document from a template has a rendered PDF with pages as its first file, of the size that is told.',
    'createDocument, downloadDocument',
    {
      decisions: ['D-17', 'D-22'],
    },
  ),
  creating(
    'DOC-35',
    'Names like __proto__, $where or a.b among template_values are unknown variables: INVALID_ARGUMENT.',
    'createDocument',
    {
      decisions: ['D-17'],
    },
  ),
  downloading(
    'DOC-36',
    'Any text that the variable_schema admits is rendered, however long, odd or empty of blanks.',
    'createDocument',
    {
      decisions: ['D-17'],
    },
  ),
  creating('DOC-37', 'An earlier template_version is judged by its own variable_schema.', 'createDocument', {
    decisions: ['D-17'],
  }),
];
