/** Faults that the rules of flag.rules.ts must catch. */
import { accepts, acceptsReason, keyOf, madeError, mistaken, reasonOf } from '../mutation/alter.ts';
import { alsoReports, eventOf } from '../mutation/alter-deliveries.ts';
import { sticky } from '../mutation/alter-requests.ts';
import type { Fault, ProxiedAnswer, ProxiedDelivery } from '../mutation/fault.ts';

const FLAG = 'FEATURE_FLAG.NOT_AVAILABLE';

const VERIFY = 'verifyApiKey';

const KEY = 'INTEGRATION.API_KEY_INVALID';

export const faults: readonly Fault[] = [
  {
    id: 'flag-off-is-on',
    rule: 'FLAG-1',
    breaks: 'one operation works while the interface is off',
    alter: accepts('listDocumentTypes', (answer) => reasonOf(answer) === FLAG, {
      document_types: [],
      next_page_token: '',
    }),
  },
  {
    id: 'flag-verify-works',
    rule: 'FLAG-2',
    breaks: 'verifyApiKey works while the interface is off',
    alter: acceptsReason(FLAG, VERIFY),
  },
  {
    id: 'flag-after-validation',
    rule: 'FLAG-3',
    breaks: 'a bad request is reported before the flag',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return reasonOf(answer) === FLAG && /limit=|\?/.test(asked.target) ? madeError('INVALID_ARGUMENT') : answer;
    },
  },
  {
    id: 'flag-path-first',
    rule: 'FLAG-3',
    breaks: 'an unknown path is reported before the flag',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return reasonOf(answer) === FLAG && asked.operation === undefined ? madeError('PATH_NOT_FOUND') : answer;
    },
  },
  {
    id: 'flag-after-the-limit',
    rule: 'FLAG-8',
    breaks: 'a refusal by the flag takes a token of the key',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const refused = Number(memory.notes.get('refused') ?? 0) + Number(reasonOf(answer) === FLAG);
      memory.notes.set('refused', refused);
      return refused > 20 ? madeError('RATE_LIMIT_EXCEEDED') : answer;
    },
  },
  {
    id: 'flag-wrong-key',
    rule: 'FLAG-4',
    breaks: 'a wrong key of such a tenant gets the error of the flag',
    alter: mistaken(KEY, 'FEATURE_FLAG_OFF'),
  },
  {
    id: 'flag-for-all',
    rule: 'FLAG-5',
    breaks: 'the flag of one tenant concerns all',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (reasonOf(answer) === FLAG) memory.notes.set('off', true);
      return memory.notes.has('off') ? madeError('FEATURE_FLAG_OFF') : answer;
    },
  },
  {
    id: 'flag-sticks',
    rule: 'FLAG-6',
    breaks: 'the flag is looked up once for each key',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      const name = `flag ${keyOf(asked)}`;
      if (!memory.notes.has(name)) memory.notes.set(name, answer);
      return memory.notes.get(name) as ProxiedAnswer;
    },
  },
  {
    id: 'flag-stays-off',
    rule: 'FLAG-6',
    breaks: 'once off, the interface stays off for a key',
    alter: sticky((answer) => reasonOf(answer) === 'FEATURE_FLAG.NOT_AVAILABLE'),
  },
  {
    id: 'flag-told-later',
    rule: 'FLAG-7',
    breaks: 'what happened while the flag was off is reported when it is on again',
    delivery: alsoReports(
      (json) => json.type === 'employee.deleted',
      () => ({ type: 'employee.changed' }),
    ),
  },
  {
    id: 'flag-retries-go-on',
    rule: 'FLAG-9',
    breaks: 'an event that was tried before is tried again while the flag is off',
    delivery: async (one, forward, memory) => {
      const { type } = eventOf(one);
      if (type === 'employee.changed') {
        memory.notes.set('tried', one);
        memory.notes.set('markers', 0);
      }
      const tried = memory.notes.get('tried') as ProxiedDelivery | undefined;
      if (type === 'document.rejected' && tried !== undefined) {
        const markers = Number(memory.notes.get('markers')) + 1;
        memory.notes.set('markers', markers);
        if (markers === 2) await forward(tried);
      }
      return forward(one);
    },
  },
];
