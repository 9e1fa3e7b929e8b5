/** Faults that the rules of lists-filters.rules.ts must catch. */

import { answers, queries, rows, rowsOf, without } from '../mutation/alter.ts';
import { isLater, listFaults, onlyFirst, SOMEBODY } from '../mutation/alter-lists.ts';
import { changedQueryValue } from '../mutation/alter-requests.ts';
import type { Fault, FaultRows } from '../mutation/fault.ts';
import { filterRule } from './lists-filters.rules.ts';
import { type ListFilter, type PagedList, pagedLists } from './shared/paged-lists.ts';

/** What can be wrong with a filter. */
function wrongs(
  { operationId: list, filters, hasTotal }: PagedList,
  { name, repeated, isInstant }: ListFilter,
): FaultRows {
  const has = (target: string, parameter = name) => new RegExp(`[?&]${parameter}=`).test(target);
  const changed = (change: (value: string) => string) =>
    changedQueryValue(name, (value) => (Number.isFinite(Date.parse(value)) ? change(value) : value));
  const others = filters.map((other) => other.name).filter((other) => other !== name);
  return {
    ignored: ['does nothing', without(list, name)],
    'first-page': [
      'does nothing on later pages',
      rows(list, (all, _json, { target }) =>
        isLater({ target }) && has(target) ? all.map((one) => ({ ...one, ...SOMEBODY })) : all,
      ),
    ],
    null: [
      'answers without next_page_token where nothing is found',
      answers(list, (json, { target }) => {
        if (has(target) && rowsOf(json).rows.length === 0) delete json.next_page_token;
      }),
    ],
    ...Object.fromEntries(
      others.map((other) => [
        `beside-${other}`,
        [
          `does nothing beside ${other}`,
          queries(list, (query) => {
            if (query.has(other)) query.delete(name);
          }),
        ] as const,
      ]),
    ),
    ...(repeated ? { first: ['takes the first of several values', onlyFirst(name, list)] } : {}),
    ...(hasTotal
      ? {
          total: [
            'leaves total_count one too large',
            answers(list, (json, { target }) => {
              if (has(target) && json.total_count) json.total_count = String(Number(json.total_count) + 1);
            }),
          ],
        }
      : {}),
    ...(isInstant
      ? {
          late: ['is one millisecond late', changed((at) => new Date(Date.parse(at) + 1).toISOString())],
          early: ['is one millisecond early', changed((at) => new Date(Date.parse(at) - 1).toISOString())],
          zone: ['overlooks the zone', changed((at) => at.replace(/[+-]\d\d:\d\d$/, 'Z'))],
          digits: ['overlooks what is finer than a second', changed((at) => at.replace(/\.\d+/, ''))],
        }
      : {}),
  };
}

export const faults: readonly Fault[] = pagedLists.flatMap((list) =>
  list.filters
    .filter(({ oracle }) => oracle !== undefined)
    .flatMap((filter) =>
      listFaults(`${list.operationId}.${filter.name}`, 'filter', filterRule(list, filter)[0], wrongs(list, filter)),
    ),
);
