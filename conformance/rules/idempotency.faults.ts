/** Faults that the rules of idempotency.rules.ts must catch. */
import { bodies, everything, heads, keyed, setHeader, stale } from '../mutation/alter.ts';
import { idempotencyKey, lenient, nothingHappened, withoutKey } from '../mutation/alter-documents.ts';
import type { Fault } from '../mutation/fault.ts';

const CREATE = 'createDocument';

const ACTIONS = ['sendDocument', 'approveDocument', 'signDocument', 'rejectDocument', 'setDocumentRoute'] as const;

const STATE = 'DOCUMENT.INVALID_STATUS_TRANSITION';

export const faults: readonly Fault[] = [
  {
    id: 'idem-first-is-replay',
    rule: 'IDEM-1',
    breaks: 'the first answer is marked as a replay',
    alter: heads(CREATE, (answer, asked) => {
      if (idempotencyKey(asked))
        for (const name of ['Idempotent-Replayed', 'Idempotency-Replayed']) setHeader(answer, name, 'true');
    }),
  },
  {
    id: 'idem-mark-left-out',
    rule: 'IDEM-2',
    breaks: 'a replay is not marked as one',
    alter: heads(CREATE, (answer) => setHeader(answer, 'Idempotent-Replayed', undefined)),
  },
  { id: 'idem-not-kept', rule: 'IDEM-2', breaks: 'a repeat makes another document', alter: withoutKey },
  { id: 'idem-many', rule: 'IDEM-3', breaks: 'each repeat makes a document', alter: withoutKey },
  {
    id: 'idem-conflict-creates',
    rule: 'IDEM-4',
    breaks: 'another body is refused, and its document made all the same',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      // One document is violation enough. One for each refusal would bring the key to its limit.
      if (asked.operation === CREATE && answer.status === 409 && !memory.notes.has('made')) {
        const next = { ...asked, headers: [...asked.headers] };
        setHeader(next, 'Idempotency-Key', undefined);
        if ((await forward(next)).status === 200) memory.notes.set('made', true);
      }
      return answer;
    },
  },
  {
    id: 'idem-other-body',
    rule: 'IDEM-4',
    breaks: 'another body is answered with the first document',
    alter: lenient(CREATE, 'DEVELOPER.IDEMPOTENCY_KEY_CONFLICT'),
  },
  {
    id: 'idem-number-uncompared',
    rule: 'IDEM-4',
    breaks: 'another number is not another body',
    alter: bodies(CREATE, (json) => {
      if (json.number) json.number = 'A';
    }),
  },
  {
    id: 'idem-values-uncompared',
    rule: 'IDEM-4',
    breaks: 'values of the template are not compared',
    alter: bodies(CREATE, (json, _asked, memory) => {
      const first = memory.notes.get('values') ?? json.template_values;
      memory.notes.set('values', first);
      if (json.template_values) json.template_values = first;
    }),
  },
  { id: 'idem-parallel', rule: 'IDEM-5', breaks: 'simultaneous requests make a document each', alter: withoutKey },
  {
    id: 'idem-no-retry-after',
    rule: 'IDEM-6',
    breaks: 'IDEMPOTENCY_IN_PROGRESS has no Retry-After',
    alter: heads(
      everything,
      (answer) => setHeader(answer, 'Retry-After', undefined),
      (answer) => answer.status === 409,
    ),
  },
  {
    id: 'idem-shared-by-keys',
    rule: 'IDEM-7',
    breaks: 'a key counts for all API keys',
    alter: keyed(CREATE, 'any', 'full'),
  },
  {
    id: 'idem-without-header',
    rule: 'IDEM-10',
    breaks: 'equal bodies without a header are one document',
    alter: stale(CREATE),
  },
  { id: 'idem-old-answer', rule: 'IDEM-11', breaks: 'a replay shows the document as it was', alter: stale(CREATE) },
  {
    id: 'idem-replay-any-sight',
    rule: 'IDEM-12',
    breaks: 'a replay shows what the owner may not see',
    alter: lenient(CREATE, 'DOCUMENT_NOT_FOUND'),
  },
  {
    id: 'idem-deleted-is-made-again',
    rule: 'IDEM-13',
    breaks: 'a replay of a document that was deleted makes another',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      if (asked.operation !== CREATE || answer.status !== 404) return answer;
      const next = { ...asked, headers: [...asked.headers] };
      setHeader(next, 'Idempotency-Key', undefined);
      return forward(next);
    },
  },
  {
    id: 'idem-replay-deleted',
    rule: 'IDEM-13',
    breaks: 'a replay shows a document that was deleted',
    alter: lenient(CREATE, 'DOCUMENT_NOT_FOUND'),
  },
  {
    id: 'idem-files-replayed',
    rule: 'IDEM-16',
    breaks: 'reservations with one key are one upload',
    alter: stale('reserveFile'),
  },
  {
    id: 'idem-actions-replayed',
    rule: 'IDEM-17',
    breaks: 'actions with one key are replayed',
    alter: nothingHappened(ACTIONS, STATE),
  },
  { id: 'idem-upload-repeat', rule: 'IDEM-21', breaks: 'a repeat finds its upload taken', alter: withoutKey },
  {
    id: 'idem-refusal-frees',
    rule: 'IDEM-22',
    breaks: 'a refusal frees the key',
    alter: async (asked, forward, memory) => {
      const next = { ...asked, headers: [...asked.headers] };
      if (memory.notes.has('freed')) setHeader(next, 'Idempotency-Key', undefined);
      const answer = await forward(next);
      if (asked.operation === CREATE && answer.status >= 400) memory.notes.set('freed', true);
      return answer;
    },
  },
  { id: 'idem-two-bodies', rule: 'IDEM-23', breaks: 'two bodies with one key make two documents', alter: withoutKey },
];
