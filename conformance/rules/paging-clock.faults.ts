/** Faults that the rules of paging-clock.rules.ts must catch. */
import { madeError } from '../mutation/alter.ts';
import { repeated, unbound } from '../mutation/alter-lists.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

export const faults: readonly Fault[] = faultsOf({
  'PAGE-22': {
    'page-token-of-start': [
      'a token of before a restart is refused',
      repeated(
        ({ target }) => /page_token=.+/.exec(target)?.[0],
        async () => madeError('INVALID_ARGUMENT', 'page_token'),
      ),
    ],
  },
  'PAGE-24': {
    'page-token-never-ends': ['a token that is too old is taken', unbound],
  },
});
