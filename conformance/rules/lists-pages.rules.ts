/** The pages of each list: how large they are, and that they are the list. */

import type { TestContext } from '../engine/test-context.ts';
import type { Query } from '../http/api.ts';
import type { KeyName } from '../profile/schema.ts';
import { rule } from './rule.ts';
import { idsOf, unique } from './shared/calls.ts';
import {
  isMade,
  judgeTotal,
  type ListWorld,
  nameAt,
  pageOf,
  rowsFor,
  valuesIn,
  walkedIds,
  worldOf,
} from './shared/list-worlds.ts';
import { LARGEST, type PagedList, pagedLists } from './shared/paged-lists.ts';

const sizes = (list: PagedList) => async (t: TestContext) => {
  const { api, rows: known } = await worldOf(t, list);
  if (known.length < 2) t.untested('no_such_data', `${list.operationId} has fewer than two rows`);
  const judge = async (query: Query, size: number): Promise<void> => {
    const { rows, token, answer } = await api.list(list.operationId, query);
    const isWhole = rows.length === size || (rows.length < size && token === '');
    const shown = `${rows.length} rows with limit=${query.limit ?? 'left out'}, more follow: ${token !== ''}`;
    t.check(isWhole, shown, answer);
    const isFirst = query.page_token === undefined;
    if (size === LARGEST && isFirst && token !== '') await judge({ ...query, page_token: token }, size);
  };
  await judge({}, list.defaultLimit);
  await judge({ limit: 1 }, 1);
  await judge({ limit: LARGEST }, LARGEST);
  for (const limit of ['1001', '5000', '2147483647']) {
    if (t.values.limit_above_maximum === 'clamp') await judge({ limit }, LARGEST);
    else (await api.get(list.path, { limit })).blames('limit', `limit=${limit}`);
  }
};

/** Newest first, and by id what is equally new, each row once. */
function judgeOrder(t: TestContext, { list, rows }: ListWorld): void {
  t.equal(unique(idsOf(rows)).length, rows.length, 'rows of a walk, each counted once');
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    if (before === undefined) continue;
    const order = before.create_time.localeCompare(row.create_time);
    t.check(order >= 0, `${list.operationId}: ${row.id} is newer than ${before.id}, which stands before it`);
    const isTie = order === 0 && t.values.page_order === 'create_time_desc_id_desc';
    t.check(!isTie || before.id > row.id, `${row.id} has the create_time of ${before.id} and stands after it`);
  }
}

/** A query that finds few rows, but more than one, and these rows; the whole list if no filter does. */
function fewOf(t: TestContext, world: ListWorld): { query: Query; ids: string[] } {
  const found = world.list.filters
    .filter(({ isInstant }) => !isInstant)
    .flatMap((filter) =>
      valuesIn(world, filter).map((value) => ({
        query: { [nameAt(t, filter)]: value },
        ids: idsOf(rowsFor(t, world, [[filter, value]])),
      })),
    );
  const few = found.filter(({ ids }) => ids.length > 2 && ids.length <= 12);
  return few[0] ?? { query: {}, ids: idsOf(world.rows) };
}

/** One less than the rows, as many, and one more: there is a token exactly when rows are left. */
async function judgeEnds(t: TestContext, world: ListWorld, query: Query, ids: readonly string[]): Promise<void> {
  for (const limit of [ids.length - 1, ids.length, ids.length + 1]) {
    if (limit < 1 || limit > LARGEST) continue;
    const { rows, token, answer } = await pageOf(world, { ...query, limit });
    t.equal(idsOf(rows), ids.slice(0, limit), `${ids.length} rows under limit=${limit}`, answer);
    t.equal(token !== '', limit < ids.length, `whether ${ids.length} rows have a next page of ${limit}`, answer);
    if (token === '') continue;
    const last = await pageOf(world, { ...query, limit, page_token: token });
    t.equal(
      [idsOf(last.rows), last.token],
      [ids.slice(limit), ''],
      'the last row, and the token after it',
      last.answer,
    );
  }
}

