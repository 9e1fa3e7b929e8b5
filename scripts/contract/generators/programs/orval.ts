/** Uses the client that orval makes: reads all employees, sends a batch, reads a refusal. Prints what it received. */
import { getEmployee, ingestRecords, listEmployees } from './client.ts';
import type { KedoPersonRecord } from './model';

const headers = { 'X-API-Key': process.env.KEY ?? '' };
const seen = { pages: 0, employees: 0, persons: 0, managers: 0, without_manager: 0, without_email: 0, without_end: 0 };
let page_token = '';
do {
  const { status, data } = await listEmployees({ limit: 1000, page_token, expand: ['person', 'manager'] }, { headers });
  if (status !== 200) throw new Error(data.message);
  seen.pages += 1;
  for (const { person, manager, manager_id, work_email, end_date } of data.employees) {
    seen.employees += 1;
    seen.persons += Number(Boolean(person?.full_name));
    seen.managers += Number(Boolean(manager?.full_name));
    seen.without_manager += Number(manager_id === '');
    seen.without_email += Number(work_email === '');
    seen.without_end += Number(end_date === '');
  }
  page_token = data.next_page_token;
} while (page_token !== '');

async function send(source_type: string, payload_type: string, record: unknown): Promise<number> {
  const batch = {
    ...headers,
    'Content-Type': 'application/json',
    'Idempotency-Key': `${process.env.BATCH}-${payload_type}`,
  };
  const { status, data } = await ingestRecords(source_type, { payload_type, records: [record] }, { headers: batch });
  if (status !== 200) throw new Error(data.message);
  return data.record_count;
}
const person: KedoPersonRecord = { external_id: 'G-1', first_name: 'Әсел', birth_date: '1990-03-15', email: '' };
const PERSONS = await send('KEDO', 'PERSONS', person);
const EMPLOYEES_FULL = await send('LEDGER', 'EMPLOYEES_FULL', { ТабельныйНомер: 'G-1', ФизЛицо: { Имя: 'Дәулет' } });

const refused = await getEmployee('00000000-0000-4000-8000-000000000000', {}, { headers });
if (refused.status !== 404) throw new Error(`${refused.status} instead of 404`);
const [first] = refused.data.details;
const refusal = first !== undefined && 'reason' in first ? first.reason : '';
console.log(JSON.stringify({ ...seen, PERSONS, EMPLOYEES_FULL, refusal }));
