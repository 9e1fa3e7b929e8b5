/** Faults that the rules of limit-failed-keys.rules.ts must catch. */
import { madeError } from '../mutation/alter.ts';
import { isRefused } from '../mutation/alter-limits.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'lim-failed-keys-free',
    rule: 'LIM-20',
    breaks: 'failed authentication is not limited',
    alter: async (asked, forward) => {
      const answer = await forward(asked);
      return isRefused(answer) ? madeError('API_KEY_INVALID') : answer;
    },
  },
];