/** A token used twice gives the same page; so do the same parameters in another order. */
async function judgeRepetition(t: TestContext, world: ListWorld, query: Query): Promise<void> {
  const { token } = await pageOf(world, { ...query, limit: 1 });
  if (token === '') return;
  const whole: Query = { ...query, limit: 1, page_token: token };
  const first = await pageOf(world, whole);
  const again = await pageOf(world, whole);
  t.equal(again.rows, first.rows, 'the same page again', again.answer);
  const turned = Object.entries({ ...world.base, ...whole }).reverse();
  const back = await world.api.list(world.list.operationId, Object.fromEntries(turned));
  t.equal(back.rows, first.rows, 'the page with the parameters in another order', back.answer);
}

async function judgeWalks(t: TestContext, world: ListWorld): Promise<void> {
  const { list, rows } = world;
  judgeOrder(t, world);
  if (list.hasTotal) {
    const total = await pageOf(world, { limit: 2, include_total: true });
    judgeTotal(t, total, rows.length, 'everything');
    const next = { limit: 2, page_token: total.token, include_total: true };
    if (total.token !== '') t.equal((await pageOf(world, next)).total, total.total, 'total_count on the second page');
  }
  const limit = rows.length > LARGEST ? LARGEST - 1 : Math.max(1, Math.ceil(rows.length / 5));
  t.equal(await walkedIds(world, {}, limit), idsOf(rows), `pages of ${limit} laid end to end`);
  await judgeEnds(t, world, {}, idsOf(rows));
  const { query, ids } = fewOf(t, world);
  if (ids.length <= 12) {
    for (const limit of [1, 2]) t.equal(await walkedIds(world, query, limit), ids, `pages of ${limit} laid end to end`);
    await judgeEnds(t, world, query, ids);
  }
  await judgeRepetition(t, world, query);
}

/** No row of the tenant is one of another tenant's. */
async function judgeTenants(t: TestContext, { list, rows }: ListWorld): Promise<void> {
  const other = t.as('other_tenant');
  const foreign = new Set(idsOf((await other.list(list.operationId, { limit: LARGEST })).rows));
  const { employee_other_tenant_id, document_type_other_tenant_id } = t.profile.fixtures;
  for (const id of [employee_other_tenant_id, document_type_other_tenant_id]) if (id !== undefined) foreign.add(id);
  t.equal(
    idsOf(rows).filter((id) => foreign.has(id)),
    [],
    `rows of ${list.operationId} that two tenants list`,
  );
}

/** Owners whose lists are read in different ways. */
const OWNERS: readonly KeyName[] = ['restricted_owner', 'department_and_self_owner'];

const walks = (list: PagedList) => async (t: TestContext) => {
  const { big } = t.profile.fixtures;
  const [first, ...others] = unique<KeyName>(['full', ...(list.hasTotal && big ? [big.key] : []), ...OWNERS]);
  const whole = await worldOf(t, list, first);
  if (whole.rows.length < 2) t.untested('no_such_data', `${list.operationId} has fewer than two rows`);
  await judgeWalks(t, whole);
  for (const key of others.filter((one) => t.has(one))) {
    const world = await worldOf(t, list, key);
    // Of lists that both owners see alike, one is enough.
    if (idsOf(world.rows).join() !== idsOf(whole.rows).join()) await judgeWalks(t, world);
  }
  if (list.hasTotal && big?.key === 'full')
    t.check(whole.rows.length >= big.employees_at_least, `the profile promises more than ${whole.rows.length} rows`);
  await judgeTenants(t, whole);
};

for (const list of pagedLists) {
  rule({
    id: `PAGE-${list.operationId}.size`,
    text: `A page of ${list.operationId} has as many rows as its limit says: ${list.defaultLimit} unless stated, at most ${LARGEST}; a larger limit is treated as the target declares.`,
    place: `${list.operationId}: limit`,
    decisions: ['D-9'],
    family: 'the limit of each list',
    check: sizes(list),
  });
  rule({
    id: `PAGE-${list.operationId}`,
    text: `A walk through ${list.operationId} gives each row of the tenant that the owner may see once, newest first, whatever the limit, and ends with an empty token.`,
    place: `${list.operationId}: next_page_token`,
    decisions: ['D-11', ...(list.hasTotal ? (['D-13'] as const) : [])],
    family: 'the pages of each list',
    ...(isMade(list) ? {} : { runs: 'quiet' as const }),
    check: walks(list),
  });
}
