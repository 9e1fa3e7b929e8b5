/** A person of whom a tenant knows everything that can be known, and a search for that in a whole deployment. */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { serialize } from 'bson';
import { hashKey, newKey } from '../../handlers/access/keys.ts';
import type { DocumentRow, StoredDocumentFile, StoredParticipant } from '../../handlers/data/collections/documents.ts';
import type { FileRow } from '../../handlers/data/collections/files.ts';
import type { Store } from '../../handlers/data/store.ts';
import { searchFields } from '../../handlers/documents/search.ts';
import { followPersons } from '../../handlers/employees/write/persons.ts';
import { applyIngest } from '../../handlers/ingest/apply/apply-ingest.ts';
import { now } from '../../handlers/runtime/clock.ts';
import { documentKey, type Storage, uploadKey } from '../../handlers/storage/storage.ts';
import { relayEvents } from '../../handlers/webhooks/relay-events.ts';
import { draftRow } from './document-row.ts';
import { reservationRow } from './file-row.ts';
import { accept } from './ingest.ts';
import { endpointRow, keyRow, TestTenant, userRow } from './tenant.ts';

/** What is known of the person, in the forms in which it may be stored. All of it is invented. */
export const KNOWN = {
  last: 'Жұмағалиева',
  declined: 'Жұмағалиевой',
  first: 'Қымбат',
  middle: 'Ерланқызы',
  iin: '870231499991',
  born: '1987-12-03',
  bornWritten: '03.12.1987',
  phone: '+77009998877',
  phoneWritten: '+7 (700) 999-88-77',
  email: 'q.zhumagalieva@example.com',
  work: 'kymbat@work.example',
  paper: 'N0498877661',
  address: 'ул. Вымышленная 17, кв. 3',
  externalPerson: 'P-77-ZHUM',
  externalEmployee: 'E-77-ZHUM',
  number: 'T-009977',
  admitted: '2020-02-01',
  left: '2087-05-06',
  vacation: '23,998877 дней',
} as const;

const VALUES: readonly string[] = Object.values(KNOWN);

const PDF = 'application/pdf';
const HOUR_MS = 60 * 60 * 1000;

/** The bytes of a PDF that names the person. */
const pdfBytes = (title: string) => Buffer.from(`%PDF-1.7 ${title}: ${VALUES.join(' ')}`);

export interface KnownPerson {
  readonly tenant: TestTenant;
  readonly personId: string;
  readonly employeeIds: readonly string[];
  /** Somebody with the same first name, a manager of whom the person was. */
  readonly otherEmployeeId: string;
  /** The keys of the storage that may still name the person after its erasure: what was sent. */
  readonly evidence: readonly string[];
  readonly sentId: string;
  readonly secret: string;
}

async function ingested(store: Store, tenant: TestTenant) {
  const person = {
    external_id: KNOWN.externalPerson,
    first_name: KNOWN.first,
    last_name: KNOWN.last,
    middle_name: KNOWN.middle,
    birth_date: KNOWN.born,
    iin: KNOWN.iin,
    phone: KNOWN.phone,
    email: KNOWN.email,
    number: KNOWN.paper,
    registration_address: KNOWN.address,
  };
  const employee = (external_id: string, number: string) => ({
    external_id,
    number,
    external_person_id: KNOWN.externalPerson,
    admission_date: KNOWN.admitted,
    left_date: KNOWN.left,
    available_vacation_day_count: KNOWN.vacation,
  });
  const employees = [employee(KNOWN.externalEmployee, KNOWN.number), employee(`${KNOWN.externalEmployee}-2`, '7')];
  const applied = await accept(store, tenant.id, { pair: 'KEDO/PERSONS', records: [person] });
  const chunk = await store.ingest_chunks.findOne({ request_id: applied });
  await accept(store, tenant.id, { pair: 'KEDO/EMPLOYEES', records: employees });
  const skipped = { external_id: KNOWN.externalEmployee, admission_date: 5 };
  await accept(store, tenant.id, { pair: 'KEDO/EMPLOYEES', records: [skipped] });
  await applyIngest(store, tenant.id, new AbortController().signal);
  // Chunks that crashes have left: behind an applied batch, and of one that was never accepted.
  if (chunk === null) throw new Error('the batch had no chunk');
  const request_id = randomUUID();
  const neverAccepted = {
    ...chunk,
    _id: `${request_id}:0`,
    request_id,
    create_time: new Date(now().getTime() - 3 * HOUR_MS),
  };
  await store.ingest_chunks.insertMany([chunk, neverAccepted]);
  const found = await store.persons.findOne({ tenant_id: tenant.id, iin: KNOWN.iin });
  if (found === null) throw new Error('the person was not loaded');
  const places = { organization_id: randomUUID(), department_id: randomUUID(), job_title_id: randomUUID() };
  const more = { ...places, location_id: randomUUID(), work_email: KNOWN.work };
  await store.employees.updateMany({ person_id: found._id }, { $set: more });
  const rows = await store.employees.find({ person_id: found._id }).sort({ _id: 1 }).toArray();
  return { personId: found._id, employeeIds: rows.map(({ _id }) => _id) };
}

