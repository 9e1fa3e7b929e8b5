import type { TestContext } from '../engine/test-context.ts';
import type { EmployeeRow } from '../http/api.ts';
import type { KeyName } from '../profile/schema.ts';
import { rulesWith } from './rule.ts';
import { applyChanges, deleteEmployees, idsOf, statuses, unique, updateEmployees } from './shared/calls.ts';
import { act, cast, draft, signing } from './shared/document-calls.ts';
import { employee, ext, Load, mark } from './shared/ingest-calls.ts';
import { isOfTheFuture } from './shared/movable-clock.ts';
import {
  creations,
  judgeWalk,
  type MovingList,
  type MovingRows,
  marked,
  ours,
  someStatuses,
  walkWhile,
  withMovingRows,
} from './shared/moving-rows.ts';

const rule = rulesWith({ place: 'listEmployees: page_token', decisions: ['D-11'] });

/** New employees of the fixture department. */
const newcomers = (t: TestContext, count: number, batch: string): object[] =>
  creations(t, count, batch, { department_id: t.fixture('department_id') });

/** Compares a walk with the rows before it and those deleted during it. */
function judge(
  t: TestContext,
  walked: string[],
  before: readonly string[],
  gone: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
): void {
  judgeWalk(
    t,
    walked,
    before.filter((id) => !gone.has(id)),
  );
  const known = new Set(before);
  const foreign = walked.filter((id) => !known.has(id) && !fresh.has(id));
  t.equal(foreign.length, 0, `rows that were neither there nor created (such as ${foreign.slice(0, 3).join()})`);
}

rule({
  id: 'PAGE-19',
  text: 'Rows created and deleted during a walk neither repeat nor hide any row that was there throughout, not even one that moves from status to status while the pages are read.',
  runs: 'changing',
  check: async (t) => {
    if (t.big().key !== 'full')
      t.untested('missing_fixture', 'the large tenant is not that of full, whose employees can be changed');
    await changedBetweenPages(t);
    await movedInLargeTenant(t);
  },
});

/** How many rows of the large tenant move. */
const MOVING_IN_LARGE = 12;

/** Rows of the large tenant, at the end of a large page, move to a rare status and back. */
async function movedInLargeTenant(t: TestContext): Promise<void> {
  const list: MovingList = {
    what: 'status in a large tenant',
    key: 'full',
    query: { status: statuses, limit: 1000 },
    isFirstPage: true,
  };
  const listed = await t.as('full').list('listEmployees', list.query);
  const rows = listed.rows.filter((row) => !isOfTheFuture(row));
  const counted = statuses.map((status) => ({ status, rows: rows.filter((row) => row.status === status) }));
  counted.sort((a, b) => b.rows.length - a.rows.length);
  // No employee is terminated for a test.
  const rare = counted.findLast(({ status }) => status !== 'EMPLOYEE_STATUS_TERMINATED')?.status;
  const moves = (counted[0]?.rows ?? [])
    .slice(-MOVING_IN_LARGE)
    .map(({ id, status }) => ({ id, there: { status: rare }, here: { status } }));
  try {
    await walkWhile(t, [list], moves);
  } finally {
    await updateEmployees(
      t,
      'moved-back',
      moves.map(({ id, here }) => [id, here]),
    );
  }
}

