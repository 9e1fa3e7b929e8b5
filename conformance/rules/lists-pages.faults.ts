/** Faults that the rules of lists-pages.rules.ts must catch. */

import type { ListId } from '../http/api.ts';
import { after, answers, type Json, parse, refuses, rows, rowsOf } from '../mutation/alter.ts';
import { isLater, listFaults, onlyDefault } from '../mutation/alter-lists.ts';
import { changedQueryValue } from '../mutation/alter-requests.ts';
import type { Alter, Fault, FaultRows, ProxiedRequest } from '../mutation/fault.ts';
import { limitRule, walkRule } from './lists-pages.rules.ts';
import { isMade } from './shared/list-worlds.ts';
import { LARGEST, type PagedList, pagedLists } from './shared/paged-lists.ts';

const limitOf = ({ target }: ProxiedRequest) => new URLSearchParams(target.split('?')[1]).get('limit');

/** Only this list has more rows than the largest page. */
const LARGE: ListId = 'listEmployees';

const ofSize = ({ operationId: list }: PagedList): FaultRows => ({
  default: ['has one row without a limit', onlyDefault(list, '1')],
  refused: [
    'refuses a limit above the largest',
    refuses(list, 'INVALID_ARGUMENT', (asked) => Number(limitOf(asked)) > LARGEST),
  ],
  ...(list === LARGE && {
    token: [
      'refuses its own token beside a limit above the largest',
      refuses(list, 'INVALID_ARGUMENT', (asked) => isLater(asked) && Number(limitOf(asked)) > LARGEST),
    ],
  }),
  more: ['has one row more than its limit', changedQueryValue('limit', (limit) => (limit === '1' ? '2' : limit))],
});

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

const ofWalk = ({ operationId: list, hasTotal }: PagedList): FaultRows => ({
  oldest: ['is oldest first', rows(list, (all) => all.toReversed())],
  drops: [
    'loses the first row of later pages',
    rows(list, (all, _json, asked) => (isLater(asked) ? all.slice(1) : all)),
  ],
  repeats: [
    'begins each page with the last row of the one before',
    rows(list, (all, json, _asked, memory) => {
      const before = memory.notes.get('last') as Json;
      if (all.length > 0) memory.notes.set('last', json.next_page_token === '' ? undefined : all.at(-1));
      return before ? [before, ...all] : all;
    }),
  ],
  full: [
    'has a token after a page that is exactly full',
    answers(list, (json, asked) => {
      if (rowsOf(json).rows.length === Number(limitOf(asked))) json.next_page_token ||= 'bW9yZQ';
    }),
  ],
  shifts: [
    'has another order when a token is used twice',
    rows(list, (all, _json, { target }, memory) => {
      const isAgain = isLater({ target }) && memory.notes.get(target) === true;
      memory.notes.set(target, true);
      return isAgain ? all.map((one) => ({ ...one, create_time: '2001-01-01T00:00:00.000Z' })) : all;
    }),
  ],
  ...(hasTotal
    ? {
        estimate: [
          'has a total that is a fifth too high',
          answers(list, (json) => {
            if (json.total_count) json.total_count = String(Math.round(Number(json.total_count) * 1.2));
          }),
        ],
        'page-total': [
          'has a total that counts the rows of the page',
          answers(list, (json) => {
            if (json.total_count !== undefined) json.total_count = String(rowsOf(json).rows.length);
          }),
        ],
      }
    : {}),
});

/** The tenant for mutation tests has another one beside it whose lists have rows, except those that rules make. */
const ofTenants = (list: PagedList): FaultRows =>
  isMade(list) ? {} : { foreign: ['has a row of another tenant', withForeignRow(list.operationId)] };

export const faults: readonly Fault[] = pagedLists.flatMap((list) => [
  ...listFaults(list.operationId, 'limit', limitRule(list)[0], ofSize(list)),
  ...listFaults(list.operationId, 'walk', walkRule(list)[0], { ...ofWalk(list), ...ofTenants(list) }),
]);