interface Papers {
  readonly tenant: TestTenant;
  readonly storage: Storage;
  readonly initiator: string;
  readonly subjects: readonly string[];
}

/** Writes two versions of bytes that name the person. @returns the latest */
async function written(storage: Storage, key: string) {
  await storage.write(key, PDF, pdfBytes('before'));
  return storage.write(key, PDF, pdfBytes(key));
}

async function stored({ tenant, storage }: Papers, documentId: string): Promise<StoredDocumentFile> {
  const file_id = randomUUID();
  const object = await written(storage, documentKey(tenant.id, documentId, file_id));
  return { file_id, file_type: 'FILE_TYPE_PDF', filename: `Приказ ${KNOWN.last}.pdf`, content_type: PDF, object };
}

/** A document with texts and a PDF that name the person. */
async function paper(papers: Papers, changes: Partial<DocumentRow> = {}): Promise<DocumentRow> {
  const _id = randomUUID();
  const title = `Приказ о приёме ${KNOWN.declined} ${KNOWN.first}`;
  const number = `№ ${KNOWN.number}-${KNOWN.iin}`;
  const values = JSON.stringify({
    who: `${KNOWN.last} ${KNOWN.first} ${KNOWN.middle}`,
    born: KNOWN.bornWritten,
    phone: KNOWN.phoneWritten,
  });
  const row = draftRow({
    _id,
    tenant_id: papers.tenant.id,
    initiator_employee_id: papers.initiator,
    subject_employee_ids: [...papers.subjects],
    title,
    number,
    ...searchFields({ title, number }),
    template: { id: randomUUID(), version: 1, values },
    files: changes.files ?? [await stored(papers, _id)],
    ...changes,
  });
  await papers.tenant.store.documents.insertOne(row);
  return row;
}

/** A slot whose employee has approved. */
export const approved = (employee_id: string, comment: string): StoredParticipant => ({
  id: randomUUID(),
  employee_id,
  key_type: 'SIMPLE',
  status: 'PARTICIPANT_STATUS_APPROVED',
  action: { at: now(), api_key_id: '', comment, pdf_sha256: '', signature_file_id: '', certificate_serial: '' },
});

export function routeOf(...participants: StoredParticipant[]): NonNullable<DocumentRow['route']> {
  const step = { id: randomUUID(), index: 0, step_type: 'STEP_TYPE_APPROVAL', rule: 'STEP_RULE_ALL' } as const;
  const steps = [{ ...step, status: 'STEP_STATUS_COMPLETED' as const, participants }];
  return { id: randomUUID(), status: 'ROUTE_STATUS_COMPLETED', steps };
}

/** The row of an upload that is confirmed, under the person's name. */
function uploadRow(tenant_id: string, changes: Partial<FileRow>): FileRow {
  const [filename, status, at] = [`${KNOWN.last}.pdf`, 'FILE_UPLOAD_STATUS_UPLOADED', now()] as const;
  return reservationRow({ tenant_id, filename, status, confirmed_at: at, sweep_at: at, ...changes });
}

/** An upload of an owner, with two versions of bytes that name the person. */
async function upload({ tenant, storage }: Papers, owner_id: string, changes: Partial<FileRow>): Promise<void> {
  const _id = randomUUID();
  const object = await written(storage, uploadKey(tenant.id, _id));
  await tenant.store.files.insertOne(uploadRow(tenant.id, { _id, owner_id, object, ...changes }));
}

/** Makes deliveries from all events that wait, as a worker does. */
export const relayed = (store: Store) =>
  relayEvents(
    store,
    { queued: () => {}, followed: (atMost) => followPersons(store, now(), atMost) },
    new AbortController().signal,
  );

