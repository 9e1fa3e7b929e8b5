/** The pages and rows of each list: that the pages are the list, and each row equals the same object read alone. */

import { operations } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api, Query } from '../http/api.ts';
import type { KeyName } from '../profile/schema.ts';
import { rule } from './rule.ts';
import { idsOf, unique } from './shared/calls.ts';
import {
  isMade,
  judgeTotal,
  type ListWorld,
  nameAt,
  pageOf,
  quietUnlessMade,
  rowsFor,
  valuesIn,
  walkedIds,
  worldOf,
} from './shared/list-worlds.ts';
import { LARGEST, type PagedList, pagedLists, type Row, readableLists } from './shared/paged-lists.ts';

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
    ...quietUnlessMade(list),
    check: walks(list),
  });
}

type ReadableList = (typeof readableLists)[number];

/** The parameter that asks for objects beside those of a row, and its values. */
function expansionsOf({ changeable }: PagedList): { name: string; values: readonly string[] } {
  const found = changeable.find(({ schema }) => schema.values !== undefined);
  return { name: found?.name ?? '', values: found?.schema.values ?? [] };
}

const asRow = ({ singleRow, single }: ReadableList, answer: Answer, because = ''): Row =>
  (answer.ok(single, because) as unknown as Record<string, Row>)[singleRow] as Row;

const ask = (list: ReadableList, api: Api, id: string, query: Query): Promise<Answer> =>
  api.send({ path: operations[list.single].path.replace(/\{[^}]+\}$/, id), absolute: true, query });

const read = async (list: ReadableList, api: Api, id: string, query: Query): Promise<Row> =>
  asRow(list, await ask(list, api, id, query));

/** Owners who see different fields of what they see. */
const READERS: readonly KeyName[] = ['full', 'restricted_owner', 'second_owner'];

/** A list of few rows of an owner, and not the whole list, which may be long. */
async function someRows(t: TestContext, list: PagedList, key: KeyName): Promise<ListWorld> {
  return isMade(list) ? worldOf(t, list, key) : { list, api: t.asAny(key), base: {}, rows: [] };
}

const equalsSingle = (list: ReadableList) => async (t: TestContext) => {
  const { name, values } = expansionsOf(list);
  let compared = 0;
  for (const key of READERS) {
    if (key !== 'full' && !t.has(key)) continue;
    const world = await someRows(t, list, key);
    for (const expand of values.length === 0 ? [[]] : [[], values.slice(0, 1), [...values]]) {
      const query: Query = expand.length === 0 ? {} : { [name]: expand };
      const page = await pageOf(world, { ...query, limit: 8 });
      for (const row of page.rows)
        t.equal(await read(list, world.api, row.id, query), row, `${row.id} alone and in the list`);
      compared += page.rows.length;
    }
  }
  if (compared === 0) t.untested('no_such_data', `${list.operationId} is empty`);
  await judgeUpperCase(t, list);
};

/** An id in upper case means the same: the answer has it in the one spelling that lists have. */
async function judgeUpperCase(t: TestContext, list: ReadableList): Promise<void> {
  const world = await someRows(t, list, 'full');
  const { rows } = await pageOf(world, { limit: 20 });
  const row = rows.find(({ id }) => id !== id.toUpperCase());
  if (row === undefined) return;
  const answer = await ask(list, world.api, row.id.toUpperCase(), {});
  if (t.values.upper_case_id === 'understood')
    t.equal(asRow(list, answer, 'an id in upper case'), row, 'what it reads', answer);
  else t.check(answer.status === 400 || answer.status === 404, `an id in upper case: ${answer.brief}`, answer);
}

/** What a row must have for an expansion: the object whose id its field names, and nothing where the field is empty. */
function judgeExpanded(t: TestContext, row: Row, value: string, about: Answer): void {
  const [object, id] = [row[value] as { id?: unknown } | null | undefined, row[`${value}_id`]];
  if (id === undefined) t.check(object != null, `${row.id}: ${value} was asked for and did not come`, about);
  else if (id === '') t.check(object == null, `${row.id}: ${value} came although ${value}_id is empty`, about);
  else t.equal(object?.id, id, `${row.id}: the id of ${value}`, about);
}

const without = (row: Row, value: string) => ({ ...row, [value]: undefined, redacted_fields: undefined });

const expands =
  (list: ReadableList, name: string, value: string, others: readonly string[]) => async (t: TestContext) => {
    const full = t.asAny('full');
    const world: ListWorld = { list, api: full, base: {}, rows: [] };
    const sample = t.profile.fixtures[`${list.singleRow}_id` as 'employee_id'];
    let judged = 0;
    const page = (expand: readonly string[]) =>
      pageOf(world, { limit: 50, ...(expand.length > 0 && { [name]: expand }) });
    const [plain, only, rest, all, turned] = [
      await page([]),
      await page([value]),
      await page(others),
      await page([value, ...others]),
      await page([...others, value]),
    ];
    t.equal(turned.rows, all.rows, 'the rows with the expansions in another order', turned.answer);
    for (const [at, row] of plain.rows.entries()) {
      t.check(!(value in row), `${row.id}: ${value} came without being asked for`, plain.answer);
      t.check(!(value in (rest.rows[at] ?? {})), `${row.id}: ${value} came with the other expansions`, rest.answer);
      for (const { rows, answer } of [only, all]) {
        const expanded = t.present(rows[at], `${row.id} is missing with ${name}=${value}`, answer);
        judgeExpanded(t, expanded, value, answer);
        if (expanded[value] != null) judged++;
      }
      t.equal(without(only.rows[at] as Row, value), without(row, value), `${row.id}: the other fields`, only.answer);
    }
    if (sample !== undefined) {
      const answer = await ask(list, full, sample, { [name]: value });
      const row = asRow(list, answer);
      judgeExpanded(t, row, value, answer);
      t.equal(
        without(row, value),
        without(await read(list, full, sample, {}), value),
        'the other fields of one',
        answer,
      );
      if (row[value] != null) judged++;
    }
    const twice = await full.get(list.path, { limit: 50, [name]: [value, ...others, value] });
    if (t.values.duplicate_filter_values === 'reject') twice.blames(name, 'a duplicate');
    else
      t.equal((twice.ok(list.operationId) as unknown as Record<string, Row[]>)[list.rows], all.rows, 'the rows', twice);
    if (judged === 0) t.untested('no_such_data', `no row has a ${value}`);
  };

for (const list of readableLists) {
  const place = `${list.operationId}, ${list.single}`;
  rule({
    id: `${list.section}-${list.operationId}.single`,
    text: `A row of ${list.operationId} equals what ${list.single} gives for its id, for owners with different rights and with every expansion; the id counts in either case.`,
    place,
    decisions: ['D-14'],
    family: 'each row and its single read',
    ...quietUnlessMade(list),
    check: equalsSingle(list),
  });
  const { name, values } = expansionsOf(list);
  for (const value of values) {
    rule({
      id: `${list.section}-${list.operationId}.${value}`,
      text: `A row of ${list.operationId} has ${value} if, and only if, ${name} asks for it: in any order, once or twice, alone or with others, and with the id that its field names.`,
      place: `${place}: ${name}`,
      decisions: ['D-12'],
      family: 'each expansion',
      runs: 'quiet',
      check: expands(
        list,
        name,
        value,
        values.filter((other) => other !== value),
      ),
    });
  }
}
