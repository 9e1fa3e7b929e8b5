/** Faults that the rules of flow-odd.rules.ts must catch. */
import { heads, reasonOf } from '../mutation/alter.ts';
import type { Fault } from '../mutation/fault.ts';

const ACTIONS = ['sendDocument', 'approveDocument', 'signDocument', 'rejectDocument', 'setDocumentRoute'] as const;

const INVALID = 'INVALID_ARGUMENT';

export const faults: readonly Fault[] = [
  {
    id: 'flow-odd-500',
    rule: 'FLOW-38',
    breaks: 'odd values are answered 500',
    alter: heads(
      ACTIONS,
      (answer) => {
        answer.status = 500;
      },
      (answer) => reasonOf(answer) === INVALID,
    ),
  },
];
