/** Faults that the rules of idempotency-keys.rules.ts must catch. */
import { headerOf } from '../http/exchange.ts';
import { after, everything, madeError, reasonOf } from '../mutation/alter.ts';
import { type Fault, faultsOf, type ProxiedRequest } from '../mutation/fault.ts';

const used = (asked: ProxiedRequest) => `used ${headerOf(asked, 'idempotency-key')}`;

export const faults: readonly Fault[] = faultsOf({
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
