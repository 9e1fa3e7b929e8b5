/** Faults that the rules of paging-clock.rules.ts must catch. */
import { madeError } from '../mutation/alter.ts';
import { repeated, unbound } from '../mutation/alter-lists.ts';
import type { Fault } from '../mutation/fault.ts';

export const faults: readonly Fault[] = [
  {
    id: 'page-token-of-start',
    rule: 'PAGE-22',
    breaks: 'a token of before a restart is refused',
    alter: repeated(
      ({ target }) => /page_token=.+/.exec(target)?.[0],
      async () => madeError('INVALID_ARGUMENT', 'page_token'),
    ),
  },
  { id: 'page-token-never-ends', rule: 'PAGE-24', breaks: 'a token that is too old is taken', alter: unbound },
];