/** Makes a tenant that knows the person, with everything closed, so that it can be erased. */
export async function knownPerson(store: Store, storage: Storage): Promise<KnownPerson> {
  const tenant = await TestTenant.create(store);
  const event_types = ['employee.changed', 'employee.deleted', 'person.changed', 'document.deleted'];
  await store.webhook_endpoints.insertOne(endpointRow({ tenant_id: tenant.id, event_types }));
  const other = await tenant.employee();
  const { personId, employeeIds } = await ingested(store, tenant);
  const [own = ''] = employeeIds;
  await store.employees.updateOne({ _id: other }, { $set: { manager_id: own } });
  await store.employees.updateOne({ _id: employeeIds[1] ?? '' }, { $set: { manager_id: other } });
  const user = userRow({ tenant_id: tenant.id, label: `${KNOWN.last}, кадры`, employee_id: own });
  await store.users.insertOne(user);
  const secret = newKey('test');
  await store.api_keys.insertOne(
    keyRow(secret, { tenant_id: tenant.id, owner_id: user._id, name: `of ${KNOWN.email}`, key_hash: hashKey(secret) }),
  );
  const papers = { tenant, storage, initiator: other, subjects: [own] };
  const sent = await paper(papers, {
    status: 'DOCUMENT_STATUS_COMPLETED',
    route: routeOf(approved(own, `${KNOWN.first}, ${KNOWN.phoneWritten}`), approved(other, `без ${KNOWN.declined}`)),
    actors: [other, own],
    visible_to: [other, own],
  });
  const [taken] = sent.files;
  if (taken === undefined) throw new Error('the document has no file');
  const link = { document_id: sent._id, linked_at: now(), sweep_at: null };
  await store.files.insertOne(uploadRow(tenant.id, { _id: taken.file_id, object: taken.object, ...link }));
  await paper(
    { ...papers, subjects: [other] },
    {
      status: 'DOCUMENT_STATUS_COMPLETED',
      title: `О пропуске ${KNOWN.iin}`,
      number: '',
      template: null,
      files: [],
      ...searchFields({ title: `О пропуске ${KNOWN.iin}`, number: '' }),
    },
  );
  // Drafts: of its own, of another about it, and one about both that was deleted.
  await paper({ ...papers, initiator: own, subjects: [] });
  await paper(papers);
  await paper({ ...papers, subjects: [own, other] }, { listed: false, deleted_at: now() });
  await upload(papers, user._id, {});
  const old = new Date(now().getTime() - 2 * HOUR_MS);
  await upload(papers, user._id, { create_time: old });
  await upload(papers, user._id, { status: 'FILE_UPLOAD_STATUS_RESERVED', object: null, confirmed_at: null });
  await relayed(store);
  const evidence = sent.files.map(({ object }) => object.key);
  return { tenant, personId, employeeIds, otherEmployeeId: other, evidence, sentId: sent._id, secret };
}

/** The folders of keys, by the digest of the key, in which a version of a file names the person. */
export function keysNamingIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const naming = files.filter(({ name, parentPath }) => valuesIn(readFileSync(join(parentPath, name))).length > 0);
  return [...new Set(naming.map(({ parentPath }) => basename(parentPath)))].toSorted();
}

/** How a storage folder names the folder of a key. */
export const digestOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** The two bytes with which what is packed begins. */
const GZIP = 0x1f8b;

/** The bytes in which a value may be found: as they are, unpacked, and as the texts that they hold. */
function* formsOf(bytes: Buffer): Generator<string> {
  yield bytes.toString('utf8').toLowerCase();
  yield bytes.toString('utf16le').toLowerCase();
  for (const at of bytes.subarray(1).keys()) {
    if (bytes.readUInt16BE(at) !== GZIP) continue;
    try {
      yield gunzipSync(bytes.subarray(at)).toString('utf8').toLowerCase();
    } catch {
      // These two bytes begin something else.
    }
  }
}

const escapedForms = (value: string): string[] => [
  value.toLowerCase(),
  [...value]
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
    .toLowerCase(),
  Buffer.from(value).toString('base64').replace(/=+$/, '').toLowerCase().slice(0, -2),
];

const FORMS = VALUES.flatMap(escapedForms);

/** Which values stand in the bytes, in any form. */
export function valuesIn(bytes: Buffer): string[] {
  const texts = [...formsOf(bytes)];
  return FORMS.filter((form) => texts.some((text) => text.includes(form)));
}

/** The collections, of all that the database has, in which a row names the person, with the values. */
export async function rowsNaming({ db }: Pick<Store, 'db'>): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    for await (const row of db.collection(name).find({})) {
      const values = valuesIn(Buffer.from(serialize(row)));
      if (values.length > 0) found[name] = [...new Set([...(found[name] ?? []), ...values])];
    }
  }
  return found;
}
