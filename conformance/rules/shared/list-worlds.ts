/** What the owner of a key sees of a list, and the pages of it that a query must give. */
import { oncePerRun } from '../../engine/per-run.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Api, Page, Query } from '../../http/api.ts';
import { additionOf } from '../../http/capability.ts';
import type { KeyName } from '../../profile/schema.ts';
import { idsOf } from './calls.ts';
import { draft, titleOf } from './document-calls.ts';
import { LARGEST, type ListFilter, type PagedList, type Row } from './paged-lists.ts';
import { valuesFor } from './template-values.ts';
import { usableTemplates } from './usable-templates.ts';

/** The rows that a rule compares with, newest first. */
export interface ListWorld {
  readonly list: PagedList;
  readonly api: Api;
  /** What every request has: it keeps away rows that other rules make meanwhile. */
  readonly base: Query;
  readonly rows: readonly Row[];
}

/** Makes documents that differ in their type and in their title but for its last word; each pair shares one of both. */
async function makeDocuments(t: TestContext, api: Api): Promise<Query> {
  const usable = await usableTemplates(t, api);
  const [first, second = first] = usable.filter(
    ({ type_id }, at) => usable.findIndex((other) => other.type_id === type_id) === at,
  );
  if (first === undefined) t.untested('no_such_data', 'no template makes documents for this interface');
  const mark = `${titleOf(t)};`;
  for (const [template, half] of [
    [first, 'a'],
    [second, 'b'],
    [second, 'a'],
    [first, 'b'],
  ] as const) {
    const { id, type_id, schema } = template ?? first;
    const title = `${mark} ${half} ${type_id}`;
    await draft(t, api, { title, type_id, template_id: id, template_values: valuesFor(schema) });
  }
  return { search: mark };
}

/** Whether a rule can make the rows of a list. */
export const isMade = ({ operationId }: PagedList): boolean => operationId === 'listDocuments';
/** Other rules may change a list while a rule reads it, unless the rule reads only what it has made. */
export const quietUnlessMade = (list: PagedList): { runs?: 'quiet' } => (isMade(list) ? {} : { runs: 'quiet' });

/** What finds the documents that were made for a key, once in a run. */
const madeFor = oncePerRun((t, _key: KeyName, api: Api) => makeDocuments(t, api));

/** Everything that the owner of a key sees of a list; of a list whose rows can be made, only these. */
export async function worldOf(t: TestContext, list: PagedList, key: KeyName = 'full'): Promise<ListWorld> {
  if (additionOf(list.operationId)) await t.probe(list.operationId);
  const api = t.asAny(key);
  const mayMake = isMade(list) && t.profile.tenant.consent_to_writes;
  const base = mayMake ? await madeFor(t, key, api) : {};
  const rows = (await api.walk(list.operationId, { ...base, limit: LARGEST })) as readonly unknown[] as Row[];
  return { list, api, base, rows };
}

/** The name of a filter at the target, which one filter of the source leaves open. */
export const nameAt = (t: TestContext, { name }: { name: string }): string =>
  name === 'category_id' ? t.values.category_filter : name;

export const pageOf = async ({ list, api, base }: ListWorld, query: Query): Promise<Page<Row>> =>
  (await api.list(list.operationId, { ...base, ...query })) as unknown as Page<Row>;

/** The first rows of a walk in pages of this size. @param most how many pages are read */
export async function walkedIds(world: ListWorld, query: Query, limit: number, most = Number.MAX_SAFE_INTEGER) {
  const ids: string[] = [];
  let page_token: string | undefined;
  for (let page = 1; page <= most; page++) {
    const { rows, token } = await pageOf(world, { ...query, limit, page_token });
    ids.push(...idsOf(rows));
    if (token === '') break;
    page_token = token;
  }
  return ids;
}

/**
 * A `total_count` must be exact up to the declared number, and above it an estimate.
 * @param isClose whether the estimate must be within the declared tolerance (D-13)
 */
export function judgeTotal(
  t: TestContext,
  { total, answer }: Page<Row>,
  count: number,
  what: string,
  isClose = true,
): void {
  const { total_count_exact_up_to: exactUpTo, total_count_tolerance: tolerance } = t.values;
  t.check(/^(0|[1-9]\d*)$/.test(total ?? ''), `${what}: total_count is ${String(total)}`, answer);
  if (count <= exactUpTo) t.equal(total, String(count), `total_count of ${what}`, answer);
  if (count <= exactUpTo) return;
  const off = Math.abs(Number(total) - count) / count;
  t.check(Number(total) >= exactUpTo, `${what}: the estimate ${total} is below ${exactUpTo}`, answer);
  if (!isClose) return;
  t.check(off <= tolerance, `${what}: the estimate ${total} is ${(100 * off).toFixed(1)} % off ${count}`, answer);
}

/** A value, or several, of each filter of a query. */
export type FilterValues = readonly (readonly [filter: ListFilter, value: string | readonly string[]])[];

/** The rows that filters must find. */
export function rowsFor(t: TestContext, { rows }: ListWorld, chosen: FilterValues): Row[] {
  const found = chosen.map(([{ oracle }, value]) => [value].flat().map((one) => oracle?.matcher(one, t.values)));
  return rows.filter((row) => found.every((values) => values.some((isFound) => isFound?.(row))));
}

export const queryFor = (t: TestContext, chosen: FilterValues): Query =>
  Object.fromEntries(chosen.map(([filter, value]) => [nameAt(t, filter), value]));

/** The first page, as large as it may be, must have exactly the rows that filters must find, and the total all of them. */
export async function mustFind(t: TestContext, world: ListWorld, chosen: FilterValues, what: string): Promise<void> {
  const { list } = world;
  const expected = idsOf(rowsFor(t, world, chosen));
  const more = list.hasTotal ? { include_total: true } : {};
  const page = await pageOf(world, { ...queryFor(t, chosen), ...more, limit: LARGEST });
  t.equal(idsOf(page.rows), expected.slice(0, LARGEST), `the rows under ${what}`, page.answer);
  t.equal(page.token !== '', expected.length > LARGEST, `whether there are more under ${what}`, page.answer);
  const isClose = chosen.every(
    ([{ name }, value]) => /^(status|department_id)$/.test(name) && [value].flat().length === 1,
  );
  if (list.hasTotal) judgeTotal(t, page, expected.length, what, isClose && chosen.length <= 1);
}

/** Values of a filter that find a row, those that find most rows first. Of a filter without a row there is none. */
export function valuesIn(world: ListWorld, { oracle }: ListFilter): string[] {
  if (oracle === undefined) return [];
  const found = Map.groupBy(world.rows, (row) => oracle.valueOf(row));
  found.delete('');
  return [...found].toSorted(([, a], [, b]) => b.length - a.length).map(([value]) => value);
}