/** Rows are created and deleted between the pages of a walk over the large tenant. */
async function changedBetweenPages(t: TestContext): Promise<void> {
  const full = t.as('full');
  /** Changed employees that this rule did not create, with their original numbers. */
  const touched = new Map<string, string>();
  try {
    // The newest employees are our own, so that the deleted ones lie both before and behind the position of the walk.
    await applyChanges(t, 'prepare', newcomers(t, 60, 'old'));
    const mine = idsOf(await ours(t));
    t.equal(mine.length, 60, 'employees made for this rule');
    const before = await full.walk('listEmployees');
    const gone = new Set<string>();
    let pages = 0;
    const walked = await full.walk('listEmployees', { limit: 1000 }, async (page, number) => {
      pages++;
      if (page.token === '') return;
      const deleted = number % 2 === 0 ? mine.splice(0, 4) : mine.splice(-4);
      for (const id of deleted) gone.add(id);
      // A cursor would depend on the last row read. Other rows lie behind it, just ahead, and far ahead.
      const near = [before[3], page.rows.at(-1), before[number * 1000 + 1], before[number * 1000 + 400], before.at(-1)];
      const changed = near.filter(
        (row) => row !== undefined && !mine.includes(row.id) && !gone.has(row.id) && !isOfTheFuture(row),
      ) as EmployeeRow[];
      for (const row of changed) if (!touched.has(row.id)) touched.set(row.id, row.employee_number);
      await applyChanges(t, `page-${number}`, [
        ...newcomers(t, 5, `new-${number}`),
        ...deleted.map((id) => ({ op: 'delete', id })),
        ...unique(idsOf(changed)).map((id) => ({
          op: 'update',
          id,
          employee: { employee_number: `${number}-${t.run_id}` },
        })),
      ]);
    });
    t.check(pages > 10, `the walk has ${pages} pages only`);
    judge(t, idsOf(walked), idsOf(before), gone, new Set(idsOf(await ours(t))));
  } finally {
    await deleteEmployees(t, idsOf(await ours(t)));
    await updateEmployees(
      t,
      'restore',
      [...touched].map(([id, employee_number]) => [id, { employee_number }]),
    );
  }
}

rule({
  id: 'PAGE-20',
  text: 'Rows changed during a walk are neither missed nor repeated, not even while the pages are read: between two statuses or departments of the filter, between departments that a restricted owner sees, or by updated_since.',
  runs: 'changing',
  check: async (t) => {
    await changedBetweenFilteredPages(t);
    await withMovingRows(t, (rows) => walkWhile(t, listsOf(rows), rows.moves));
  },
});

/** Lists that contain every moving row at all times. */
const listsOf = ({ departments, restrictedSees, since }: MovingRows): MovingList[] => [
  { what: 'status', key: 'full', query: { status: someStatuses, limit: 1000 } },
  { what: 'department_id', key: 'full', query: { department_id: departments, limit: 1000 } },
  ...(restrictedSees
    ? [{ what: 'what the owner sees', key: 'restricted_owner', query: { limit: 1000 } } as const]
    : []),
  // An employee who has changed since this time stays in the list, however often he changes.
  { what: 'updated_since', key: 'full', query: { updated_since: since, limit: 1000 } },
];

/** Rows change between the pages of the list of one department. */
async function changedBetweenFilteredPages(t: TestContext): Promise<void> {
  const full = t.as('full');
  const department_id = t.fixture('department_id');
  try {
    await applyChanges(t, 'prepare', newcomers(t, 24, 'own'));
    const query = { department_id, limit: 5 };
    const before = idsOf(await full.walk('listEmployees', query));
    const mine = (await ours(t)).map(({ id }) => id);
    const gone = new Set<string>();
    const walked: string[] = [];
    await full.walk('listEmployees', query, async (page, number) => {
      walked.push(...idsOf(page.rows));
      if (page.token === '' || number > 4) return;
      const read = new Set(walked);
      const [behind] = mine.filter((id) => read.has(id) && !gone.has(id));
      const cursor = page.rows.at(-1)?.id ?? '';
      const changes = mine
        .filter((id) => !gone.has(id))
        .map((id) => ({ op: 'update', id, employee: { employee_number: `${marked(t)}-${number}-${id}` } }));
      const removed = mine.includes(cursor) ? cursor : behind;
      if (removed !== undefined) gone.add(removed);
      await applyChanges(t, `page-${number}`, [
        ...changes,
        ...(removed === undefined ? [] : [{ op: 'delete', id: removed }]),
      ]);
    });
    judge(t, walked, before, gone, new Set());
    t.check(gone.size > 0 && unique(walked).length === walked.length, 'nothing was deleted during the walk');
    const since = await full.employees({ department_id, limit: 1000 });
    t.check(
      since.rows.every(({ id }) => !gone.has(id)),
      'a deleted employee is in the list',
      since.answer,
    );
  } finally {
    await deleteEmployees(t, idsOf(await ours(t)));
  }
}

