/**
 * Everything that the service does with its store, each once, in a tenant with many rows: for the test of its queries.
 */
import { randomUUID } from 'node:crypto';
import { keyUse } from '../../../handlers/access/key-use.ts';
import { invalidFields } from '../../../handlers/answers/errors.ts';
import { readBacklog } from '../../../handlers/backlog.ts';
import { writeRows } from '../../../handlers/data/bulk.ts';
import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import { MOST_REFUSED_CALLS } from '../../../handlers/data/collections/refused_calls.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { listDocumentCategories } from '../../../handlers/document_categories/listDocumentCategories.ts';
import { getDocumentTemplate } from '../../../handlers/document_templates/getDocumentTemplate.ts';
import { listDocumentTemplates } from '../../../handlers/document_templates/listDocumentTemplates.ts';
import { listDocumentTypes } from '../../../handlers/document_types/listDocumentTypes.ts';
import { approveDocument } from '../../../handlers/documents/approveDocument.ts';
import { createDocument } from '../../../handlers/documents/createDocument.ts';
import { getDocument } from '../../../handlers/documents/getDocument.ts';
import { listDocuments } from '../../../handlers/documents/listDocuments.ts';
import { sendDocument } from '../../../handlers/documents/sendDocument.ts';
import { setDocumentRoute } from '../../../handlers/documents/setDocumentRoute.ts';
import { signDocument } from '../../../handlers/documents/signDocument.ts';
import { getEmployee } from '../../../handlers/employees/getEmployee.ts';
import { listEmployees } from '../../../handlers/employees/listEmployees.ts';
import { advanceStatuses } from '../../../handlers/employees/write/advance-statuses.ts';
import { deleteEmployee } from '../../../handlers/employees/write/employees.ts';
import { updatePerson } from '../../../handlers/employees/write/persons.ts';
import { sweepFiles } from '../../../handlers/files/sweep-files.ts';
import { type FailureThrottle, failureThrottle } from '../../../handlers/http/failed-keys.ts';
import { sharedRateLimiter } from '../../../handlers/http/rate.ts';
import { refusedCalls, trim } from '../../../handlers/http/refused-calls.ts';
import { applyIngest, overdueIngest } from '../../../handlers/ingest/apply/apply-ingest.ts';
import { sweepIngest } from '../../../handlers/ingest/sweep-ingest.ts';
import { livingProcesses } from '../../../handlers/jobs/process-agreement.ts';
import { listLoginMethods } from '../../../handlers/login_methods/listLoginMethods.ts';
import { prepareStore } from '../../../handlers/prepare-store.ts';
import { now } from '../../../handlers/runtime/clock.ts';
import { createLogger } from '../../../handlers/runtime/log.ts';
import { makeAttempt } from '../../../handlers/webhooks/attempt.ts';
import { claimDue } from '../../../handlers/webhooks/claim.ts';
import { overdueEndpoints } from '../../../handlers/webhooks/deliver.ts';
import { cancelPending, pruneDeliveries } from '../../../handlers/webhooks/schedule.ts';
import { groups } from '../../operate/settings/main.ts';
import { settingsTool } from '../../operate/settings/test-tool.ts';
import { DOWN, OK, Outside, Receivers } from '../../world/deliveries.ts';
import { openDiskBed } from '../../world/disk-storage.ts';
import { type Owner, TenantFixture } from '../../world/documents.ts';
import { accept } from '../../world/ingest.ts';
import { knownPerson, relayed } from '../../world/person-with-every-field.ts';
import { employeeRow } from '../../world/tenant.ts';
import { FILLED, fill } from './tenants.ts';

/** One thing that the service does, with its name. */
type StoreUse = readonly [name: string, run: () => Promise<unknown>];

const never = new AbortController().signal;
const log = createLogger('silent');
const ACTIVE = 'EMPLOYEE_STATUS_ACTIVE';
const LEAVE = 'EMPLOYEE_STATUS_LEAVE';
/** How names of uses begin in which a person or a tenant leaves. */
export const LEAVING = 'settings, of what leaves: ';
/** How many rows other tenants have where no index has the tenant: more than a query may look through. */
const OTHERS = 100;

