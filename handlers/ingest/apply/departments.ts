/** The departments of a tenant: reads their tree before a batch, and corrects `ancestor_ids` after it. */
import { setImmediate } from 'node:timers/promises';
import { writeRows } from '../../data/bulk.ts';
import type { IngestSource } from '../../data/collections/external_bindings.ts';
import { ofTenant } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import { type BindingName, bindingId, objectId } from '../bindings.ts';
import { type MappedRecord, sentName } from '../columns.ts';
import { mergedDetails } from './details.ts';
import type { Batch } from './draft.ts';
import { type IdentifiedRow, type Identity, identify, linkOf, namesOfIdentity } from './identity.ts';
import { NOUNS, unknownReference } from './plan-others.ts';
import { climb, type DepartmentReference, type Entry, type Placement, type Placements, placeAll } from './structure.ts';

/** How many ids one query or write handles. */
const ASKED_AT_ONCE = 1_000;

/** How many records are looked up before others get their turn at the thread. */
const PER_TURN = 500;

/** What a department's record says about its place and its identity. */
export interface DepartmentRecord extends Identity, Pick<MappedRecord, 'details' | 'references'> {
  readonly index: number;
  readonly kind: 'DEPARTMENT';
}

/** A department as it is, or as the records so far leave it. */
interface KnownDepartment extends IdentifiedRow {
  readonly parent_id: string;
}

async function departmentsOf(store: Store, tenantId: string): Promise<Map<string, KnownDepartment>> {
  const projection = { parent_id: 1, details: 1 } as const;
  const rows = await ofTenant(store.departments, tenantId).find({}, { projection }).toArray();
  return new Map(rows.map((row) => [row._id, row]));
}

/** Ids of objects by ids of the bindings of names. */
async function boundIds(store: Store, tenantId: string, names: readonly BindingName[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let from = 0; from < names.length; from += ASKED_AT_ONCE) {
    const keys = names.slice(from, from + ASKED_AT_ONCE).map((name) => bindingId(tenantId, name));
    const rows = await ofTenant(store.external_bindings, tenantId)
      .find({ _id: { $in: keys } })
      .toArray();
    for (const { _id, object_id } of rows) found.set(_id, object_id);
  }
  return found;
}

const named = (source: IngestSource, kind: 'ORGANIZATION' | 'DEPARTMENT', externalId: string): BindingName => ({
  source,
  kind,
  externalId,
});

/** The names that a reference to a department may have, in their order. */
const namesOfParent = (source: IngestSource, text: string): BindingName[] => [
  named(source, 'DEPARTMENT', text),
  ...(source === 'LEDGER' ? [linkOf(source, 'DEPARTMENT', text)] : []),
];

/** The records of one department, as one. */
interface Wish {
  readonly indexes: number[];
  references: MappedRecord['references'];
}

/** The departments of a batch, and the texts by which they and those that exist are known. */
class Directory {
  readonly wishes = new Map<string, Wish>();
  private readonly batch: Batch;
  private readonly existing: Map<string, KnownDepartment>;
  private readonly bound: Map<string, string>;

  constructor(batch: Batch, existing: ReadonlyMap<string, KnownDepartment>, bound: ReadonlyMap<string, string>) {
    this.batch = batch;
    this.existing = new Map(existing);
    this.bound = new Map(bound);
  }

  look(name: BindingName): KnownDepartment | undefined {
    return this.existing.get(this.bound.get(bindingId(this.batch.tenantId, name)) ?? '');
  }

  /** Notes a record as it will be applied: its department, which may be a new one, and the names that it brings. */
  add(record: DepartmentRecord): void {
    const { batch } = this;
    const before = identify(batch.source, record, (name) => this.look(name), batch.given);
    // The plan itself reports an external id that stays unknown.
    if (before === undefined && !batch.createMissing) return;
    const own = named(batch.source, 'DEPARTMENT', record.externalId);
    const id = before?._id ?? objectId(batch.requestId, own);
    const details = mergedDetails(before?.details, record.details);
    this.existing.set(id, { _id: id, parent_id: before?.parent_id ?? '', details });
    const names = before === undefined || record.isGiven ? [own] : [];
    const links = record.isGiven ? (record.naturals ?? []) : [];
    for (const name of [...names, ...links.map((link) => linkOf(batch.source, 'DEPARTMENT', link))]) {
      this.bound.set(bindingId(batch.tenantId, name), id);
    }
    const wish = this.wishes.get(id) ?? { indexes: [], references: {} };
    wish.indexes.push(record.index);
    wish.references = { ...wish.references, ...record.references };
    this.wishes.set(id, wish);
  }
}

