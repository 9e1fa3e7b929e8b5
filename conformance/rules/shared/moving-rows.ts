/**
 * Employees that keep moving while lists are walked, between two statuses and two departments. All of these are in the
 * filter, so each employee matches throughout. If a target reads a list value by value and allows writes in between, it
 * finds a row under neither value or under both.
 */

import type { TestContext } from '../../engine/test-context.ts';
import type { EmployeeRow, Query } from '../../http/api.ts';
import type { KeyName } from '../../profile/schema.ts';
import { applyChanges, deleteEmployees, idsOf, unique } from './calls.ts';

/** The prefix of the personnel numbers of this rule's employees. */
export const marked = (t: TestContext) => `W-${t.run_id}-${t.rule.id}`;

/** New employees, recognisable by their number. */
export const creations = (t: TestContext, count: number, batch: string, employee: object): object[] =>
  Array.from({ length: count }, (_, n) => ({
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

export class MovingRows {
  readonly #t: TestContext;
  readonly departments: readonly [string, string];
  #ids: string[] = [];
  #since = '';
  readonly restrictedSees: boolean;

  private constructor(t: TestContext, departments: [string, string], restrictedSees: boolean) {
    this.#t = t;
    this.departments = departments;
    this.restrictedSees = restrictedSees;
  }

  /** Creates the rows, runs `work`, and deletes the rows. */
  static async during(t: TestContext, work: (rows: MovingRows) => Promise<void>): Promise<void> {
    const { departments, restrictedSees } = await departmentsOf(t);
    const rows = new MovingRows(t, departments, restrictedSees);
    try {
      await rows.#make();
      await work(rows);
    } finally {
      await rows.#remove();
    }
  }

  /** The earliest change time of the rows. */
  get since(): string {
    return this.#since;
  }

  async #made(): Promise<EmployeeRow[]> {
    const query = { department_id: this.departments, limit: LIMIT };
    const rows = await this.#t.as('full').walk('listEmployees', query);
    return rows.filter(({ employee_number }) => employee_number.startsWith(marked(this.#t)));
  }

  async #make(): Promise<void> {
    const t = this.#t;
    await applyChanges(t, 'make', creations(t, MOVING, 'moving', { status: HERE, department_id: this.departments[0] }));
    const made = await this.#made();
    this.#ids = idsOf(made);
    this.#since = made.map(({ update_time }) => update_time).sort()[0] ?? '';
    t.equal(made.length, MOVING, 'employees made for this rule');
  }

  async #remove(): Promise<void> {
    // A failure shows the exchange that was read last, so nothing is read here unless necessary.
    const ids = this.#ids.length > 0 ? this.#ids : idsOf(await this.#made());
    await deleteEmployees(this.#t, ids);
  }

  /** Walks lists while the rows move between their statuses and departments. */
  async walk(lists: readonly MovingList[]): Promise<void> {
    const there = { status: THERE, department_id: this.departments[1] };
    const here = { status: HERE, department_id: this.departments[0] };
    const moves = this.#ids.map((id) => ({ id, there, here }));
    await walkWhile(this.#t, lists, moves);
  }
}

/** A row, and the fields that it gets there and back. */
export interface Move {
  readonly id: string;
  readonly there: object;
  readonly here: object;
}

/**
 * The changes of one sweep. Each row moves there and back before the next one, so that the moves are spread over time.
 */
const sweepOf = (moves: readonly Move[]): object[] =>
  moves.flatMap(({ id, there, here }) => [there, here].map((employee) => ({ op: 'update', id, employee })));

/**
 * Walks lists in turn while rows move in them, until each had enough such walks; no walk may repeat or miss a row. The
 * number of walks is noted: if the keys have no requests left, all moves may happen between two walks.
 */
export async function walkWhile(t: TestContext, lists: readonly MovingList[], moves: readonly Move[]): Promise<void> {
  const walks: Walks[] = [];
  for (const list of lists) walks.push(await Walks.begin(t, list));
  const fewest = () => Math.min(...walks.map(({ moved }) => moved));
  for (let sweep = 1; sweep <= SWEEPS && fewest() < WALKS; sweep++) {
    let isOver = false;
    const moving = applyChanges(t, `move-${sweep}`, sweepOf(moves)).finally(() => {
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
  t.notes.push(`walks while rows moved: ${walks.map(({ summary }) => summary).join(', ')}`);
}

/** The walks of one list. */
class Walks {
  readonly #t: TestContext;
  readonly #list: MovingList;
  readonly #throughout: string[];
  #latest: string;
  /** How many walks found that a row had moved since the previous walk. */
  moved = 0;

  private constructor(t: TestContext, list: MovingList, rows: readonly EmployeeRow[]) {
    this.#t = t;
    this.#list = list;
    this.#throughout = idsOf(rows);
    this.#latest = latest(rows);
  }

  /** Walks the list once while nothing moves. What it shows then matches throughout. */
  static async begin(t: TestContext, list: MovingList): Promise<Walks> {
    return new Walks(t, list, await rowsOf(t, list));
  }

  get summary(): string {
    return `${this.#list.what} ${this.moved}`;
  }

  async walk(): Promise<void> {
    const rows = await rowsOf(this.#t, this.#list);
    judgeWalk(this.#t, idsOf(rows), this.#throughout, `moving by ${this.#list.what}`);
    if (latest(rows) > this.#latest) this.moved++;
    this.#latest = latest(rows);
  }
}

async function rowsOf(t: TestContext, { key, query, isFirstPage }: MovingList): Promise<EmployeeRow[]> {
  const client = t.asAny(key);
  return isFirstPage ? (await client.list('listEmployees', query)).rows : client.walk('listEmployees', query);
}

const latest = (rows: readonly EmployeeRow[]): string =>
  rows
    .map(({ update_time }) => update_time)
    .sort()
    .at(-1) ?? '';
