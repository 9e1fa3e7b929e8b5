/** Faults that the rules of idempotency-keys.rules.ts must catch. */
import { asks, headerOf, made, madeError, reasonOf, setHeader } from '../mutation/alter.ts';
import { idempotencyKey } from '../mutation/alter-documents.ts';
import type { Fault, ProxiedRequest } from '../mutation/fault.ts';

const CREATE = 'createDocument';

const used = (asked: ProxiedRequest) => `used ${headerOf(asked, 'idempotency-key')}`;

export const faults: readonly Fault[] = [
  {
    id: 'idem-order-of-fields',
    rule: 'IDEM-14',
    breaks: 'another order of fields is treated otherwise than declared',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      if (asked.operation !== CREATE) return answer;
      return answer.status === 200 &&
        headerOf(answer, 'idempotency-replayed') === undefined &&
        headerOf(answer, 'idempotent-replayed') === undefined
        ? answer
        : made(409, { code: 6, message: 'Another body.', details: [] });
    },
  },
  {
    id: 'idem-refusal-burns',
    rule: 'IDEM-15',
    breaks: 'a refused request uses its key up or not, otherwise than declared',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (asked.operation !== 'createDocument' || !headerOf(asked, 'idempotency-key')) return answer;
      if (reasonOf(answer) === 'INVALID_ARGUMENT') memory.notes.set(used(asked), true);
      return memory.notes.has(used(asked)) && answer.status === 200 ? madeError('IDEMPOTENCY_KEY_CONFLICT') : answer;
    },
  },
  {
    id: 'idem-malformed',
    rule: 'IDEM-18',
    breaks: 'a malformed key is overlooked',
    alter: asks(CREATE, (asked) => {
      const key = idempotencyKey(asked);
      if (key !== undefined && !/^[\w-]{1,64}$/.test(key)) setHeader(asked, 'Idempotency-Key', undefined);
    }),
  },
  {
    id: 'idem-of-all-operations',
    rule: 'IDEM-19',
    breaks: 'a key used on one operation is free on another, otherwise than declared',
    alter: async (asked, forward, memory) => {
      const answer = await forward(asked);
      if (!headerOf(asked, 'idempotency-key')) return answer;
      const before = memory.notes.get(used(asked));
      memory.notes.set(used(asked), asked.operation);
      return before && before !== asked.operation && answer.status === 200
        ? madeError('IDEMPOTENCY_KEY_CONFLICT')
        : answer;
    },
  },
];
