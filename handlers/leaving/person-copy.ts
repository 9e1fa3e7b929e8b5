/** The copy of what is kept of a person, for that person: nothing of anybody else is in it. */
import { type DocumentRow, documentLife, type StoredDocumentFile } from '../data/collections/documents.ts';
import type { PersonRow } from '../data/collections/persons.ts';
import { type FieldMet, fieldsMet, type RowLife } from '../data/field-life.ts';
import { type OwnedRow, ofTenant } from '../data/of-tenant.ts';
import { type CollectionName, declarationOf, type Filter, type Store } from '../data/store.ts';
import { documentView } from '../documents/view.ts';
import { bindingsOfPerson } from './ingest-traces.ts';
import { documentsNaming, isAboutOthers } from './person-documents.ts';

/** What the copy leaves out, and why. */
interface LeftOut {
  readonly what: string;
  readonly because: string;
  readonly ids: readonly string[];
}

/** A copy: JSON documents by their names, and files of documents that go with them. */
interface PersonCopy {
  readonly parts: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly path: string; readonly file: StoredDocumentFile }[];
  readonly leftOut: readonly LeftOut[];
}

const parsed = (json: string | undefined): unknown => (json ? JSON.parse(json) : {});

/** The given fields of a row that some audiences meet. */
function fieldsOf(row: object, life: RowLife<unknown>, ...audiences: readonly string[]) {
  const met: readonly string[] = fieldsMet(life, ...audiences);
  return Object.fromEntries(Object.entries(row).filter(([field]) => met.includes(field)));
}

/** A row as people get it: its id under the contract's name, and no field that is not said to be in copies. */
function copyOf(name: CollectionName, row: { readonly _id: string }): { id: string; details?: unknown } {
  const { life } = declarationOf(name);
  return { id: row._id, ...fieldsOf(row, life, 'copied', 'shown', 'filtered', 'searched', 'hideable') };
}

const EXTRA = {
  organization_id: 'organizations',
  department_id: 'departments',
  job_title_id: 'job_titles',
  location_id: 'locations',
} as const;

async function employmentParts(store: Store, tenantId: string, person: PersonRow) {
  const rows = await ofTenant(store.employees, tenantId).find({ person_id: person._id }).toArray();
  return Promise.all(
    rows.map(async (row) => {
      const titles = Object.entries(EXTRA).map(async ([field, collection]) => {
        const found = await ofTenant(store.db.collection<OwnedRow & { title: string }>(collection), tenantId).findOne({
          _id: row[field as keyof typeof EXTRA],
        });
        return [field.replace(/_id$/, ''), found?.title ?? ''] as const;
      });
      const { details: _, ...plain } = copyOf('employees', row);
      return { ...plain, id: row._id, ...Object.fromEntries(await Promise.all(titles)), details: parsed(row.details) };
    }),
  );
}

/** The document with the person's own slots; of others not even ids. */
function documentPart(row: DocumentRow, ids: readonly string[]) {
  const ofPerson: Record<FieldMet<typeof documentLife, 'searched' | 'copied'>, unknown> = {
    title: row.title,
    number: row.number,
    template: row.template && { ...row.template, values: parsed(row.template.values) },
  };
  const own = (id: string) => (ids.includes(id) ? id : '');
  return {
    id: row._id,
    ...fieldsOf(documentView({ ...row, files: [] }), documentLife, 'shown', 'filtered'),
    files: row.files.map(({ file_id, file_type }) => ({ file_id, file_type })),
    ...(!isAboutOthers(row, ids) && ofPerson),
    initiator_employee_id: own(row.initiator_employee_id),
    subject_employee_ids: row.subject_employee_ids.filter((id) => ids.includes(id)),
    own_slots: (row.route?.steps ?? []).flatMap(({ index, step_type, participants }) =>
      participants
        .filter(({ employee_id }) => ids.includes(employee_id))
        .map((slot) => ({ step: index, step_type, ...slot })),
    ),
  };
}

/** The files that are the person's: those of a document about it alone, and the signatures that it made itself. */
function filesOf(row: DocumentRow, ids: readonly string[]): StoredDocumentFile[] {
  const slots = (row.route?.steps ?? []).flatMap(({ participants }) => participants);
  const signatures = slots.flatMap(({ employee_id, action }) =>
    ids.includes(employee_id) && action !== null ? [action.signature_file_id] : [],
  );
  return row.files.filter(({ file_id, file_type }) =>
    file_type === 'FILE_TYPE_SIGNATURE' ? signatures.includes(file_id) : !isAboutOthers(row, ids),
  );
}

const pathOf = (row: DocumentRow, { file_id, file_type }: StoredDocumentFile) =>
  `files/${row._id}/${file_id}.${file_type === 'FILE_TYPE_SIGNATURE' ? 'cms' : 'pdf'}`;

/** Makes the copy of what is kept of a person. The bytes of its files are not read yet. */
export async function personCopy(store: Store, tenantId: string, person: PersonRow): Promise<PersonCopy> {
  const employments = await employmentParts(store, tenantId, person);
  const ids = employments.map(({ id }) => id);
  const documents = await documentsNaming(store, tenantId, ids).toArray();
  const copies = async (name: CollectionName, filter: Filter<OwnedRow>) => {
    const rows = await ofTenant(store.db.collection<OwnedRow>(name), tenantId).find(filter).toArray();
    return rows.map((row) => copyOf(name, row));
  };
  const users = await copies('users', { employee_id: { $in: ids } });
  const owned = { owner_id: { $in: users.map(({ id }) => id) } };
  const keys = await copies('api_keys', owned);
  const about = [person._id, ...ids, ...[...users, ...keys].map(({ id }) => id)];
  const bindings = await bindingsOfPerson(store, { tenantId, personId: person._id, employeeIds: ids });
  const subjects = [...ids, ...documents.map(({ _id }) => _id)];
  const entries = ofTenant(store.audit_entries, tenantId).find({});
  const audit = (await entries.toArray()).filter(({ about: given, results }) =>
    [...Object.values(given), ...results].some((id) => about.includes(id)),
  );
  const files = documents.flatMap((row) => filesOf(row, ids).map((file) => ({ path: pathOf(row, file), file })));
  const copied = new Set(files.map(({ file }) => file.file_id));
  const others = documents.flatMap((row) => row.files.filter(({ file_id }) => !copied.has(file_id)));
  return {
    parts: {
      person: { ...copyOf('persons', person), details: parsed(person.details) },
      employments,
      documents: documents.map((row) => documentPart(row, ids)),
      users,
      keys,
      uploads: await copies('files', owned),
      external_ids: bindings.map((row) => ({
        ...copyOf('external_bindings', row),
        object_id: [row.object_id, ...(row.others ?? [])].find((id) => [person._id, ...ids].includes(id)),
      })),
      ingest_outcomes: await copies('ingest_outcomes', { object_id: { $in: [person._id, ...ids] } }),
      deliveries: await copies('deliveries', { 'subject.id': { $in: subjects } }),
      audit: audit.map((row) => copyOf('audit_entries', row)),
    },
    files,
    leftOut: [
      {
        what: 'files of documents',
        because: 'they are about other persons too, or are signatures of others, whose certificates name them',
        ids: others.map(({ file_id }) => file_id),
      },
      {
        what: 'titles, numbers and values of documents',
        because: 'the documents are about other persons too',
        ids: documents.filter((row) => isAboutOthers(row, ids)).map(({ _id }) => _id),
      },
      { what: 'managers, and other participants of routes', because: 'they are other persons', ids: [] },
    ],
  };
}
