/** Faults that the rules of idempotency.rules.ts must catch. */
import { headerOf } from '../http/exchange.ts';
import {
  after,
  asks,
  everything,
  isAbsent,
  isFor,
  keyed,
  madeError,
  noted,
  onAnswer,
  reasonOf,
  setHeader,
  stale,
  withHeader,
} from '../mutation/alter.ts';
import { ACTIONS, readingOf, shown } from '../mutation/alter-documents.ts';
import { faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

const used = (asked: ProxiedRequest) => `used ${headerOf(asked, 'idempotency-key')}`;

export const faults = faultsOf({
  'IDEM-1': {
    'idem-old-answer': ['a replay shows the document as it was', stale('createDocument')],
    'idem-without-header': [
      'equal bodies without a header are one document',
      asks('createDocument', (asked, { notes }) => {
        if (!notes.has('own key')) notes.set('own key', crypto.randomUUID());
        if (!headerOf(asked, 'idempotency-key')) setHeader(asked, 'Idempotency-Key', String(notes.get('own key')));
      }),
    ],
    'idem-files-shared': [
      'documents of equal content share a file',
      shown((one, _asked, { notes }) => {
        one.files = noted({ notes }, 'files', () => one.files);
      }),
    ],
    'idem-refusal-frees': [
      'a refusal frees the key',
      async (asked, forward, memory) => {
        const answer = await forward(
          memory.notes.has('freed') ? withHeader(asked, 'Idempotency-Key', undefined) : asked,
        );
        if (asked.operation === 'createDocument' && answer.status >= 400) memory.notes.set('freed', true);
        return answer;
      },
    ],
  },
  'IDEM-4': {
    'idem-conflict-creates': [
      'another body is refused, and its document made all the same',
      after(everything, async (answer, asked, memory, forward) => {
        // One document is violation enough. One for each refusal would bring the key to its limit.
        if (asked.operation === 'createDocument' && answer.status === 409 && !memory.notes.has('made')) {
          const again = await forward(withHeader(asked, 'Idempotency-Key', undefined));
          if (again.status === 200) memory.notes.set('made', true);
        }
        return answer;
      }),
    ],
  },
  'IDEM-7': {
    'idem-shared-by-keys': ['a key counts for all API keys', keyed('createDocument', 'any')],
  },
  'IDEM-12': {
    'idem-deleted-is-made-again': [
      'a replay of a document that was deleted makes another',
      onAnswer('createDocument', isAbsent, (_answer, asked, _memory, forward) =>
        forward(withHeader(asked, 'Idempotency-Key', undefined)),
      ),
    ],
  },
  'IDEM-16': {
    'idem-files-replayed': ['reservations with one key are one upload', stale('reserveFile')],
    'idem-actions-replayed': [
      'actions with one key are replayed',
      onAnswer(ACTIONS, isFor('DOCUMENT.INVALID_STATUS_TRANSITION'), (_answer, asked, _memory, forward) =>
        forward(readingOf(asked)),
      ),
    ],
  },
  'IDEM-15': {
    'idem-refusal-burns': [
      'a refused request uses its key up or not, otherwise than declared',
      after('createDocument', (answer, asked, memory) => {
        if (!headerOf(asked, 'idempotency-key')) return answer;
        if (reasonOf(answer) === 'INVALID_ARGUMENT') memory.notes.set(used(asked), true);
        return memory.notes.has(used(asked)) && answer.status === 200 ? madeError('IDEMPOTENCY_KEY_CONFLICT') : answer;
      }),
    ],
  },
  'IDEM-19': {
    'idem-of-all-operations': [
      'a key used on one operation is free on another, otherwise than declared',
      after(everything, (answer, asked, memory) => {
        if (!headerOf(asked, 'idempotency-key')) return answer;
        const before = memory.notes.get(used(asked));
        memory.notes.set(used(asked), asked.operation);
        return before && before !== asked.operation && answer.status === 200
          ? madeError('IDEMPOTENCY_KEY_CONFLICT')
          : answer;
      }),
    ],
  },
});
