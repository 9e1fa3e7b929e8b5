/** Faults that the rules of idempotency.rules.ts must catch. */
import {
  after,
  asks,
  bodies,
  denies,
  everything,
  header,
  heads,
  isAbsent,
  keyed,
  noted,
  onAnswer,
  parse,
  setHeader,
  stale,
  withHeader,
} from '../mutation/alter.ts';
import { ACTIONS, idempotencyKey, lenient, nothingHappened, shown, withoutKey } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const CREATE = 'createDocument';

export const faults: readonly Fault[] = faultsOf({
  'IDEM-1': {
    'idem-upload-repeat': ['a repeat finds its upload taken', withoutKey],
    'idem-old-answer': ['a replay shows the document as it was', stale(CREATE)],
    'idem-first-is-replay': [
      'the first answer is marked as a replay',
      heads(CREATE, (answer, asked) => {
        if (idempotencyKey(asked))
          for (const name of ['Idempotent-Replayed', 'Idempotency-Replayed']) setHeader(answer, name, 'true');
      }),
    ],
    'idem-mark-left-out': [
      'a replay is not marked as one',
      heads(CREATE, (answer) => setHeader(answer, 'Idempotent-Replayed', undefined)),
    ],
    'idem-not-kept': ['a repeat makes another document', withoutKey],
    'idem-without-header': [
      'equal bodies without a header are one document',
      asks(CREATE, (asked, { notes }) => {
        if (!notes.has('own key')) notes.set('own key', crypto.randomUUID());
        if (!idempotencyKey(asked)) setHeader(asked, 'Idempotency-Key', String(notes.get('own key')));
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
    'idem-other-body': [
      'another body is answered with the first document',
      lenient(CREATE, 'DEVELOPER.IDEMPOTENCY_KEY_CONFLICT'),
    ],
    'err-null-refused': [
      'null is refused in an optional field',
      denies(everything, 'INVALID_ARGUMENT', (asked) => {
        const json = parse(asked.body);
        return Object.keys(json ?? {}).find((key) => json[key] === null);
      }),
    ],
    'err-null-like-absent-in-key': [
      'bodies with one Idempotency-Key are compared without their nulls',
      bodies(CREATE, (json) => {
        for (const [name, value] of Object.entries(json)) if (value === null) delete json[name];
      }),
    ],
    'idem-number-uncompared': [
      'another number is not another body',
      bodies(CREATE, (json) => {
        if (json.number) json.number = 'A';
      }),
    ],
    'idem-values-uncompared': [
      'values of the template are not compared',
      bodies(CREATE, (json, _asked, memory) => {
        if (json.template_values) json.template_values = noted(memory, 'values', () => json.template_values);
      }),
    ],
  },
  'IDEM-5': {
    'idem-no-retry-after': [
      'IDEMPOTENCY_IN_PROGRESS has no Retry-After',
      header('Retry-After', undefined, (answer) => answer.status === 409),
    ],
    'idem-parallel': ['simultaneous requests make a document each', withoutKey],
  },
  'IDEM-7': {
    'idem-shared-by-keys': ['a key counts for all API keys', keyed(CREATE, 'any', 'full')],
  },
  'IDEM-12': {
    'idem-replay-any-sight': ['a replay shows what the owner may not see', lenient(CREATE, 'DOCUMENT_NOT_FOUND')],
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
  'IDEM-23': {
    'idem-two-bodies': ['two bodies with one key make two documents', withoutKey],
  },
});
