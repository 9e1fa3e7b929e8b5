/** Faults that the rules of idempotency.rules.ts must catch. */
import { headerOf } from '../http/exchange.ts';
import {
  after,
  asks,
  everything,
  isAbsent,
  keyed,
  noted,
  onAnswer,
  setHeader,
  stale,
  withHeader,
} from '../mutation/alter.ts';
import { ACTIONS, nothingHappened, shown } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const CREATE = 'createDocument';

export const faults: readonly Fault[] = faultsOf({
  'IDEM-1': {
    'idem-old-answer': ['a replay shows the document as it was', stale(CREATE)],
    'idem-without-header': [
      'equal bodies without a header are one document',
      asks(CREATE, (asked, { notes }) => {
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
        if (asked.operation === CREATE && answer.status >= 400) memory.notes.set('freed', true);
        return answer;
      },
    ],
  },
  'IDEM-4': {
    'idem-conflict-creates': [
      'another body is refused, and its document made all the same',
      after(everything, async (answer, asked, memory, forward) => {
        // One document is violation enough. One for each refusal would bring the key to its limit.
        if (asked.operation === CREATE && answer.status === 409 && !memory.notes.has('made')) {
          const again = await forward(withHeader(asked, 'Idempotency-Key', undefined));
          if (again.status === 200) memory.notes.set('made', true);
        }
        return answer;
      }),
    ],
  },
  'IDEM-7': {
    'idem-shared-by-keys': ['a key counts for all API keys', keyed(CREATE, 'any', 'full')],
  },
  'IDEM-12': {
    'idem-deleted-is-made-again': [
      'a replay of a document that was deleted makes another',
      onAnswer(CREATE, isAbsent, (_answer, asked, _memory, forward) =>
        forward(withHeader(asked, 'Idempotency-Key', undefined)),
      ),
    ],
  },
  'IDEM-16': {
    'idem-files-replayed': ['reservations with one key are one upload', stale('reserveFile')],
    'idem-actions-replayed': ['actions with one key are replayed', nothingHappened(ACTIONS)],
  },
});
