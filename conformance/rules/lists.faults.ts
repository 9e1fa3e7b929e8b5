/** Faults that the rules of lists*.rules.ts must catch. */
import type { ListId } from '../http/api.ts';
import { after, fault, keyed, parse, rowsOf } from '../mutation/alter.ts';
import { isLater } from '../mutation/alter-lists.ts';
import type { Alter, Fault } from '../mutation/fault.ts';
import { idOf } from './rule.ts';
import { isMade } from './shared/list-worlds.ts';
import { pagedLists } from './shared/paged-lists.ts';

/** Shows a row of another tenant in place of one. */
const withForeignRow = (list: ListId): Alter =>
  after(list, async (answer, asked, memory, forward) => {
    if (answer.status !== 200) return answer;
    const { notes } = memory;
    if (!notes.has('ours')) {
      const key: [string, string] = ['X-API-Key', memory.key('other_tenant')];
      const theirs = await forward({ ...asked, target: asked.target.replace(/\?.*/, ''), headers: [key] });
      notes.set('ours', rowsOf(parse(answer.body)).rows[0]?.id);
      notes.set('theirs', rowsOf(parse(theirs.body)).rows[0]?.id);
    }
    const [ours, theirs] = [String(notes.get('ours')), String(notes.get('theirs'))];
    return { ...answer, body: Buffer.from(answer.body.toString('utf8').replaceAll(ours, theirs)) };
  });

/** Every owner in the tenant for mutation tests sees all of this list, so no token of it can widen rights. */
const SEEN_BY_ALL = 'listDocumentCategories';

export const faults: readonly Fault[] = [
  // The tenant for mutation tests has another one beside it whose lists have rows, except those that rules make.
  ...pagedLists
    .filter((list) => !isMade(list))
    .map((list) => {
      const { operationId } = list;
      const breaks = `${operationId} has a row of another tenant`;
      return fault(`walk-${operationId}-foreign`, idOf(`PAGE-${operationId}`), breaks, withForeignRow(operationId));
    }),
  ...pagedLists
    .filter(({ operationId }) => operationId !== SEEN_BY_ALL)
    .map((list) => ({
      id: `token-${list.operationId}-of-another-owner`,
      rule: idOf(`PAGE-${list.operationId}.of-another-owner`),
      breaks: `a page token of ${list.operationId} shows what its maker sees`,
      alter: keyed((asked) => asked.operation === list.operationId && isLater(asked), 'any'),
    })),
];
