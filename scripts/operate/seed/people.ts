/** The staff of an invented tenant, batch by batch: only one batch is in memory at a time. */
import { type EmployeeRow, isListed } from '../../../handlers/data/collections/employees.ts';
import type { PersonRow } from '../../../handlers/data/collections/persons.ts';
import { newPerson } from '../../../handlers/employees/write/person-rows.ts';
import { statusDueOn } from '../../../handlers/employees/write/status-by-dates.ts';
import { type Random, randomOf } from '../../kit/random.ts';
import { employeeRow } from '../../world/tenant.ts';
import { BASE_TIME, type Company, DAY_MS, type Unit } from './company.ts';
import { invalidIin } from './iin.ts';
import { inventName, latin } from './names.ts';

export interface Batch {
  readonly employees: EmployeeRow[];
  readonly persons: PersonRow[];
}

type Status = EmployeeRow['status'];

/** The status shares of employees who lead nobody. Heads and team leads are in service. */
const SHARES: readonly (readonly [Status, number])[] = [
  ['EMPLOYEE_STATUS_ACTIVE', 76],
  ['EMPLOYEE_STATUS_TERMINATED', 12],
  ['EMPLOYEE_STATUS_LEAVE', 4],
  ['EMPLOYEE_STATUS_ONBOARDING', 2],
  ['EMPLOYEE_STATUS_ACCEPTED', 1.5],
  ['EMPLOYEE_STATUS_HIRED', 1.5],
  ['EMPLOYEE_STATUS_ON_HOLD', 1],
  ['CREATED', 1],
];
const LEADING: readonly (readonly [Status, number])[] = [
  ['EMPLOYEE_STATUS_ACTIVE', 95],
  ['EMPLOYEE_STATUS_LEAVE', 4],
  ['EMPLOYEE_STATUS_ON_HOLD', 1],
];
const DELETED_SHARE = 0.012;
const TEAM = 9;
const HISTORY_DAYS = 3000;

const day = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);

interface Post {
  readonly id: string;
  readonly unit: Unit;
  readonly manager_id: string;
  readonly job_title_id: string;
  readonly leads: boolean;
}

function* posts(company: Company, random: Random): Generator<Post> {
  const [first] = company.units;
  for (const unit of company.units) {
    const above = unit.parent?.head_id ?? (unit === first ? '' : (first?.head_id ?? ''));
    yield { id: unit.head_id, unit, manager_id: above, job_title_id: unit.head_title_id, leads: true };
    const rest = unit.size - 1;
    const leadCount = rest > TEAM + 3 ? Math.floor(rest / TEAM) : 0;
    const leads = Array.from({ length: leadCount }, () => random.uuid());
    for (const id of leads) {
      yield { id, unit, manager_id: unit.head_id, job_title_id: company.lead_title_id, leads: true };
    }
    for (let i = leadCount; i < rest; i++) {
      const manager_id = leads[i % Math.max(1, leadCount)] ?? unit.head_id;
      yield { id: random.uuid(), unit, manager_id, job_title_id: random.pick(unit.job_title_ids), leads: false };
    }
  }
}

function inventPerson(tenantId: string, createTime: Date, random: Random): PersonRow {
  const { female, ...name } = inventName(random);
  const birth_date = day(BASE_TIME.getTime() - Math.floor((19 + random.next() * 45) * 365.25 * DAY_MS));
  const box = `${latin(name.first_name)}.${latin(name.last_name)}${random.between(1, 9999)}`;
  const id = random.uuid();
  const fields = {
    ...name,
    birth_date: random.chance(0.01) ? '' : birth_date,
    iin: random.chance(0.02) ? '' : invalidIin(birth_date, female, random),
    personal_email: random.chance(0.15) ? '' : `${box}@${random.pick(['example.com', 'example.org', 'example.net'])}`,
    phone: random.chance(0.05) ? '' : `+7700000${String(random.int(10_000)).padStart(4, '0')}`,
  };
  return newPerson(tenantId, fields, createTime, { id });
}