rule({
  id: 'PAGE-22',
  text: 'A page token survives a restart of the service.',
  decisions: ['D-10'],
  runs: 'moving',
  check: async (t, full) => {
    const page = await full.employees({ limit: 3 });
    const wanted = idsOf((await full.employees({ limit: 3, page_token: page.token })).rows);
    await t.admin('restart');
    const again = await full.employees({ limit: 3, page_token: page.token });
    t.equal(idsOf(again.rows), wanted, 'the second page after the restart', again.answer);
  },
});

rule({
  id: 'PAGE-24',
  text: 'A page token is good for its declared lifetime and not a second longer.',
  decisions: ['D-10'],
  runs: 'moving',
  check: async (t, full) => {
    const lifetimeMs = t.values.page_token_lifetime_s * 1000;
    const page = await full.employees({ limit: 3 });
    const next = () => full.get('/employees', { limit: 3, page_token: page.token });
    await t.withClock(async (advance) => {
      if (lifetimeMs === 0) {
        await advance(400 * 86_400_000);
        (await next()).ok('listEmployees', 'a token that never expires, after 400 days');
        return;
      }
      await advance(lifetimeMs - 60_000);
      (await next()).ok('listEmployees', 'a minute before the end');
      await advance(61_000);
      (await next()).blames('page_token', 'a second after the end');
      const fresh = await full.employees({ limit: 3 });
      (await full.get('/employees', { limit: 3, page_token: fresh.token })).ok('listEmployees', 'a new token then');
    });
    (await next()).ok('listEmployees', 'the token after the clock was put back');
  },
});

rule({
  id: 'PAGE-29',
  text: 'Documents that are made and moved during a walk neither repeat nor hide any that was there throughout.',
  place: 'listDocuments: page_token',
  check: async (t) => {
    const { full } = cast(t);
    const number = `стр-29-${t.run_id}`;
    const more = () => draft(t, full.api, { number });
    const before: string[] = [];
    for (let n = 0; n < 5; n++) before.unshift((await more()).id);
    const seen = await full.api.walk('listDocuments', { search: number, limit: 1 }, async (page, turn) => {
      t.check(page.rows.length === 1, `a page of limit=1 has ${page.rows.length} rows`, page.answer);
      // Newer documents come before the rest of the walk, and a change moves no document.
      if (turn === 2) await more();
      const last = before[before.length - 1] ?? '';
      if (turn === 1) await act(full.api, last, '_set_route', { steps: [signing(full)] });
      if (turn === 3) await act(full.api, last, '_send');
    });
    t.equal(idsOf(seen), before, 'documents along a walk during which others were made and changed');
    t.equal(
      seen[seen.length - 1]?.status,
      t.spelling.document_status.ON_SIGN,
      'the status of the one that was sent meanwhile',
    );
  },
});

rule({
  id: 'PAGE-32',
  text: 'Employees who were created at the same instant have one order: for an owner who sees departments and himself as for one who sees everybody, and on pages of one.',
  place: 'listEmployees, ingestRecords',
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const [below, names] = [ext(t, 'at-once'), ['one', 'two', 'three', 'four']];
    const external_parent_id = t.fixture('department_top_external_id');
    await load.make('DEPARTMENTS', [{ external_id: below, title: 'Проба порядка', external_parent_id }]);
    await load.people(...names);
    const numbers = names.map((name) => mark(t, name));
    const place = { external_department_id: below };
    await load.make(
      'EMPLOYEES',
      names.map((name, n) => employee(t, name, name, numbers[n] ?? '', place)),
    );
    await load.settled();
    const { department_id } = await load.card(numbers[0] ?? '');
    const listed = (key: KeyName, limit: number) => t.asAny(key).walk('listEmployees', { department_id, limit });
    const all = await listed('full', 1000);
    const [ids, times] = [idsOf(all), unique(all.map(({ create_time }) => create_time))];
    if (times.length === all.length) t.untested('not_exercised', 'no two of them were created at the same instant');
    t.equal(idsOf(await listed('full', 1)), ids, 'those whom full sees, on pages of one');
    for (const limit of [1000, 1])
      t.equal(idsOf(await listed('department_and_self_owner', limit)), ids, `those whom the owner sees, by ${limit}`);
  },
});
