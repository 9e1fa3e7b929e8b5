/**
 * Batches for ingest. They use one pool of external ids that every run loads again: the interface cannot delete what a
 * batch has created, so a run creates nothing that the last one did not leave. External ids are never shown, so a run
 * finds its results by marks in other fields. A rule must send every field by which it judges.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Answers } from '../../../generated/contract.ts';
import { perRun } from '../../engine/per-run.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';
import type { Api, EmployeeRow } from '../../http/api.ts';
import type { KeyName } from '../../profile/schema.ts';
import { metadataOf, newKey } from './calls.ts';

type AcceptedBatch = Answers['ingestRecords'];
type Fields = Readonly<Record<string, unknown>>;

/** Sources and payload types of the contract. */
export const KEDO = 'KEDO';
export const LEDGER = 'LEDGER';
export const FULL = 'EMPLOYEES_FULL';

const POLL_MS = 150;
/** How much earlier than the target's own date changes are looked for; an acceptance does not take longer. */
const LOOK_BACK_MS = 60_000;
export const EXPAND = ['person', 'department', 'job_title'];

let counted = 0;
/** Keys with which this run has already created the person of the last record. */
const ended = perRun(() => new Set<KeyName>());

/** The external id of a member of the pool, the same in every run. */
export const ext = (t: TestContext, name: string): string => `conformance-${t.profile.tenant.tag}-${name}`;

/** A text that no other run, rule or call uses. */
export const mark = (t: TestContext, what = 'x'): string =>
  `${t.rule.id}-${what}-${t.run_id}-${process.pid}-${++counted}`;

let days = 0;

/** A first day of work that no other record of this run has. */
export const newDay = () => new Date(Date.UTC(2001, 0, ++days)).toISOString().slice(0, 10);

/** KEDO / PERSONS; every shown field is given. */
export const person = (t: TestContext, name: string, more: Fields = {}): Fields => ({
  external_id: ext(t, name),
  first_name: 'Проба',
  last_name: 'Загрузки',
  middle_name: '',
  birth_date: '1990-03-15',
  iin: '',
  phone: '',
  email: '',
  ...more,
});

/** KEDO / EMPLOYEES; every shown field is given. */
export const employee = (
  t: TestContext,
  name: string,
  personName: string,
  number: string,
  more: Fields = {},
): Fields => ({
  external_id: ext(t, name),
  number,
  admission_date: '2020-01-01',
  left_date: '',
  external_person_id: ext(t, personName),
  external_organization_id: '',
  external_department_id: '',
  external_job_title_id: '',
  ...more,
});

/** LEDGER / EMPLOYEES_FULL; found by the mark in the phone. */
export const ledgerEmployee = (
  t: TestContext,
  name: string,
  phone: string,
  human: Fields = {},
  more: Fields = {},
): Fields => ({
  external_id: ext(t, name),
  ТабельныйНомер: ext(t, name),
  ДатаПриема: '2020-01-01',
  ФизЛицо: { Имя: 'Проба', Фамилия: 'Выгрузки', Отчество: '', ДатаРождения: '1990-03-15', Телефон: phone, ...human },
  ...more,
});

/** Sends a request unchanged, after asking for permission. @param key '' for none */
export async function send(t: TestContext, api: Api, source: string, body: unknown, key = newKey(t)): Promise<Answer> {
  await t.mayWrite();
  return api.post(`/ingest/${source}`, body, { headers: key === '' ? {} : { 'Idempotency-Key': key } });
}

/** A batch that is accepted and whose records are all skipped. */
export const skippedBatch = (records: readonly unknown[] = [{ external_id: 'nobody' }]) => ({
  payload_type: 'NOTHING',
  records,
});

/** The id of the first attempt, as the refusal of a repeat states it. */
export const firstAttempt = (answer: Answer) => metadataOf(answer, 'ingest_request_id');

/** Loads batches and reads their effects. */
export class Load {
  readonly t: TestContext;
  readonly #key: KeyName;
  readonly #api: Api;
  #since = '';

  constructor(t: TestContext, key: KeyName = 'full') {
    this.t = t;
    this.#key = key;
    this.#api = t.asAny(key);
  }

  /** The same load for another rule, which sends its own requests. */
  of(t: TestContext): Load {
    const load = new Load(t, this.#key);
    load.#since = this.#since;
    return load;
  }

  get reader(): Api {
    return this.#api;
  }

  /** Sends one batch, which must be accepted. @param createMissing undefined omits the field */
  async batch(
    source: string,
    payload: string,
    records: readonly unknown[],
    createMissing?: boolean,
  ): Promise<AcceptedBatch> {
    const answer = await send(this.t, this.#api, source, {
      payload_type: payload,
      create_missing: createMissing,
      records,
    });
    const body = answer.ok('ingestRecords', `${source} / ${payload}`);
    if (this.#since === '') {
      const date = Date.parse(answer.header('date') ?? '');
      this.#since = new Date((Number.isNaN(date) ? Date.now() : date) - LOOK_BACK_MS).toISOString();
    }
    return body;
  }