/** @param env the environment in which the settings tool finds the store */
export async function usesOf(store: Store, env: Readonly<Record<string, string>>): Promise<readonly StoreUse[]> {
  // A second tenant of the same size in the same store, which leaves last.
  const leaving = await leavingUses(store, env);
  const fixture = await TenantFixture.create(store);
  const filled = await fill(fixture);
  const tenantId = fixture.id;
  const old = await oldBatch(store, tenantId);
  const row = employeeRow({ tenant_id: tenantId });
  await store.employees.insertOne(row);
  const all = await fixture.owner({ documents: 'all' });
  return [
    ['prepare', () => prepareStore(store)],
    ['processes', () => livingProcesses(store)],
    ...(await employeeUses(fixture, all, filled)),
    ...(await documentUses(fixture, all, filled)),
    ...catalogueUses(all, filled.types),
    ...(await workflowUses(fixture, all)),
    ...requestUses(store, all),
    ...ingestUses(store, tenantId),
    ...(await deliveryUses(store, tenantId)),
    ['a changed person', () => changePerson(store, tenantId)],
    ['a row that another has changed', () => writeRows(store.employees, [overtaken(row)])],
    ['what waits', () => readBacklog(store)],
    ['relay', () => relayed(store)],
    ['advance statuses', () => advanceStatuses(store, never)],
    ['a deleted manager', () => deleteEmployee(store, tenantId, filled.manager, now())],
    ...(await sweepUses(fixture, all)),
    ...settingsUses({ tenantId, keyId: (await all.caller()).keyId }, old, env),
    ...leaving,
    ['sweep ingest', () => sweepIngest(store, never)],
  ];
}

/** A batch that was applied long ago, with its outcomes. @returns its id */
async function oldBatch(store: Store, tenantId: string): Promise<string> {
  const id = await accept(store, tenantId, { pair: 'LEDGER/DEPARTMENTS', records: [{ external_id: 'D0' }] });
  await applyIngest(store, tenantId, never);
  await store.ingest_requests.updateOne({ _id: id }, { $set: { ended_at: new Date('2026-01-01T00:00:00Z') } });
  return id;
}

const overtaken = (row: EmployeeRow) => ({ before: { ...row, rev: 0 }, after: { ...row, work_email: 'b', rev: 1 } });

/** Uploads that are due: reserved, forgotten, kept, and linked to no document. */
async function sweepUses(fixture: TenantFixture, all: Owner): Promise<StoreUse[]> {
  const { store, storage } = fixture;
  const sweep_at = new Date(0);
  const changes = [
    { status: 'FILE_UPLOAD_STATUS_RESERVED', object: null },
    { confirmed_at: sweep_at },
    {},
    { document_id: randomUUID(), linked_at: sweep_at },
  ] as const;
  for (const change of changes) {
    await store.files.updateOne({ _id: await fixture.upload(all) }, { $set: { sweep_at, ...change } });
  }
  return [['sweep files', () => sweepFiles(store, storage, never)]];
}

async function changePerson(store: Store, tenantId: string): Promise<void> {
  const person = await store.persons.findOne({ tenant_id: tenantId });
  await updatePerson(store, tenantId, person?._id ?? '', { first_name: 'Асан' }, new Date());
}

type FilledTenant = Awaited<ReturnType<typeof fill>>;

/** The first two pages of a list. */
function pages(list: (query: object) => Promise<{ readonly answer?: { readonly next_page_token: string } }>) {
  return async (query: object) => {
    const { answer } = await list(query);
    if (answer === undefined) throw new Error('a list of store-uses.ts was refused');
    if (answer.next_page_token !== '') await list({ ...query, page_token: answer.next_page_token });
  };
}

