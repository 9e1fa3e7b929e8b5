/** Faults that the rules of documents-visibility.rules.ts must catch. */
import { headerOf, keyed, keyOf, mistaken, permits, rows } from '../mutation/alter.ts';
import { visible } from '../mutation/alter-documents.ts';
import type { Fault } from '../mutation/fault.ts';

const LIST = 'listDocuments';

const ONE = 'getDocument';

export const faults: readonly Fault[] = [
  {
    id: 'read-lists-hidden',
    rule: 'DREAD-8',
    breaks: 'the list holds what its reader may not read',
    alter: keyed(LIST, 'any', 'full'),
  },
  {
    id: 'read-subject-lists-late',
    rule: 'DREAD-13',
    breaks: 'a subject reads what was sent, and does not find it in the list',
    alter: rows('listDocuments', (list, _json, asked, memory) =>
      [0, 1, 2, 3, 4, 5, 6, 7].some((n) => keyOf(asked) === memory.key('full', n)) ? list : [],
    ),
  },
  { id: 'read-subject-early', rule: 'DREAD-13', breaks: 'a subject reads the draft', alter: visible },
  {
    id: 'read-subject-never',
    rule: 'DREAD-13',
    breaks: 'a subject does not read what was sent',
    alter: async (asked, forward, memory) => {
      const full = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => memory.key('full', n));
      const answer = await forward(asked);
      return asked.operation === ONE && !full.includes(headerOf(asked, 'x-api-key') ?? '')
        ? { ...answer, status: 404 }
        : answer;
    },
  },
  {
    id: 'read-participant-early',
    rule: 'DREAD-14',
    breaks: 'a participant reads before his step is active',
    alter: visible,
  },
  {
    id: 'read-hidden-type',
    rule: 'DREAD-15',
    breaks: 'a subject reads a document of a type out of view',
    alter: visible,
  },
  { id: 'read-draft-visible', rule: 'DREAD-19', breaks: 'a draft is visible to everybody', alter: visible },
  {
    id: 'read-confidential',
    rule: 'DREAD-23',
    breaks: 'a confidential document is read by id',
    alter: permits(ONE, 'full', (answer) => answer.status === 404),
  },
  {
    id: 'read-confidential-listed',
    rule: 'DREAD-23',
    breaks: 'a confidential document is listed',
    alter: keyed(LIST, 'not_confidential_owner', 'full'),
  },
  {
    id: 'read-confidential-downloaded',
    rule: 'DREAD-23',
    breaks: 'a confidential document is downloaded',
    alter: permits('downloadDocument', 'full', (answer) => answer.status === 404),
  },
  {
    id: 'read-confidential-refused',
    rule: 'DREAD-23',
    breaks: 'an act on a confidential document is refused for another reason than that there is none',
    alter: mistaken('DOCUMENT_NOT_FOUND', 'DOCUMENT_ACTION_NOT_ALLOWED', ['sendDocument', 'setDocumentRoute']),
  },
  {
    id: 'read-own-confidential-hidden',
    rule: 'DREAD-23',
    breaks: 'the initiator of a confidential document does not find it',
    alter: rows(LIST, (list, _json, asked, memory) =>
      keyOf(asked) === memory.key('not_confidential_owner')
        ? list.filter(({ status }) => status !== 'DOCUMENT_STATUS_DRAFT')
        : list,
    ),
  },
  {
    id: 'read-confidential-of-listed-type',
    rule: 'DREAD-24',
    breaks: 'a confidential document is listed to an owner whose list has its type',
    alter: keyed(LIST, 'listed_types_owner', 'full'),
  },
];
