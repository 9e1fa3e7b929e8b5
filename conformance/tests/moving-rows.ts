/**
 * Employees of our own that keep moving while lists are walked: between two statuses and two departments that are all in
 * the filter, so that each of them matches throughout. A target that reads a list value by value, and lets writes in
 * between, finds a row under neither value or under both.
 */
import { writeFileSync } from 'node:fs';
import type { EmployeeRow, Query } from '../api.ts';
import type { KeyName } from '../profile.ts';
import type { Trial } from '../trial.ts';
import { idsOf, jsonLines, unique } from './calls.ts';

/** Applies changes of employees by the admin command. @param name of the file of this call */
export async function apply(t: Trial, name: string, changes: readonly object[]): Promise<void> {
  if (changes.length === 0) return;
  const file = t.path(`changes-${t.rule.id}-${name}.jsonl`);
  writeFileSync(file, jsonLines(changes));
  await t.admin('apply_employee_changes', { file });
}

/** What the personnel numbers of this rule's employees begin with. */
export const marked = (t: Trial) => `W-${t.run.run_id}-${t.rule.id}`;

/** New employees, recognisable by their number. */
export const creations = (t: Trial, count: number, batch: string, employee: object): object[] =>
  Array.from({ length: count }, (_, n) => ({
    op: 'create',
    employee: { ...employee, employee_number: `${marked(t)}-${batch}-${n}` },
    person: { first_name: 'Проверка', last_name: 'Обхода' },
  }));

/** Complains of rows that a walk repeats, and of those that were there throughout and that it misses. */
export function judgeWalk(t: Trial, walked: readonly string[], throughout: readonly string[], list = 'the walk'): void {
  const seen = new Set(walked);
  t.equal(walked.length - seen.size, 0, `${list}: rows that it repeats`);
  const missed = throughout.filter((id) => !seen.has(id));
  const such = missed.slice(0, 3).join();
  t.equal(missed.length, 0, `${list}: rows that were there throughout and are missed (such as ${such})`);
}

/** A list, and what of each moving row changes in it. */
export interface MovingList {
  readonly what: string;
  readonly key: KeyName;
  readonly query: Query;
}

const LIMIT = 1000;
/** Few, so that all of them move often; and since each move is an event, which goes to every endpoint of the tenant. */
const MOVING = 100;
/** Newer than those that move, so that whoever reads the newest first is long under way when he comes to them. */
const STANDING = 520;
/** Each turn moves everybody there and back so many times. */
const SWEEPS = 6;
const MOST_TURNS = 2;
/** In so many walks of each list somebody must have moved. */
const WALKS = 3;

/** In any order of statuses, or of departments, those who move pass the ones that stand. */
const HERE = 'EMPLOYEE_STATUS_HIRED';
const BETWEEN = 'EMPLOYEE_STATUS_ONBOARDING';
const THERE = 'EMPLOYEE_STATUS_ON_HOLD';

export const someStatuses = [HERE, BETWEEN, THERE];

/** Departments that the restricted owner sees, the profile's first; where he sees one only, another one comes second. */
async function departmentsOf(t: Trial): Promise<{ departments: string[]; restrictedSees: boolean }> {
  const own = t.fixture('department_id');
  const seen =
    t.profile.keys.restricted_owner === undefined
      ? []
      : (await t.as('restricted_owner').walk('listEmployees', { limit: LIMIT })).map((row) => row.department_id ?? '');
  const departments = unique([own, ...seen]).filter((id) => id !== '');
  const restrictedSees = seen.includes(own) && departments.length > 1;
  return { departments: restrictedSees ? departments : [own, t.fixture('department_other_id')], restrictedSees };
}

export class MovingRows {
  readonly #t: Trial;
  readonly #departments: readonly string[];
  readonly #ids: string[] = [];
  #moving: string[] = [];
  #since = '';
  readonly restrictedSees: boolean;

  private constructor(t: Trial, departments: readonly string[], restrictedSees: boolean) {
    this.#t = t;
    this.#departments = departments;
    this.restrictedSees = restrictedSees;
  }

  /**
   * Makes the rows for the time of `work`, and deletes them.
   * @param asked lists that are asked before, while few match: a target that plans by what it has met goes on as then
   */
  static async during(t: Trial, asked: (rows: MovingRows) => MovingList[], work: (rows: MovingRows) => Promise<void>) {
    const { departments, restrictedSees } = await departmentsOf(t);
    const rows = new MovingRows(t, departments, restrictedSees);
    for (let time = 0; time < 3; time++) {
      for (const list of asked(rows)) await t.as(list.key).list('listEmployees', list.query);
    }
    try {
      await rows.#make();
      await work(rows);
    } finally {
      await rows.#remove();
    }
  }

