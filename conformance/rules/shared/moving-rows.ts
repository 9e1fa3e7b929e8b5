/**
 * Employees that keep moving while lists are walked, between two statuses and two departments. All of these are in the
 * filter, so each employee matches throughout. If a target reads a list value by value and allows writes in between, it
 * finds a row under neither value or under both.
 */

import type { TestContext } from '../../engine/test-context.ts';
import type { EmployeeRow, Query } from '../../http/api.ts';
import type { KeyName } from '../../profile/schema.ts';
import { applyChanges, deleteEmployees, idsOf, series, unique } from './calls.ts';

/** The prefix of the personnel numbers of this rule's employees. */
export const marked = (t: TestContext) => `W-${t.run_id}-${t.rule.id}`;

/** New employees, recognisable by their number. */
export const creations = (t: TestContext, count: number, batch: string, employee: object): object[] =>
  series(count, (n) => ({
    op: 'create',
    employee: { ...employee, employee_number: `${marked(t)}-${batch}-${n}` },
    person: { first_name: 'Проверка', last_name: 'Обхода' },
  }));

/** Fails if a walk repeats rows, or misses rows that were there throughout. */
export function judgeWalk(
  t: TestContext,
  walked: readonly string[],
  throughout: readonly string[],
  list = 'the walk',
): void {
  const seen = new Set(walked);
  t.equal(walked.length - seen.size, 0, `${list}: rows that it repeats`);
  const missed = throughout.filter((id) => !seen.has(id));
  const such = missed.slice(0, 3).join();
  t.equal(missed.length, 0, `${list}: rows that were there throughout and are missed (such as ${such})`);
}

/** A list that is walked while rows move. */
export interface MovingList {
  readonly what: string;
  readonly key: KeyName;
  readonly query: Query;
  /** Set if the first page is enough, because all moving rows are on it. */
  readonly isFirstPage?: true;
}

const LIMIT = 1000;
/** Only few, since each move is an event, which is delivered to every endpoint of the tenant. */
const MOVING = 24;
/** How often each row moves there and back at most. */
const SWEEPS = 3;
/** The moves end once each list had this many walks that found a move. */
const WALKS = 2;

/** The statuses between which the rows move. */
const HERE = 'EMPLOYEE_STATUS_HIRED';
const THERE = 'EMPLOYEE_STATUS_ON_HOLD';

export const someStatuses = [HERE, THERE];

/**
 * Two departments that the restricted owner sees, the profile's first. If he does not see two, the profile's other
 * department is the second.
 */
async function departmentsOf(t: TestContext): Promise<{ departments: [string, string]; restrictedSees: boolean }> {
  const own = t.fixture('department_id');
  const rows = t.has('restricted_owner') ? await t.as('restricted_owner').walk('listEmployees') : [];
  const seen = unique(rows.map((row) => row.department_id ?? ''));
  const second = seen.find((id) => id !== '' && id !== own);
  const restrictedSees = seen.includes(own) && second !== undefined;
  return { departments: [own, restrictedSees ? second : t.fixture('department_other_id')], restrictedSees };
}

/** Rows that move, and what lists can ask for so that each of them matches throughout. */
export interface MovingRows {
  readonly departments: readonly [string, string];
  readonly restrictedSees: boolean;
  /** The earliest change time of the rows. */
  readonly since: string;
  readonly moves: readonly Move[];
}

/** This rule's employees in some departments; by default in the profile's first. */
export async function ours(
  t: TestContext,
  department_id: string | readonly string[] = t.fixture('department_id'),
): Promise<EmployeeRow[]> {
  const rows = await t.as('full').walk('listEmployees', { department_id, limit: LIMIT });
  return rows.filter(({ employee_number }) => employee_number.startsWith(marked(t)));
}

/** Creates rows, runs `work`, and deletes the rows. */
export async function withMovingRows(t: TestContext, work: (rows: MovingRows) => Promise<void>): Promise<void> {
  const { departments, restrictedSees } = await departmentsOf(t);
  const here = { status: HERE, department_id: departments[0] };
  const there = { status: THERE, department_id: departments[1] };
  let rows: EmployeeRow[] = [];
  try {
    await applyChanges(t, 'make', creations(t, MOVING, 'moving', here));
    rows = await ours(t, departments);
    t.equal(rows.length, MOVING, 'employees made for this rule');
    const [since = ''] = rows.map(({ update_time }) => update_time).sort();
    await work({ departments, restrictedSees, since, moves: rows.map(({ id }) => ({ id, there, here })) });
  } finally {
    // A failure shows the exchange that was read last, so nothing is read here unless necessary.
    await deleteEmployees(t, idsOf(rows.length > 0 ? rows : await ours(t, departments)));
  }
}

/** A row, and the fields that it gets there and back. */
export interface Move {
  readonly id: string;
  readonly there: object;
  readonly here: object;
}

/**
 * Walks lists in turn while rows move in them, until each had enough such walks; no walk may repeat or miss a row. The
 * number of walks is noted: if the keys have no requests left, all moves may happen between two walks.
 */
export async function walkWhile(t: TestContext, lists: readonly MovingList[], moves: readonly Move[]): Promise<void> {
  const walks: WalkedList[] = [];
  for (const list of lists) walks.push(await walkedOnce(t, list));
  const fewest = () => Math.min(...walks.map(({ moved }) => moved));
  // Each row moves there and back before the next one, so that the moves are spread over time.
  const changes = moves.flatMap(({ id, there, here }) =>
    [there, here].map((employee) => ({ op: 'update', id, employee })),
  );
  for (let sweep = 1; sweep <= SWEEPS && fewest() < WALKS; sweep++) {
    let isOver = false;
    const moving = applyChanges(t, `move-${sweep}`, changes).finally(() => {
      isOver = true;
    });
    const walking = async () => {
      while (!isOver) for (const one of walks) if (!isOver) await one.walk();
    };
    // A walk's complaint is reported first. But both must have ended, since no row may be removed while rows still
    // move.
    for (const ended of await Promise.allSettled([walking(), moving])) {
      if (ended.status === 'rejected') throw ended.reason;
    }
  }
  t.notes.push(`walks while rows moved: ${walks.map(({ what, moved }) => `${what} ${moved}`).join(', ')}`);
}

/** The walks of one list. */
interface WalkedList {
  readonly what: string;
  /** How many walks found that a row had moved since the previous walk. */
  moved: number;
  walk(): Promise<void>;
}

/** Walks a list once while nothing moves. What it shows then matches throughout. */
async function walkedOnce(t: TestContext, { what, key, query, isFirstPage }: MovingList): Promise<WalkedList> {
  const api = t.asAny(key);
  const read = async () =>
    isFirstPage ? (await api.list('listEmployees', query)).rows : api.walk('listEmployees', query);
  const first = await read();
  let latest = latestOf(first);
  const walked: WalkedList = {
    what,
    moved: 0,
    async walk() {
      const rows = await read();
      judgeWalk(t, idsOf(rows), idsOf(first), `moving by ${what}`);
      if (latestOf(rows) > latest) walked.moved++;
      latest = latestOf(rows);
    },
  };
  return walked;
}

const latestOf = (rows: readonly EmployeeRow[]) =>
  rows
    .map(({ update_time }) => update_time)
    .sort()
    .at(-1) ?? '';
