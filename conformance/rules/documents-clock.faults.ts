/** Faults that the rules of documents-clock.rules.ts must catch. */

import { headerOf } from '../http/exchange.ts';
import { accepts, after, answers, anyForm, everything, keyOf, noted, refused, stale } from '../mutation/alter.ts';
import { repeated, withNewKey } from '../mutation/alter-lists.ts';
import { type Alter, type Fault, faultsOf, inStorage, type ProxiedAnswer } from '../mutation/fault.ts';
import { UNKNOWN_ID } from './shared/calls.ts';

const CREATE = 'createDocument';

/** An Idempotency-Key is never found again. */
const forgets: Alter = async (asked, forward) => forward(withNewKey(asked));

export const faults: readonly Fault[] = faultsOf({
  'DOC-38': {
    'doc-day-stands': [
      'the day does not change at the midnight of the tenant',
      answers(CREATE, ({ document }, _asked, { notes }) => {
        document.date = noted({ notes }, 'date', () => document.date);
      }),
    ],
  },
  'DOC-39': {
    'doc-day-of-one-tenant': [
      'documents of all tenants have the day of one',
      answers(CREATE, ({ document }, asked, memory) => {
        if (keyOf(asked) === memory.key('other_tenant')) document.date = memory.notes.get('date');
        else memory.notes.set('date', document.date);
      }),
    ],
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
    'idem-too-long': ['a key is remembered after its 24 hours', stale(CREATE)],
  },
  'IDEM-20': {
    'idem-forgotten-at-start': [
      'a key of before a restart is forgotten',
      repeated((asked) => headerOf(asked, 'idempotency-key'), forgets),
    ],
  },
});
