/** The rows of each list: their expansions, and that each equals the same object read alone. */

import { type OperationId, operations } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api, Query } from '../http/api.ts';
import type { KeyName } from '../profile/schema.ts';
import { rule } from './rule.ts';
import { isMade, type ListWorld, pageOf, worldOf } from './shared/list-worlds.ts';
import { type PagedList, type Row, readableLists } from './shared/paged-lists.ts';

type ReadableList = (typeof readableLists)[number];

/** The parameter that asks for objects beside those of a row, and its values. */
function expansionsOf({ changeable }: PagedList): { name: string; values: readonly string[] } {
  const found = changeable.find(({ schema }) => schema.values !== undefined);
  return { name: found?.name ?? '', values: found?.schema.values ?? [] };
}

const asRow = ({ singleRow, single }: ReadableList, answer: Answer, because = ''): Row =>
  (answer.ok(single as OperationId, because) as unknown as Record<string, Row>)[singleRow] as Row;

const ask = (list: ReadableList, api: Api, id: string, query: Query): Promise<Answer> =>
  api.send({ path: operations[list.single].path.replace(/\{[^}]+\}$/, id), absolute: true, query });

const read = async (list: ReadableList, api: Api, id: string, query: Query): Promise<Row> =>
  asRow(list, await ask(list, api, id, query));

/** Owners who see different fields of what they see. */
const OWNERS: readonly KeyName[] = ['full', 'restricted_owner', 'second_owner'];

/** A list of few rows of an owner, and not the whole list, which may be long. */
async function someRows(t: TestContext, list: PagedList, key: KeyName): Promise<ListWorld> {
  return isMade(list) ? worldOf(t, list, key) : { list, api: t.asAny(key), base: {}, rows: [] };
}

const equalsSingle = (list: ReadableList) => async (t: TestContext) => {
  const { name, values } = expansionsOf(list);
  let compared = 0;
  for (const key of OWNERS) {
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
    const page = async (expand: readonly string[]) =>
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
    ...(isMade(list) ? {} : { runs: 'quiet' as const }),
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
