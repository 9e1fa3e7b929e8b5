/** Faults that the rules of lists-tokens.rules.ts must catch: a token shows who has it what its maker sees. */
import { keyed } from '../mutation/alter.ts';
import { isLater } from '../mutation/alter-lists.ts';
import type { Fault } from '../mutation/fault.ts';
import { idOf } from './rule.ts';
import { pagedLists } from './shared/paged-lists.ts';

/** Every owner in the tenant for mutation tests sees all of this list, so no token of it can widen rights. */
const SEEN_BY_ALL = 'listDocumentCategories';

export const faults: readonly Fault[] = pagedLists
  .filter(({ operationId }) => operationId !== SEEN_BY_ALL)
  .map((list) => ({
    id: `token-${list.operationId}-of-another-owner`,
    rule: idOf(`PAGE-${list.operationId}.of-another-owner`),
    breaks: `a page token of ${list.operationId} shows what its maker sees`,
    alter: keyed((asked) => asked.operation === list.operationId && isLater(asked), 'any', 'full'),
  }));