/** Most people were created one by one. Some were loaded together and share their creation time to the millisecond. */
function creationTime(imports: readonly number[], random: Random): number {
  if (imports.length > 0 && random.chance(0.15)) return random.pick(imports);
  return BASE_TIME.getTime() - Math.floor((2 + random.next() ** 1.5 * HISTORY_DAYS) * DAY_MS) - random.int(1000);
}

interface Dates {
  readonly start_date: string;
  readonly end_date: string;
}

function dates(status: Status, createdMs: number, random: Random): Dates {
  const base = BASE_TIME.getTime();
  if (status === 'EMPLOYEE_STATUS_ACCEPTED' || status === 'EMPLOYEE_STATUS_HIRED') {
    // Some have no agreed first day, so no date ever changes their status, whenever the data is read.
    const agreed = random.chance(0.7);
    return { start_date: agreed ? day(base + random.between(1, 60) * DAY_MS) : '', end_date: '' };
  }
  if (status === 'CREATED' && random.chance(0.5)) return { start_date: '', end_date: '' };
  const started = Math.min(createdMs + random.between(-30, 20) * DAY_MS, base - DAY_MS);
  if (status === 'EMPLOYEE_STATUS_TERMINATED') {
    const left = started + Math.floor(random.next() * (base - DAY_MS - started));
    return { start_date: day(started), end_date: day(left) };
  }
  const fixedTerm = random.chance(0.02);
  return { start_date: day(started), end_date: fixedTerm ? day(base + random.between(10, 700) * DAY_MS) : '' };
}

interface Staffing {
  readonly tenant_id: string;
  readonly company: Company;
  /** The domain of work e-mail addresses, a reserved one. */
  readonly domain: string;
  readonly seed: string;
  readonly batchSize: number;
}

/** All employees and their persons. A person never comes after an employment of this person. */
export function* staff({ tenant_id, company, domain, seed, batchSize }: Staffing): Generator<Batch> {
  const random = randomOf(`${seed}/people`);
  const total = company.units.reduce((sum, { size }) => sum + size, 0);
  const imports = Array.from({ length: Math.ceil(total / 400) }, () => creationTime([], random));
  let batch: Batch = { employees: [], persons: [] };
  let previous: PersonRow | null = null;
  let number = 0;
  for (const post of posts(company, randomOf(`${seed}/posts`))) {
    number++;
    const status = random.weighted(post.leads ? LEADING : SHARES);
    const created = creationTime(imports, random);
    const changed = random.chance(0.6)
      ? created + Math.floor(random.next() ** 2 * (BASE_TIME.getTime() - created))
      : created;
    // Some people have two jobs in the tenant: a second employment of the same person.
    const again: PersonRow | null = random.chance(0.01) ? previous : null;
    const person: PersonRow = again ?? inventPerson(tenant_id, new Date(created), random);
    if (again === null) batch.persons.push(person);
    previous = person;

    const waiting = status === 'EMPLOYEE_STATUS_ACCEPTED' || status === 'EMPLOYEE_STATUS_HIRED' || status === 'CREATED';
    const row = employeeRow({
      _id: post.id,
      tenant_id,
      status,
      organization_id: post.unit.row.organization_id,
      department_id: post.unit.row._id,
      job_title_id: post.job_title_id,
      manager_id: !post.leads && random.chance(0.02) ? '' : post.manager_id,
      location_id: random.chance(0.06) ? '' : random.pick(company.locations)._id,
      person_id: person._id,
      employee_number: random.chance(waiting ? 0.6 : 0.02) ? '' : String(number).padStart(6, '0'),
      ...dates(status, created, random),
      work_email: random.chance(waiting ? 0.5 : 0.1)
        ? ''
        : `${latin(person.first_name).slice(0, 1)}.${latin(person.last_name)}.${number}@${domain}`,
      create_time: new Date(Math.max(created, person.create_time.getTime())),
      update_time: new Date(Math.max(changed, person.update_time.getTime())),
    });
    if (!post.leads && random.chance(DELETED_SHARE)) row.deleted_at = row.update_time;
    row.listed = isListed(row);
    row.status_due_on = statusDueOn(row);
    batch.employees.push(row);
    if (batch.employees.length >= batchSize) {
      yield batch;
      batch = { employees: [], persons: [] };
    }
  }
  if (batch.employees.length > 0) yield batch;
}