async function employeeUses(
  fixture: TenantFixture,
  all: Owner,
  { departments, since, manager }: FilledTenant,
): Promise<StoreUse[]> {
  const narrow = { all: false, departments: departments.slice(0, 2), reports: true, self: true };
  const seesTwo = await fixture.owner({ employees: narrow }, manager);
  const seesMost = await fixture.owner({ employees: { ...narrow, departments } }, manager);
  const seesSelf = await fixture.owner({ employees: { ...narrow, departments: [] } }, manager);
  const department_id = departments.slice(3, 9);
  const status = [ACTIVE, LEAVE];
  const queries: readonly object[] = [
    {},
    { status: [LEAVE] },
    { status },
    { department_id },
    { status, department_id },
    { updated_since: since.few },
    { updated_since: since.many },
    { updated_since: since.few, status, department_id },
    { updated_since: since.many, status, department_id },
  ];
  const owners = { all, 'two departments': seesTwo, 'most departments': seesMost, self: seesSelf };
  const lists = Object.entries(owners).flatMap(([who, owner]) => {
    const list = pages((query) => owner.call(listEmployees, { query: { limit: 20, include_total: true, ...query } }));
    return queries.map((query): StoreUse => [`employees of ${who} by ${JSON.stringify(query)}`, () => list(query)]);
  });
  const expand = ['person', 'department', 'job_title', 'manager'];
  return [
    ...lists,
    ['expanded employees', () => all.call(listEmployees, { query: { limit: 20, expand } })],
    ['an employee', () => seesTwo.call(getEmployee, { path: { employee_id: manager }, query: {} })],
  ];
}

async function documentUses(
  fixture: TenantFixture,
  all: Owner,
  { types, rare, employees }: FilledTenant,
): Promise<StoreUse[]> {
  const own = await fixture.owner({ documents: 'own' }, employees[3]);
  const ownOfTwo = await fixture.owner({ documents: 'own', document_types: types.slice(0, 2) }, employees[3]);
  const open = await fixture.owner({ documents: 'all_but_confidential' }, employees[3]);
  const ofRare = await fixture.owner({ documents: 'all', document_types: [rare] }, employees[3]);
  const owners = { all, own, 'own, two types': ownOfTwo, 'all but confidential': open, 'a rare type': ofRare };
  const queries: readonly object[] = [
    {},
    { type_id: [types[2]] },
    { type_id: [...types, ...Array.from({ length: 80 }, () => randomUUID())] },
    { created_after: '2026-02-25T00:00:00Z' },
    { search: 'приказ' },
    { search: 'при' },
    { search: '100-' },
    { search: 'сказ о' },
    { search: 'приказ', type_id: [types[2]], created_after: '2024-02-25T00:00:00Z' },
  ];
  const lists = Object.entries(owners).flatMap(([who, owner]) => {
    const list = pages((query) => owner.call(listDocuments, { query: { limit: 20, ...query } }));
    return queries.map((query): StoreUse => {
      const name = JSON.stringify(query).slice(0, 100);
      return [`documents of ${who} by ${name}`, () => list(query)];
    });
  });
  const { answer } = await all.call(listDocuments, { query: { limit: 1 } });
  const document_id = answer?.documents[0]?.id ?? '';
  return [...lists, ['a document', () => own.call(getDocument, { path: { document_id } })]];
}

function catalogueUses(all: Owner, types: readonly string[]): StoreUse[] {
  const listTypes = pages((query) => all.call(listDocumentTypes, { query: { limit: 5, ...query } }));
  const listTemplates = pages((query) => all.call(listDocumentTemplates, { query: { limit: 5, ...query } }));
  return [
    ['document types', () => listTypes({})],
    ['document types by category', () => listTypes({ category_id: [randomUUID()] })],
    ['document categories', () => all.call(listDocumentCategories, { query: {} })],
    ['document templates', () => listTemplates({})],
    ['document templates by type', () => listTemplates({ type_id: types[1] })],
    ['a document template', () => all.call(getDocumentTemplate, { path: { template_id: randomUUID() } })],
    ['login methods', () => all.call(listLoginMethods, {})],
  ];
}

