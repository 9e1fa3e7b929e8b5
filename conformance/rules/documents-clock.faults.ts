/** Faults that the rules of documents-clock.rules.ts must catch. */

import { accepts, answers, headerOf, keyOf, stale } from '../mutation/alter.ts';
import { withoutKey } from '../mutation/alter-documents.ts';
import { repeated, withNewKey } from '../mutation/alter-lists.ts';
import type { Fault, ProxiedAnswer } from '../mutation/fault.ts';

const CREATE = 'createDocument';

const UNKNOWN = '7f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6';

export const faults: readonly Fault[] = [
  {
    id: 'doc-day-stands',
    rule: 'DOC-38',
    breaks: 'the day does not change at the midnight of the tenant',
    alter: answers(CREATE, ({ document }, _asked, { notes }) => {
      if (!notes.has('date')) notes.set('date', document.date);
      document.date = notes.get('date');
    }),
  },
  {
    id: 'doc-day-of-one-tenant',
    rule: 'DOC-39',
    breaks: 'documents of all tenants have the day of one',
    alter: answers(CREATE, ({ document }, asked, memory) => {
      if (keyOf(asked) === memory.key('other_tenant')) document.date = memory.notes.get('date');
      else memory.notes.set('date', document.date);
    }),
  },
  {
    id: 'read-url-for-ever',
    rule: 'DREAD-17',
    breaks: 'a URL never ends',
    storage: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (answer.status === 200) memory.notes.set('file', answer);
      return (memory.notes.get('file') as ProxiedAnswer | undefined) ?? answer;
    },
  },
  {
    id: 'file-form-for-ever',
    rule: 'FILE-17',
    breaks: 'a form never ends',
    storage: async (asked, forward) => {
      const answer = await forward(asked);
      return asked.method === 'POST' && answer.status >= 400
        ? { status: 204, headers: [], body: Buffer.alloc(0) }
        : answer;
    },
  },
  {
    id: 'file-late-confirmed',
    rule: 'FILE-25',
    breaks: 'an upload is confirmed although its time is over',
    alter: accepts('confirmFile', (answer) => answer.status >= 400, { file: { id: UNKNOWN } }),
  },
  { id: 'idem-too-short', rule: 'IDEM-8', breaks: 'a key is forgotten before its 24 hours end', alter: withoutKey },
  { id: 'idem-too-long', rule: 'IDEM-9', breaks: 'a key is remembered after its 24 hours', alter: stale(CREATE) },
  {
    id: 'idem-forgotten-at-start',
    rule: 'IDEM-20',
    breaks: 'a key of before a restart is forgotten',
    alter: repeated(
      (asked) => headerOf(asked, 'idempotency-key'),
      async (asked, forward) => forward(withNewKey(asked)),
    ),
  },
];
