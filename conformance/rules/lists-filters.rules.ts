/** Each filter of each list: alone, with several values, and beside each other filter. */

import type { TestContext } from '../engine/test-context.ts';
import { OUTERMOST } from '../judge/readers.ts';
import type { KeyName } from '../profile/schema.ts';
import { rule, unable } from './rule.ts';
import { idsOf, UNKNOWN_ID, unique } from './shared/calls.ts';
import {
  type FilterValues,
  type ListWorld,
  mustFind,
  nameAt,
  queryFor,
  quietUnlessMade,
  rowsFor,
  valuesIn,
  walkedIds,
  worldOf,
} from './shared/list-worlds.ts';
import { type ListFilter, type PagedList, pagedLists, type Row } from './shared/paged-lists.ts';

/** Owners with different views: a filter must never show more than the unfiltered list. */
const OWNERS: readonly KeyName[] = ['full', 'restricted_owner'];

/** The same instant in other zones, and with more digits than the millisecond has. */
function spellings(instant: string): string[] {
  const at = Date.parse(instant);
  const shifted = (minutes: number, zone: string) => new Date(at + minutes * 60_000).toISOString().replace('Z', zone);
  const utc = new Date(at).toISOString();
  return [
    shifted(300, '+05:00'),
    shifted(-210, '-03:30'),
    shifted(0, '-00:00'),
    utc.toLowerCase(),
    utc.replace('Z', '000000Z'),
    ...['1', '000001', '999999'].map((digits) => utc.replace('Z', `${digits}Z`)),
    new Date(at - 1).toISOString(),
    new Date(at + 1).toISOString(),
  ];
}

/**
 * Values of a filter to ask for: every one of an enumeration, else those of most, some and fewest rows. Rows of each
 * status are among what they find, since a list with a filter might leave out a status.
 */
function valuesToAsk(world: ListWorld, filter: ListFilter): string[] {
  if (filter.schema.values) return [...filter.schema.values];
  const found = valuesIn(world, filter);
  const middle = found[found.length >> 1] ?? '';
  if (filter.isInstant) return [middle, ...spellings(middle), ...(OUTERMOST['date-time'] ?? [])];
  const byStatus = [...Map.groupBy(world.rows, ({ status }) => status).values()];
  const ofEachStatus = byStatus.flatMap((rows) => valuesIn({ ...world, rows }, filter).slice(0, 1));
  return unique([found[0] ?? '', middle, found.at(-1) ?? '', ...ofEachStatus]);
}

/** What a filter of ids or texts may be asked for although nothing has it. */
async function strangers(t: TestContext, { list }: ListWorld, { name, oracle }: ListFilter): Promise<string[]> {
  const [foreign] = t.has('other_tenant')
    ? ((await t.as('other_tenant').list(list.operationId, { limit: 1 })).rows as readonly unknown[] as Row[])
    : [];
  const theirs = foreign && oracle ? oracle.valueOf(foreign) : '';
  const odd = [UNKNOWN_ID, 'not-an-id', '{"$gt":""}', '[object Object]', '\u0000\u0000\u0000', 'ключ'];
  return name === 'search' ? [`${t.run_id} nothing`] : [...odd, ...(theirs === '' ? [] : [theirs])];
}

/** The first three pages must have the rows that filters must find. Up to 200 rows fill two; the third must not exist. */
async function mustWalk(t: TestContext, world: ListWorld, chosen: FilterValues, what: string): Promise<void> {
  const ids = idsOf(rowsFor(t, world, chosen));
  const limit = Math.min(Math.ceil(ids.length / 2) || 1, 100);
  const walked = await walkedIds(world, queryFor(t, chosen), limit, 3);
  t.equal(walked, ids.slice(0, 3 * limit), `${what} on pages of ${limit}`);
}

/** Asks for values one by one, together, twice, and for what nothing has. */
async function judgeAlone(t: TestContext, world: ListWorld, filter: ListFilter): Promise<void> {
  const name = nameAt(t, filter);
  for (const value of valuesToAsk(world, filter)) {
    const what = `${name}=${value}`;
    if (value.endsWith('_UNSPECIFIED') && t.values.unspecified_status_filter === 'reject')
      (await world.api.get(world.list.path, { [name]: value })).blames(name, what);
    else await mustFind(t, world, [[filter, value]], what);
  }
  const found = valuesIn(world, filter);
  const [most = ''] = filter.isInstant ? found.slice(found.length >> 1) : found;
  await mustWalk(t, world, [[filter, most]], name);
  if (filter.isInstant || filter.schema.values) return;
  if (filter.isId && t.values.upper_case_id === 'understood')
    await mustFind(t, world, [[filter, most.toUpperCase()]], `${name} in upper case`);
  for (const value of await strangers(t, world, filter)) {
    if (name === 'department_id' && t.values.unknown_department_filter === 'reject')
      (await world.api.get(world.list.path, { [name]: value })).blames(name, value);
    else await mustFind(t, world, [[filter, value]], `${name}=${JSON.stringify(value)}`);
  }
}