async function workflowUses(fixture: TenantFixture, all: Owner): Promise<StoreUse[]> {
  const type_id = await fixture.type();
  const [template_id, file_id] = [await fixture.template(type_id, ['name']), await fixture.upload(all)];
  const approver = await fixture.owner();
  const path = { document_id: '' };
  const made = { title: 'Приказ', type_id };
  const steps = [
    { step_type: 'STEP_TYPE_APPROVAL', participants: [{ employee_id: approver.employeeId }] },
    { step_type: 'STEP_TYPE_SIGNING', participants: [{ employee_id: all.employeeId }] },
  ];
  const template_values = { name: 'x' };
  return [
    [
      'a document of a template',
      async () => {
        const { answer } = await all.call(createDocument, { body: { ...made, template_id, template_values } }, 'key');
        path.document_id = answer?.document.id ?? '';
      },
    ],
    ['the same once more', () => all.call(createDocument, { body: { ...made, template_id, template_values } }, 'key')],
    ['a document of an upload', () => all.call(createDocument, { body: { ...made, file_id } })],
    ['a route', () => all.call(setDocumentRoute, { path, body: { steps } })],
    ['sent', () => all.call(sendDocument, { path, body: {} })],
    ['approved', () => approver.call(approveDocument, { path, body: {} })],
    ['signed', () => all.call(signDocument, { path, body: {} })],
  ];
}

/** More failures than a process counts without asking the other processes. */
async function failMany(throttle: FailureThrottle): Promise<void> {
  for (let n = 0; n < 20; n++) await throttle.exceeded('203.0.113.7');
}

function requestUses(store: Store, all: Owner): StoreUse[] {
  const uses = keyUse(store.api_keys);
  return [
    ['admission', () => all.caller()],
    ['a limit', async () => sharedRateLimiter(store.rate_limits).take('key')],
    ['many failed keys', () => failMany(failureThrottle(store.rate_limits))],
    [
      'a use of a key',
      async () => {
        const { keyId } = await all.caller();
        uses.used(keyId);
        await uses.flush();
        uses.stop();
      },
    ],
    ['refused calls', () => refuse(store, all)],
  ];
}

async function refuse(store: Store, all: Owner): Promise<void> {
  const { keyId, tenant } = await all.caller();
  for (const [process, number] of [MOST_REFUSED_CALLS, 1].entries()) {
    const calls = refusedCalls(store.refused_calls);
    calls.stop();
    for (const limit of Array(number).keys()) {
      const refusal = invalidFields([{ field: 'limit', description: `is ${process} ${limit}` }]);
      calls.refused({ keyId, tenantId: tenant.id, operationId: 'listEmployees', requestId: '', refusal });
    }
    await calls.flush();
  }
  await trim(store.refused_calls, tenant.id, keyId);
}

function ingestUses(store: Store, tenantId: string): StoreUse[] {
  const batches: readonly (readonly ['LEDGER/EMPLOYEES_FULL' | 'LEDGER/DEPARTMENTS', object])[] = [
    ['LEDGER/DEPARTMENTS', { external_id: 'D1', Ссылка: 'c0a1', Наименование: 'Отдел', 'Родитель.Ссылка': '' }],
    [
      'LEDGER/EMPLOYEES_FULL',
      { external_id: 'E1', 'Подразделение.Ссылка': 'c0a1', ФизЛицо: { external_id: 'P1', Фамилия: 'Ахметов' } },
    ],
    ['LEDGER/EMPLOYEES_FULL', { ТабельныйНомер: '9', 'Организация.Ссылка': 'o', ФизЛицо: { Фамилия: 'Ахметов' } }],
    ['LEDGER/EMPLOYEES_FULL', { ТабельныйНомер: '9', ФизЛицо: { Фамилия: 'Ахметов' } }],
    ...['990701650036', '990701650037'].map(
      (ИИН) => ['LEDGER/EMPLOYEES_FULL', { ТабельныйНомер: '1', ФизЛицо: { ИИН, Фамилия: 'А', Имя: 'А' } }] as const,
    ),
  ];
  return batches.flatMap(([pair, record]): StoreUse[] => [
    [
      `ingest ${pair}`,
      async () => {
        await accept(store, tenantId, { pair, records: [record, record] });
        await overdueIngest(store);
        await applyIngest(store, tenantId, never);
      },
    ],
  ]);
}

