/** Faults that the rules of idempotency-keys.rules.ts must catch. */
import { headerOf } from '../http/exchange.ts';
import { after, asks, denies, everything, made, madeError, reasonOf, setHeader } from '../mutation/alter.ts';
import { idempotencyKey } from '../mutation/alter-documents.ts';
import { type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

const CREATE = 'createDocument';

const used = (asked: ProxiedRequest) => `used ${headerOf(asked, 'idempotency-key')}`;

export const faults: readonly Fault[] = faultsOf({
  'IDEM-14': {
    'idem-numbers-as-written': [
      'a number in another spelling is another body',
      denies((asked) => asked.operation === CREATE && asked.body.includes('.0e0'), 'IDEMPOTENCY_KEY_CONFLICT'),
    ],
    'idem-order-of-fields': [
      'another order of fields is treated otherwise than declared',
      after(CREATE, (answer) =>
        answer.status === 200 &&
        headerOf(answer, 'idempotency-replayed') === undefined &&
        headerOf(answer, 'idempotent-replayed') === undefined
          ? answer
          : made(409, { code: 6, message: 'Another body.', details: [] }),
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
  'IDEM-18': {
    'idem-malformed': [
      'a malformed key is overlooked',
      asks(CREATE, (asked) => {
        const key = idempotencyKey(asked);
        if (key !== undefined && !/^[\w-]{1,64}$/.test(key)) setHeader(asked, 'Idempotency-Key', undefined);
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
