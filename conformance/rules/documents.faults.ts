/** Faults that the rules of documents*.rules.ts must catch. */

import type { OperationId } from '../../generated/contract.ts';
import { headerOf } from '../http/exchange.ts';
import {
  accepts,
  after,
  answers,
  anyForm,
  anyway,
  everything,
  keyed,
  keyOf,
  noted,
  reasonOf,
  refused,
  rows,
  setHeader,
  stale,
} from '../mutation/alter.ts';
import { burnt } from '../mutation/alter-documents.ts';
import { repeated, withNewKey } from '../mutation/alter-lists.ts';
import {
  type Alter,
  type Fault,
  type FaultRows,
  faultsFor,
  faultsOf,
  inStorage,
  type ProxiedAnswer,
} from '../mutation/fault.ts';
import { rules } from './all-rules.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

/** An Idempotency-Key is never found again. */
const forgets: Alter = (asked, forward) => forward(withNewKey(asked));

const SCOPE = 'DEVELOPER.SCOPE_INSUFFICIENT';

const ofOperation = (operation: OperationId): FaultRows => ({
  ...(['sendDocument', 'setDocumentRoute'].includes(operation) && {
    done: {
      breaks: 'is 404 for a document out of view and done all the same',
      alone: true,
      alter: anyway(operation, refused),
    },
  }),
  ...(operation === 'getDocument' && {
    listed: ['is 404, and the document is listed', keyed('listDocuments', 'other_tenant')],
  }),
});

const members = rules.filter(({ family }) => family === 'documents out of view');

export const faults: readonly Fault[] = [
  ...faultsOf({
    'DOC-38': {
      'doc-day-stands': [
        'the day does not change at the midnight of the tenant',
        answers('createDocument', ({ document }, _asked, { notes }) => {
          document.date = noted({ notes }, 'date', () => document.date);
        }),
      ],
    },
    'DOC-39': {
      'doc-day-of-one-tenant': [
        'documents of all tenants have the day of one',
        answers('createDocument', ({ document }, asked, memory) => {
          if (keyOf(asked) === memory.key('other_tenant')) document.date = memory.notes.get('date');
          else memory.notes.set('date', document.date);
        }),
      ],
    },
    'DOC-40': {
      'doc-pdfs-alike': inStorage(
        'documents that are alike have one PDF',
        after(everything, (answer, _asked, { notes }) => noted({ notes }, 'file', () => answer)),
      ),
    },
    'DREAD-17': {
      'read-url-for-ever': inStorage(
        'a URL never ends',
        after(everything, (answer, _asked, memory) => {
          if (answer.status === 200) memory.notes.set('file', answer);
          return (memory.notes.get('file') as ProxiedAnswer | undefined) ?? answer;
        }),
      ),
    },
    'FILE-17': {
      'file-form-for-ever': inStorage('a form never ends', anyForm),
    },
    'FILE-25': {
      'file-late-confirmed': [
        'an upload is confirmed although its time is over',
        accepts('confirmFile', refused, { file: { id: UNKNOWN_ID } }),
      ],
    },
    'IDEM-8': {
      'idem-too-short': ['a key is forgotten before its 24 hours end', forgets],
      'idem-too-long': ['a key is remembered after its 24 hours', stale('createDocument')],
    },
    'IDEM-20': {
      'idem-forgotten-at-start': [
        'a key of before a restart is forgotten',
        repeated((asked) => headerOf(asked, 'idempotency-key'), forgets),
      ],
    },
    'SCOPE-27': {
      'scope-done-anyway': [
        'what is refused for its scope is done all the same',
        after(everything, async (answer, asked, memory, forward) => {
          if (reasonOf(answer) === SCOPE && asked.method === 'POST') {
            const next = { ...asked, headers: [...asked.headers] };
            for (let n = 0; n < 4; n++) {
              setHeader(next, 'X-API-Key', memory.key('full', n));
              if ((await forward({ ...next, headers: [...next.headers] })).status === 200) break;
            }
          }
          return answer;
        }),
      ],
    },
    'DOC-27': {
      'doc-upload-burnt-by-type': ['a creation that is refused for its type uses the upload up', burnt],
    },
    'DOC-25': {
      'doc-burns-upload': ['a refused creation uses the upload up', burnt],
    },
    'DOC-34': {
      'doc-half-rendered': inStorage(
        'a file that was rendered ends before its end',
        after(everything, (answer, asked) =>
          asked.method === 'GET' ? { ...answer, body: answer.body.subarray(0, answer.body.length - 64) } : answer,
        ),
      ),
    },
    'DREAD-15': {
      'read-unlisted-as-subject': [
        'a document of a type that is not listed is listed to its subject',
        keyed('listDocuments', 'listed_types_owner'),
      ],
    },
    'DREAD-23': {
      'read-confidential-of-listed-type': [
        'a confidential document is listed to an owner whose list has its type',
        keyed('listDocuments', 'listed_types_owner'),
      ],
      'read-confidential-listed': [
        'a confidential document is listed',
        keyed('listDocuments', 'not_confidential_owner'),
      ],
      'read-own-confidential-hidden': [
        'the initiator of a confidential document does not find it',
        rows('listDocuments', (list, _json, asked, memory) =>
          keyOf(asked) === memory.key('not_confidential_owner')
            ? list.filter(({ status }) => status !== 'DOCUMENT_STATUS_DRAFT')
            : list,
        ),
      ],
    },
  }),
  ...members.flatMap(({ id, place }) =>
    faultsFor(id, ofOperation(place as OperationId), place, (name) => `hidden-${name}-${place}`),
  ),
];