async function deliveryUses(store: Store, tenantId: string): Promise<StoreUse[]> {
  const receivers = new Receivers(store);
  Object.assign(receivers, { tenantId });
  const endpoint = await receivers.endpoint();
  await receivers.deliveries(endpoint, FILLED.deliveries);
  const failing = await receivers.endpoint({ event_types: [] });
  await receivers.deliveries(failing, 1, { attempt_count: 7 });
  await receivers.deliveries(randomUUID(), 1, { status: 'DELIVERED', next_at: null, ended_at: new Date(0) });
  const outside = new Outside();
  outside.answer = (id) => (id === failing ? DOWN : OK);
  const means = { store, send: outside.send, log };
  const attempt = async (endpointId: string) => {
    const claim = await claimDue(store, tenantId, endpointId);
    if (claim === undefined) throw new Error('nothing was due');
    await makeAttempt(means, claim, never);
  };
  return [
    ['what waits, with deliveries', () => readBacklog(store)],
    ['overdue endpoints', () => overdueEndpoints(store, [randomUUID()])],
    ['a delivery', () => attempt(endpoint)],
    ['a delivery that fails for good', () => attempt(failing)],
    ['deliveries cancelled', () => cancelPending(store, tenantId, endpoint)],
    ['pruning', () => pruneDeliveries(store)],
  ];
}

function settingsUses(
  { tenantId, keyId }: { readonly tenantId: string; readonly keyId: string },
  batch: string,
  env: Readonly<Record<string, string>>,
): StoreUse[] {
  const { words } = settingsTool(() => ({ env: { ...env, TENANT: tenantId }, now: () => new Date() }));
  const kinds = Object.keys(groups).filter((name) => name !== 'conformance');
  return [
    ...kinds.map((kind): StoreUse => [`settings ${kind} list`, () => words(kind, 'list')]),
    ['settings keys refusals', () => words('keys refusals', keyId)],
    ['settings documents that wait', () => words('documents list --waiting-for-leavers')],
    ['settings ingests show', () => words('ingests show', batch)],
    ['settings ingests questions', () => words('ingests questions', batch)],
    ['settings persons joined', () => words('persons joined')],
  ];
}

/** Rows of other tenants where no index has the tenant. */
async function othersWithoutIndex({ db }: Store): Promise<void> {
  const names = [
    'accepted_signatures',
    'audit_entries',
    'erasures',
    'external_bindings',
    'idempotency_claims',
    'ingest_chunks',
    'ingest_sequences',
    'unclaimed_objects',
  ];
  for (const name of names) {
    const rows = Array.from({ length: OTHERS }, () => ({ tenant_id: randomUUID() }));
    await db.collection(name).insertMany(rows);
  }
}

/** A person and a tenant are copied and erased by the settings tool, among so many rows of others. */
async function leavingUses(store: Store, env: Readonly<Record<string, string>>): Promise<StoreUse[]> {
  const disk = await openDiskBed();
  const { tenant, personId } = await knownPerson(store, disk.storage);
  const own = await store.documents.distinct('_id', { tenant_id: tenant.id });
  await fill(new TenantFixture(store, tenant.id, tenant.ownerId));
  // Their bytes are nowhere.
  await store.documents.updateMany({ tenant_id: tenant.id, _id: { $nin: own } }, { $set: { files: [] } });
  const surroundings = { ...env, TENANT: tenant.id, STORAGE_DIR: disk.dir };
  const { words } = settingsTool(() => ({ env: surroundings, now: () => new Date() }));
  const commands = [
    `persons export ${personId} --to ${disk.dir}/person`,
    `persons erase ${personId} --dry-run`,
    `persons erase ${personId} --yes`,
    `tenants export ${tenant.id} --to ${disk.dir}/tenant`,
    `tenants delete ${tenant.id} --dry-run`,
    `tenants delete ${tenant.id} --yes`,
  ];
  return [
    ['rows of other tenants', () => othersWithoutIndex(store)],
    ...commands.map((command): StoreUse => [LEAVING + command, () => words(command, '--json')]),
    ['the end of the folder', () => disk.stop()],
  ];
}
