/** A department tree of three levels for the conformance suite, whose rules move its middle. */
import type { DepartmentRow } from '../../../handlers/data/collections/departments.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { bindingId } from '../../../handlers/ingest/bindings.ts';
import { fixedId } from './fixtures.ts';

/** The external id by which KEDO knows the top. */
const EXTERNAL_ID = 'conformance-fixture-top';

/** Makes the tree. One that a run has left with its middle elsewhere is put together again. */
export async function ensureDepartmentTree(store: Store, tenantId: string, now: Date) {
  const ensure = async (name: string, above: readonly string[]): Promise<string[]> => {
    const id = fixedId(tenantId, `department ${name}`);
    const ancestor_ids = [id, ...above];
    const links: Partial<DepartmentRow> = { parent_id: above[0] ?? '', ancestor_ids };
    const made = { title: `Conformance: ${name}`, organization_id: '', create_time: now, update_time: now };
    const filter = { _id: id, tenant_id: tenantId };
    await store.departments.updateOne(filter, { $set: links, $setOnInsert: made }, { upsert: true });
    return ancestor_ids;
  };
  const [bottom = '', middle = '', top = ''] = await ensure('bottom', await ensure('middle', await ensure('top', [])));
  await bind(store, tenantId, top, now);
  return { top, middle, bottom, external_id: EXTERNAL_ID };
}

/** Lets batches of KEDO name the department as a parent. */
async function bind(store: Store, tenantId: string, departmentId: string, now: Date): Promise<void> {
  const name = { source: 'KEDO', kind: 'DEPARTMENT', externalId: EXTERNAL_ID } as const;
  const filter = { _id: bindingId(tenantId, name), tenant_id: tenantId };
  const made = {
    source_type: name.source,
    kind: name.kind,
    external_id: EXTERNAL_ID,
    object_id: departmentId,
    create_time: now,
  };
  await store.external_bindings.updateOne(filter, { $setOnInsert: made }, { upsert: true });
}