  /** Sends a batch that creates what is missing. */
  make(payload: string, records: readonly unknown[], source = KEDO): Promise<AcceptedBatch> {
    return this.batch(source, payload, records, true);
  }

  /** Sends a batch that creates nothing: new records are skipped. */
  update(payload: string, records: readonly unknown[], source = KEDO): Promise<AcceptedBatch> {
    return this.batch(source, payload, records, false);
  }

  /** All employees changed since shortly before the first batch, with person, department and job title. */
  rows(): Promise<EmployeeRow[]> {
    return this.#api.walk('listEmployees', { updated_since: this.#since, expand: EXPAND, limit: 200 });
  }

  /** Reads until an employee is found, which must happen within the target's time for applying a batch. */
  async until(what: string, found: (rows: EmployeeRow[]) => EmployeeRow | undefined): Promise<EmployeeRow> {
    const { t } = this;
    const withinS = t.values.ingest_applied_within_s;
    const look = async () => found(await this.rows());
    const card = await t.seenOnceDone('batch is applied', withinS * 1000, look, (one) => one !== undefined, {
      pauseMs: POLL_MS,
    });
    return t.present(card, `${what}: not seen by updated_since ${withinS} s after the batch was accepted`);
  }

  /** The employee with this number, who must appear. */
  card(number: string): Promise<EmployeeRow> {
    return this.until(number, (rows) => rows.find((row) => row.employee_number === number));
  }

  /** The employee whose person has this phone, who must appear. */
  byPhone(phone: string): Promise<EmployeeRow> {
    return this.until(phone, (rows) => rows.find((row) => row.person?.phone === phone));
  }

  /** The employee whose person has this phone, after all batches so far were applied. */
  async whole(phone: string): Promise<EmployeeRow> {
    await this.settled();
    return this.byPhone(phone);
  }

  /**
   * Waits until all batches so far are applied. Batches are applied in order, so it sends one more and waits for its
   * effect.
   */
  async settled(): Promise<EmployeeRow> {
    const number = mark(this.t, 'end');
    if (!ended(this.t).has(this.#key)) await this.people('end');
    await this.make('EMPLOYEES', [employee(this.t, 'end', 'end', number)]);
    const card = await this.card(number);
    ended(this.t).add(this.#key);
    return card;
  }

  /**
   * Waits until changes of persons so far have also reached their employments, by one more change whose effect it waits
   * for.
   */
  async followed(): Promise<EmployeeRow> {
    const before = await this.settled();
    const phone = mark(this.t, 'end-phone');
    await this.update('PERSONS', [person(this.t, 'end', { phone })]);
    return this.until(phone, (rows) =>
      rows.find(({ person: human, update_time }) => human?.phone === phone && update_time > before.update_time),
    );
  }

  /**
   * Checks that `work` changes nothing of these employees. An earlier change of a person moves their update_time up to
   * the target's time for applying a batch later, and nothing shows when it has. So where only update_time has moved,
   * this lets that time pass and does the work again.
   */
  async unmoved(what: string, ids: readonly string[], work: () => Promise<unknown>): Promise<void> {
    const cards = () => Promise.all(ids.map((id) => this.now(id)));
    const timeless = (all: readonly EmployeeRow[]) => all.map((card) => ({ ...card, update_time: '' }));
    const beforeAndAfter = async () => {
      const before = await cards();
      await work();
      return [before, await cards()] as const;
    };
    let [before, after] = await beforeAndAfter();
    if (!isDeepStrictEqual(after, before) && isDeepStrictEqual(timeless(after), timeless(before))) {
      await sleep(this.t.values.ingest_applied_within_s * 1000);
      [before, after] = await beforeAndAfter();
    }
    this.t.equal(after, before, what);
  }

  /** Creates persons of the pool. */
  people(...names: string[]): Promise<AcceptedBatch> {
    return this.make(
      'PERSONS',
      names.map((name) => person(this.t, name)),
    );
  }

  /** The present state of an employee of the pool. */
  async now(id: string): Promise<EmployeeRow> {
    return this.#api.employee(id, { expand: EXPAND });
  }
}

/** Whether one of these employees has this number, phone or name. */
export const shows = (rows: readonly EmployeeRow[], text: string): boolean =>
  rows.some(({ employee_number, person: human }) =>
    [employee_number, human?.phone, human?.first_name, human?.last_name].includes(text),
  );
