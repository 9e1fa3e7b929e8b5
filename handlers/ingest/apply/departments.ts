/** The departments of a tenant: reads their tree before a batch, and corrects `ancestor_ids` after it. */
import { writeRows } from '../../data/bulk.ts';
import type { IngestSource, Store } from '../../data/store.ts';
import { bindingId, type Name, objectId } from '../bindings.ts';
import type { Mapped, Skipped } from '../columns.ts';
import type { Batch } from './draft.ts';
import { linkOf } from './known.ts';
import { climb, type Entry, type Placements, placeAll, type Tree } from './structure.ts';

/** How many ids one query or write handles. */
const ASKED_AT_ONCE = 1_000;

/** What a department's record says about its place. */
export interface DepartmentRecord {
  readonly index: number;
  readonly mapped: Pick<Mapped, 'externalId' | 'link' | 'references'> | Skipped;
}

async function treeOf(store: Store, tenantId: string): Promise<Tree> {
  const rows = await store.departments.find({ tenant_id: tenantId }, { projection: { parent_id: 1 } }).toArray();
  return new Map(rows.map(({ _id, parent_id }) => [_id, parent_id]));
}

/** Ids of the objects that texts refer to. @param nameOf makes the name from a text */
async function boundIds(
  store: Store,
  { tenantId, source }: Batch,
  nameOf: (source: IngestSource, text: string) => Name,
  texts: Iterable<string | undefined>,
): Promise<Map<string, string>> {
  const wanted = [...new Set(texts)].filter((text) => text !== undefined);
  const found = new Map<string, string>();
  for (let from = 0; from < wanted.length; from += ASKED_AT_ONCE) {
    const keys = wanted.slice(from, from + ASKED_AT_ONCE).map((text) => bindingId(tenantId, nameOf(source, text)));
    const rows = await store.external_bindings.find({ _id: { $in: keys }, tenant_id: tenantId }).toArray();
    for (const { external_id, object_id } of rows) found.set(external_id, object_id);
  }
  return found;
}

const organizationOf = (source: IngestSource, externalId: string): Name => ({
  source,
  kind: 'ORGANIZATION',
  externalId,
});

const departmentOf = (source: IngestSource, externalId: string): Name => ({ source, kind: 'DEPARTMENT', externalId });

/** Ids of departments by the texts in references: by external id, and for LEDGER also by the `Ссылка` beside it. */
interface Called {
  readonly byId: ReadonlyMap<string, string>;
  readonly byLink: ReadonlyMap<string, string>;
}

/** The texts for existing departments and for those of the batch; if both use the same text, the batch counts. */
async function calledIn(
  store: Store,
  batch: Batch,
  records: readonly Pick<Mapped, 'externalId' | 'link' | 'references'>[],
  tree: Tree,
): Promise<Called> {
  const there = (found: Map<string, string>) => new Map([...found].filter(([, id]) => tree.has(id)));
  const parents = records.map(({ references }) => references.parent);
  const own = records.map(({ externalId }) => externalId);
  const byId = there(await boundIds(store, batch, departmentOf, [...own, ...parents]));
  const byLink = there(batch.source === 'LEDGER' ? await boundIds(store, batch, linkOf, parents) : new Map());
  for (const { externalId, link } of records) {
    if (!byId.has(externalId) && batch.createMissing) {
      byId.set(externalId, objectId(batch.requestId, departmentOf(batch.source, externalId)));
    }
    const id = byId.get(externalId);
    if (link !== undefined && id !== undefined) byLink.set(link, id);
  }
  return { byId, byLink };
}

/** Decides the places of a batch's departments. @param records of the whole batch, without superseded ones */
export async function placeDepartments(
  store: Store,
  batch: Batch,
  records: readonly DepartmentRecord[],
): Promise<Placements> {
  const valid = records.flatMap(({ index, mapped }) => ('skipped' in mapped ? [] : [{ index, ...mapped }]));
  const tree = await treeOf(store, batch.tenantId);
  const organizationIds = valid.map(({ references }) => references.organization);
  const organizations = await boundIds(store, batch, organizationOf, organizationIds);
  const there = await store.organizations
    .find({ _id: { $in: [...organizations.values()] }, tenant_id: batch.tenantId }, { projection: { _id: 1 } })
    .toArray();
  const isThere = new Set(there.map(({ _id }) => _id));
  const { byId, byLink } = await calledIn(store, batch, valid, tree);
  const entries = valid.flatMap(({ index, externalId, references }): Entry[] => {
    const { parent, organization } = references;
    const id = byId.get(externalId);
    const parentId = parent ? (byId.get(parent) ?? byLink.get(parent)) : parent;
    const organizationId = organization ? organizations.get(organization) : organization;
    // The plan itself reports an external id that stays unknown.
    if (id === undefined) return [];
    const isUnknown = organization ? !isThere.has(organizationId ?? '') : false;
    const problem = isUnknown
      ? 'The organisation that it refers to is not known.'
      : parent && parentId === undefined
        ? 'The department above it is not known.'
        : '';
    return [{ index, id, parentId, organizationId, problem }];
  });
  return placeAll(entries, tree);
}

/** Makes `ancestor_ids` of every department match the tree, also below the departments that the batch moved. */
export async function settleAncestors(store: Store, tenantId: string): Promise<void> {
  const rows = await store.departments.find({ tenant_id: tenantId }).toArray();
  const { ancestors } = climb(new Map(rows.map(({ _id, parent_id }) => [_id, parent_id])));
  const changes = rows.flatMap((before) => {
    const ancestor_ids = ancestors.get(before._id);
    const isRight = ancestor_ids === undefined || ancestor_ids.join() === before.ancestor_ids.join();
    return isRight ? [] : [{ before, after: { ...before, ancestor_ids } }];
  });
  for (let from = 0; from < changes.length; from += ASKED_AT_ONCE) {
    await writeRows(store.departments, changes.slice(from, from + ASKED_AT_ONCE));
  }
}
