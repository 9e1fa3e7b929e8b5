/** Large tenants of measurements and of the test of the queries, with documents like those that companies have. */

import { randomUUID } from 'node:crypto';
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { searchFields } from '../../../handlers/documents/search.ts';
import { type Random, randomOf } from '../../kit/random.ts';
import { inventName } from '../../operate/seed/names.ts';
import { insertRows } from '../../operate/seed/write.ts';
import { inTurn } from '../../world/ask.ts';
import { draftRow } from '../../world/document-row.ts';
import type { TenantFixture } from '../../world/documents.ts';
import { employeeRow } from '../../world/tenant.ts';

const SUBJECTS = [
  'Приказ о предоставлении отпуска',
  'Приказ о приёме на работу',
  'Приказ о переводе на другую должность',
  'Приказ о командировке',
  'Приказ об увольнении',
  'Трудовой договор',
  'Дополнительное соглашение к трудовому договору',
  'Лист ознакомления с положением об оплате труда',
  'Қызметкерді іссапарға жіберу туралы бұйрық',
  'Еңбек демалысын беру туралы бұйрық',
  'Справка с места работы',
  'Служебная записка о сверхурочной работе',
];
const NEWEST = Date.parse('2026-03-01T00:00:00.000Z');
const SPAN_MS = 7 * 365 * 24 * 60 * 60 * 1000;

/** What the invented documents refer to. */
interface Setting {
  readonly tenantId: string;
  readonly count: number;
  readonly types: readonly string[];
  /** A document type that one document in 5,000 has. */
  readonly rare: string;
  readonly employees: readonly string[];
  readonly random: Random;
}

/** The rows, oldest first. */
export function* inventDocuments({ tenantId, count, types, rare, employees, random }: Setting): Generator<DocumentRow> {
  for (let i = 0; i < count; i++) {
    const subject = i < 20 ? 'Заявление о приёме' : random.pick(SUBJECTS);
    const { last_name, first_name } = inventName(random);
    const time = new Date(NEWEST - SPAN_MS + Math.floor((SPAN_MS * i) / count));
    const title = `${subject}: ${last_name} ${first_name}`;
    const number = `${i}-${random.pick(['К', 'Л', 'Ж'])}/${time.getUTCFullYear()}`;
    const [initiator, other] = [random.pick(employees), random.pick(employees)];
    yield draftRow({
      _id: random.uuid(),
      ...searchFields({ title, number }),
      tenant_id: tenantId,
      title,
      number,
      type_id: i % 5_000 === 0 ? rare : random.pick(types),
      date: time.toISOString().slice(0, 10),
      initiator_employee_id: initiator,
      subject_employee_ids: [other],
      status: 'DOCUMENT_STATUS_COMPLETED',
      visible_to: [initiator, other],
      create_time: time,
      update_time: time,
      completed_at: time,
    });
  }
}

/** Makes so many document types, the last of which is confidential, and a rare one. */
export async function typesIn(fixture: TenantFixture, count: number): Promise<Pick<Setting, 'types' | 'rare'>> {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const types = await Promise.all(
    numbers.map((i) => fixture.type({ title: `Тип ${i}`, confidential: i === count - 1 })),
  );
  return { types, rare: await fixture.type({ title: 'Редкий тип' }) };
}

/**
 * Writes rows as they are made, so that they are never in memory all at once.
 * @param batch how many at once; the embedded database answers nothing meanwhile
 */
export async function insertDocuments(store: Store, rows: Iterable<DocumentRow>, batch: number): Promise<void> {
  let waiting: DocumentRow[] = [];
  for (const row of rows) {
    waiting.push(row);
    if (waiting.length < batch) continue;
    await insertRows(store, 'documents', waiting);
    waiting = [];
  }
  await insertRows(store, 'documents', waiting);
}

/** How many rows of each kind exist. */
export const FILLED = {
  employees: 1_500,
  departments: 30,
  documents: 1_200,
  deliveries: 300,
  /** How many documents one person takes part in, at most. */
  own: 120,
  /** How many rows a short list has, at most. */
  listed: 300,
} as const;

const STATUSES = ['EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_ACTIVE', 'EMPLOYEE_STATUS_LEAVE', 'CREATED'] as const;
const START_MS = Date.parse('2025-01-01T00:00:00Z');
const MINUTE_MS = 60_000;

/** Fills the tenant. @returns the values that queries ask for */
export async function fill(fixture: TenantFixture) {
  const { store } = fixture;
  const departments = Array.from({ length: FILLED.departments }, () => randomUUID());
  const own = { tenant_id: fixture.id, create_time: new Date(START_MS), update_time: new Date(START_MS) };
  await store.departments.insertMany(
    departments.map((_id) => ({
      ...own,
      _id,
      organization_id: '',
      parent_id: '',
      ancestor_ids: [_id],
      title: 'Отдел',
    })),
  );
  const manager = await fixture.employee();
  const rows = Array.from({ length: FILLED.employees }, (_, i): EmployeeRow => {
    const status = inTurn(STATUSES, i);
    const create_time = new Date(START_MS + i * MINUTE_MS);
    // Every third row was changed later, and a few of the oldest last of all.
    const changedMs = i < 25 ? 90_000 : i % 3 === 0 ? 10_000 : 0;
    return employeeRow({
      tenant_id: fixture.id,
      department_id: inTurn(departments, i * 7),
      manager_id: i % 60 === 0 ? manager : '',
      status,
      listed: status !== 'CREATED',
      create_time,
      update_time: new Date(create_time.getTime() + changedMs * MINUTE_MS),
    });
  });
  await store.employees.insertMany(rows);
  const { types, rare } = await typesIn(fixture, 6);
  for (let i = 0; i < 8; i++) await fixture.template(types[i % 3] ?? '', ['name']);
  const employees = rows.slice(0, 40).map(({ _id }) => _id);
  const random = randomOf(fixture.id);
  const setting = { tenantId: fixture.id, count: FILLED.documents, types, rare, employees, random };
  await store.documents.insertMany([...inventDocuments(setting)]);
  const since = (minutes: number) => new Date(START_MS + minutes * MINUTE_MS).toISOString();
  return { departments, manager, types, rare, employees, since: { few: since(90_000), many: since(9_000) } };
}