/** Decides the places of a batch's departments. @param records of the whole batch, without superseded ones */
export async function placeDepartments(
  store: Store,
  batch: Batch,
  records: readonly DepartmentRecord[],
): Promise<Placements> {
  const { tenantId, source } = batch;
  const existing = await departmentsOf(store, tenantId);
  const tree = new Map([...existing].map(([id, { parent_id }]) => [id, parent_id]));
  const parents = new Set(records.flatMap(({ references }) => references.parent || []));
  const bound = await boundIds(store, tenantId, [
    ...records.flatMap((record) => namesOfIdentity(source, record)),
    ...[...parents].flatMap((parent) => namesOfParent(source, parent)),
  ]);
  const directory = new Directory(batch, existing, bound);
  for (const [n, record] of records.entries()) {
    directory.add(record);
    if (n % PER_TURN === 0) await setImmediate();
  }
  const organizations = await organizationIds(store, batch, records);
  const entries: Entry[] = [];
  for (const [id, { indexes, references }] of directory.wishes) {
    const { parent, organization } = references;
    const parentId = parent
      ? namesOfParent(source, parent).flatMap((name) => directory.look(name) ?? [])[0]?._id
      : parent;
    const organizationId = organization ? organizations.get(organization) : organization;
    const unresolved: DepartmentReference[] = [
      ...(organization && organizationId === undefined ? ['organization' as const] : []),
      ...(parent && parentId === undefined ? ['parent' as const] : []),
    ];
    entries.push({ index: indexes.at(-1) ?? 0, id, parentId, organizationId, unresolved });
    if (entries.length % PER_TURN === 0) await setImmediate();
  }
  const unknown = (reference: DepartmentReference) =>
    unknownReference(
      sentName(batch.columns, (column) => column.reference === reference),
      NOUNS[reference],
    );
  const placements = new Map<number, Placement>(placeAll(entries, tree, unknown));
  // All records of a department are applied, one after the other, and it stands where they say together.
  for (const { indexes } of directory.wishes.values()) {
    const placement = placements.get(indexes.at(-1) ?? 0);
    for (const index of indexes) if (placement !== undefined) placements.set(index, placement);
  }
  return placements;
}

/** Ids of the organisations that exist, by the external ids that the records refer to. */
async function organizationIds(
  store: Store,
  { tenantId, source }: Batch,
  records: readonly DepartmentRecord[],
): Promise<Map<string, string>> {
  const texts = [...new Set(records.flatMap(({ references }) => references.organization || []))];
  const bound = await boundIds(
    store,
    tenantId,
    texts.map((text) => named(source, 'ORGANIZATION', text)),
  );
  const there = await ofTenant(store.organizations, tenantId)
    .find({ _id: { $in: [...bound.values()] } }, { projection: { _id: 1 } })
    .toArray();
  const isThere = new Set(there.map(({ _id }) => _id));
  const idOf = (text: string) => bound.get(bindingId(tenantId, named(source, 'ORGANIZATION', text))) ?? '';
  return new Map(texts.flatMap((text) => (isThere.has(idOf(text)) ? [[text, idOf(text)] as const] : [])));
}

/** Makes `ancestor_ids` of every department match the tree, also below the departments that the batch moved. */
export async function settleAncestors(store: Store, tenantId: string): Promise<void> {
  const departments = ofTenant(store.departments, tenantId);
  const rows = await departments.find({}).toArray();
  const { ancestors } = climb(new Map(rows.map(({ _id, parent_id }) => [_id, parent_id])));
  const changes = rows.flatMap((before) => {
    const ancestor_ids = ancestors.get(before._id);
    const isRight = ancestor_ids === undefined || ancestor_ids.join() === before.ancestor_ids.join();
    return isRight ? [] : [{ before, after: { ...before, ancestor_ids } }];
  });
  for (let from = 0; from < changes.length; from += ASKED_AT_ONCE) {
    await writeRows(departments, changes.slice(from, from + ASKED_AT_ONCE));
  }
}
