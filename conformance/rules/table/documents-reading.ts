/** DREAD: reading, listing and downloading documents. */
import type { OperationId } from '../../../generated/operations.ts';
import { needing, ofTemplate, type Rule, row } from '../rule.ts';

const uploads: readonly OperationId[] = ['createDocument', 'reserveFile', 'confirmFile'];
const creating = needing(['createDocument'], ofTemplate);
const reading = needing(['createDocument', 'getDocument'], ofTemplate);
const listing = needing(['createDocument', 'listDocuments'], ofTemplate);
const sending = needing(
  [
    ...(['createDocument', 'getDocument', 'listDocuments', 'downloadDocument'] as const),
    ...(['setDocumentRoute', 'sendDocument', 'approveDocument', 'signDocument'] as const),
  ],
  ofTemplate,
);
const downloading = needing(['createDocument', 'downloadDocument'], ofTemplate);

export const documentReadingRules: readonly Rule[] = [
  reading('DREAD-1', 'A document read by its id is what the list shows of it.', 'getDocument, listDocuments'),
  reading(
    'DREAD-2',
    'An unknown document and one of another tenant are the same 404 DOCUMENT_NOT_FOUND; a malformed id is answered as the target declares.',
    'getDocument, DOCUMENT_NOT_FOUND',
    { decisions: ['D-14'], needs: { keys: ['other_tenant'] } },
  ),
  sending(
    'DREAD-3',
    'Each operation answers for a document out of the owner’s view exactly as for an unknown one.',
    'getDocument, downloadDocument, setDocumentRoute, sendDocument, approveDocument, signDocument, rejectDocument',
    { needs: { keys: ['restricted_owner'], fixtures: ['owner_employee_id', 'restricted_owner_employee_id'] } },
  ),
  needing([...uploads, 'listDocuments'], [...ofTemplate, 'document_type_hidden_from_restricted_id'])(
    'DREAD-4',
    'The type filter filters exactly, repeated it is a union, and an unknown or malformed type matches nothing.',
    'listDocuments: type_id',
    { decisions: ['D-12', 'D-15'] },
  ),
  listing(
    'DREAD-5',
    'created_after finds what is newer, its boundary as the target declares, in any time zone.',
    'listDocuments: created_after',
    {
      decisions: ['D-12', 'D-15'],
    },
  ),
  listing(
    'DREAD-6',
    'search finds a literal part of the title, and of the number as the target declares, in any case, and nothing else.',
    'listDocuments: search',
    {
      decisions: ['D-15'],
    },
  ),
  needing(['listDocuments'])(
    'DREAD-7',
    'An unknown, empty, wrongly repeated or odd parameter of the list is INVALID_ARGUMENT naming it.',
    'listDocuments',
    {
      decisions: ['D-9', 'D-12', 'D-15'],
    },
  ),
  sending('DREAD-8', 'The list holds only what its reader may read one by one.', 'listDocuments, getDocument', {
    needs: { keys: ['restricted_owner', 'second_owner'] },
  }),
  needing([...uploads, 'downloadDocument'], ofTemplate)(
    'DREAD-9',
    'Without file_id a download is of the document’s PDF, with one of that file; a file of another document, or none, is FILE_NOT_FOUND.',
    'downloadDocument',
    { decisions: ['D-22'] },
  ),
  creating(
    'DREAD-10',
    'The version and variable_schema that a template shows are those that a creation takes.',
    'getDocumentTemplate, createDocument',
  ),
  needing([])(
    'DREAD-11',
    'A key with documents:read alone reads categories, types and templates.',
    'listDocumentCategories, listDocumentTemplates',
    {
      needs: { keys: ['documents_read'], fixtures: ['document_template_id'] },
    },
  ),
  listing('DREAD-12', 'Documents are listed newest first, and a walk shows each once.', 'listDocuments', {
    decisions: ['D-11'],
  }),
  sending(
    'DREAD-13',
    'A subject reads, lists and downloads the document from its sending on, not before.',
    'listDocuments, getDocument',
    {
      decisions: ['D-15'],
      needs: { keys: ['second_owner'], fixtures: ['owner_employee_id', 'second_owner_employee_id'] },
    },
  ),
  sending(
    'DREAD-14',
    'A participant reads, lists and downloads the document from the moment when his step becomes active, not before.',
    'listDocuments, getDocument',
    {
      decisions: ['D-15'],
      needs: { keys: ['second_owner'], fixtures: ['owner_employee_id', 'second_owner_employee_id'] },
    },
  ),
  needing([...uploads, 'getDocument', 'listDocuments', 'downloadDocument', 'setDocumentRoute', 'sendDocument'])(
    'DREAD-15',
    'A document of a type that the profile does not see is hidden from its subject and shown to its participant.',
    'listDocuments, getDocument',
    {
      decisions: ['D-15'],
      needs: {
        keys: ['restricted_owner'],
        fixtures: [
          'document_type_id',
          'document_type_hidden_from_restricted_id',
          'restricted_owner_employee_id',
          'owner_employee_id',
        ],
      },
    },
  ),
  downloading(
    'DREAD-16',
    'The URL gives the file by a plain GET without the key, as an attachment with its type and size, whatever the title is.',
    'downloadDocument',
    { decisions: ['D-22'] },
  ),
  downloading('DREAD-17', 'The URL is good until the declared time and refused after it.', 'downloadDocument', {
    decisions: ['D-22'],
    needs: { clock: true },
  }),
  downloading(
    'DREAD-18',
    'A URL that was altered, of another object or for a longer time is refused.',
    'downloadDocument',
    {
      decisions: ['D-22'],
    },
  ),
  sending(
    'DREAD-19',
    'A draft is visible to its initiator, and to others only if they see all documents.',
    'getDocument, listDocuments',
    {
      decisions: ['D-15'],
      needs: { keys: ['second_owner', 'restricted_owner', 'second_key_same_owner'] },
    },
  ),
  needing(['getDocument', 'downloadDocument'])(
    'DREAD-20',
    'An odd id in a path is refused as a client’s error.',
    'getDocument, downloadDocument',
    {
      decisions: ['D-14'],
    },
  ),
  listing(
    'DREAD-21',
    'A page token of documents is bound to its list, its filters and its limit.',
    'listDocuments: page_token',
    {
      decisions: ['D-10'],
    },
  ),
  row('DREAD-22', 'SHOULD', 'A download tells browsers not to guess at its type.', 'downloadDocument', {
    needs: { operations: ['createDocument', 'downloadDocument'], fixtures: ofTemplate },
  }),
];