/** Several values are a union, in any order, on every page. */
async function judgeUnion(t: TestContext, world: ListWorld, filter: ListFilter): Promise<void> {
  const name = nameAt(t, filter);
  const found = valuesIn(world, filter);
  const [some = '', other] = [found.at(-1), found.at(-2)];
  if (other === undefined) return;
  await mustFind(t, world, [[filter, [some, other]]], `two values of ${name}`);
  await mustWalk(t, world, [[filter, [other, some]]], `two values of ${name}`);
  if (t.values.duplicate_filter_values === 'collapse')
    await mustFind(t, world, [[filter, [some, other, some]]], `a value of ${name} given twice`);
  else (await world.api.get(world.list.path, { [name]: [some, other, some] })).blames(name, 'a value given twice');
  const isTolerated =
    !filter.schema.values && !(name === 'department_id' && t.values.unknown_department_filter === 'reject');
  if (isTolerated) await mustFind(t, world, [[filter, [some, UNKNOWN_ID]]], `a known and an unknown ${name}`);
}

/** The row at which two filters together find least, and if possible less than either alone. */
function pairAt(t: TestContext, world: ListWorld, one: ListFilter, other: ListFilter) {
  const every = Math.ceil(world.rows.length / 60);
  const sampled = world.rows.filter((_, at) => at % every === every >> 1);
  const tried = sampled.map((row) => {
    const pair = [one, other].map((filter) => [filter, filter.oracle?.valueOf(row) ?? ''] as const);
    const alone = pair.map((single) => new Set(rowsFor(t, world, [single])));
    const both = [...(alone[0] ?? [])].filter((found) => alone[1]?.has(found)).length;
    const isProper = alone.every(({ size }) => size > both);
    return { pair, both, rank: (isProper ? 0 : world.rows.length) + both };
  });
  return tried.filter(({ pair }) => pair.every(([, value]) => value !== '')).sort((a, b) => a.rank - b.rank)[0]?.pair;
}

/** Two filters are an intersection, on every page; so are all of them. */
async function judgeBesideOthers(t: TestContext, world: ListWorld, filter: ListFilter): Promise<void> {
  const others = world.list.filters.filter(({ name, oracle }) => name !== filter.name && oracle !== undefined);
  for (const other of others) {
    const pair = pairAt(t, world, filter, other);
    if (pair === undefined) continue;
    const what = `${nameAt(t, filter)} and ${nameAt(t, other)}`;
    await mustFind(t, world, pair, what);
    await mustWalk(t, world, pair, what);
  }
  const [row] = world.rows.slice(world.rows.length >> 1);
  const all = [filter, ...others].map((one) => [one, (row && one.oracle?.valueOf(row)) || ''] as const);
  if (others.length > 1 && all.every(([, value]) => value !== ''))
    await mustFind(t, world, all, 'all filters together');
}

const judge = (list: PagedList, filter: ListFilter) => async (t: TestContext) => {
  let judged = 0;
  for (const key of OWNERS) {
    if (key !== 'full' && !t.has(key)) continue;
    const world = await worldOf(t, list, key);
    if (valuesIn(world, filter).length === 0) continue;
    judged++;
    await judgeAlone(t, world, filter);
    if (filter.repeated) await judgeUnion(t, world, filter);
    await judgeBesideOthers(t, world, filter);
  }
  if (judged === 0) t.untested('no_such_data', `no row of ${list.operationId} has a value of ${filter.name}`);
};

for (const list of pagedLists) {
  for (const filter of list.filters) {
    rule({
      id: `${list.section}-${list.operationId}.${filter.name}`,
      text: `${filter.name} of ${list.operationId} finds exactly the rows that it describes, on every page: alone, with several values, for rows of each status, and beside each other filter.`,
      place: `${list.operationId}: ${filter.name}`,
      decisions: ['D-12'],
      family: 'each filter of each list',
      ...quietUnlessMade(list),
      check: filter.oracle ? judge(list, filter) : unable(`no field of a row shows what ${filter.name} must find`),
    });
  }
}