  get departments(): readonly string[] {
    return unique([this.#department(0), this.#department(1), this.#department(2)]);
  }

  /** The earliest change of any of the rows. */
  get since(): string {
    return this.#since;
  }

  #department(nth: number): string {
    return this.#departments[nth] ?? this.#departments[0] ?? '';
  }

  async #made(): Promise<EmployeeRow[]> {
    const query = { department_id: this.departments, limit: LIMIT };
    const rows = await this.#t.as('full').walk('listEmployees', query);
    return rows.filter(({ employee_number }) => employee_number.startsWith(marked(this.#t)));
  }

  async #make(): Promise<void> {
    const t = this.#t;
    await apply(t, 'make', [
      ...creations(t, MOVING, 'moving', { status: HERE, department_id: this.#department(0) }),
      ...creations(t, STANDING, 'standing', { status: BETWEEN, department_id: this.#department(2) }),
    ]);
    const made = await this.#made();
    this.#ids.push(...idsOf(made));
    // Those at the end of the list move first: whoever has begun with the newest has them still before him.
    this.#moving = idsOf(made.filter(({ status }) => status === HERE)).reverse();
    this.#since = made.map(({ update_time }) => update_time).sort()[0] ?? '';
    t.equal([made.length, this.#moving.length], [MOVING + STANDING, MOVING], 'employees made for this rule');
  }

  async #remove(): Promise<void> {
    // What was read last is shown with a failure, so nothing is read here unless it must be.
    const ids = this.#ids.length > 0 ? this.#ids : idsOf(await this.#made());
    await apply(
      this.#t,
      'remove',
      ids.map((id) => ({ op: 'delete', id })),
    );
  }

  /** Everybody there and back, again and again. */
  #moves(): object[] {
    const there = { status: THERE, department_id: this.#department(1) };
    const here = { status: HERE, department_id: this.#department(0) };
    const all = (employee: object) => this.#moving.map((id) => ({ op: 'update', id, employee }));
    return Array.from({ length: SWEEPS }, () => [...all(there), ...all(here)]).flat();
  }

  /** Walks the lists by turns while the rows move, until each was walked often enough; every walk must be whole. */
  async walk(lists: readonly MovingList[]): Promise<void> {
    const t = this.#t;
    const walks: Walks[] = [];
    for (const list of lists) walks.push(await Walks.begin(t, list));
    const fewest = () => Math.min(...walks.map(({ moved }) => moved));
    for (let turn = 1; turn <= MOST_TURNS && fewest() < WALKS; turn++) {
      let isOver = false;
      const moving = apply(t, `move-${turn}`, this.#moves()).finally(() => {
        isOver = true;
      });
      const walking = async () => {
        while (!isOver) for (const one of walks) if (!isOver) await one.walk();
      };
      // What a walk complains of comes first, but nothing may be removed while rows still move.
      for (const ended of await Promise.allSettled([walking(), moving])) {
        if (ended.status === 'rejected') throw ended.reason;
      }
    }
    t.notes.push(`walks while rows moved: ${walks.map(({ told }) => told).join(', ')}`);
    if (fewest() === 0)
      t.untested('not_exercised', 'nothing moved during a walk: the admin command is too slow or too fast');
  }
}

/** The walks of one list. */
class Walks {
  readonly #t: Trial;
  readonly #list: MovingList;
  readonly #throughout: string[];
  #latest: string;
  /** In how many of the walks somebody had moved since the one before. */
  moved = 0;

  private constructor(t: Trial, list: MovingList, rows: readonly EmployeeRow[]) {
    this.#t = t;
    this.#list = list;
    this.#throughout = idsOf(rows);
    this.#latest = latest(rows);
  }

  /** Walks the list once while nothing moves: what it shows then matches throughout. */
  static async begin(t: Trial, list: MovingList): Promise<Walks> {
    return new Walks(t, list, await rowsOf(t, list));
  }

  get told(): string {
    return `${this.#list.what} ${this.moved}`;
  }

  async walk(): Promise<void> {
    const rows = await rowsOf(this.#t, this.#list);
    judgeWalk(this.#t, idsOf(rows), this.#throughout, `moving by ${this.#list.what}`);
    if (latest(rows) > this.#latest) this.moved++;
    this.#latest = latest(rows);
  }
}

const rowsOf = (t: Trial, { key, query }: MovingList) => t.as(key, { spread: true }).walk('listEmployees', query);

const latest = (rows: readonly EmployeeRow[]): string =>
  rows
    .map(({ update_time }) => update_time)
    .sort()
    .at(-1) ?? '';
