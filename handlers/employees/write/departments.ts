/**
 * Writes to the department tree. `ancestor_ids` follows from `parent_id`. Repeating an interrupted move completes it.
 */
import { randomUUID } from 'node:crypto';
import type { DepartmentRow } from '../../data/collections/departments.ts';
import { ofTenant } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import { ChangeRefused } from './fields.ts';

const DEEPEST = 100;

function refuse(field: string, description: string): never {
  throw new ChangeRefused([{ field, description }]);
}

/** The department and all above it, by their links, nearest first. @throws ChangeRefused if one is unknown */
async function chain(store: Store, tenantId: string, id: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next = id; next !== ''; ) {
    if (ids.includes(next) || ids.length >= DEEPEST) refuse('parent_id', 'lies in a cycle, or too deep in the tree');
    const row = await ofTenant(store.departments, tenantId).findOne({ _id: next }, { projection: { parent_id: 1 } });
    if (!row) refuse('parent_id', 'is not known in this tenant');
    ids.push(next);
    next = row.parent_id;
  }
  return ids;
}

/**
 * Creates a department below `parentId`, or at the top when that is `''`.
 * @throws ChangeRefused when the parent or the organisation is not known
 */
export async function createDepartment(
  store: Store,
  tenantId: string,
  fields: Pick<DepartmentRow, 'title' | 'parent_id' | 'organization_id'>,
  now: Date,
): Promise<DepartmentRow> {
  const id = randomUUID();
  const above = await chain(store, tenantId, fields.parent_id);
  const { organization_id } = fields;
  if (organization_id !== '' && !(await ofTenant(store.organizations, tenantId).findOne({ _id: organization_id }))) {
    refuse('organization_id', 'is not known in this tenant');
  }
  const row = {
    _id: id,
    tenant_id: tenantId,
    ...fields,
    ancestor_ids: [id, ...above],
    create_time: now,
    update_time: now,
  };
  await ofTenant(store.departments, tenantId).insertOne(row);
  return row;
}

/** The correct `ancestor_ids` of a subtree, top first, from the links alone. @param top those of its root */
export function subtreeAncestors(
  rows: readonly Pick<DepartmentRow, '_id' | 'parent_id'>[],
  rootId: string,
  top: readonly string[],
): Map<string, string[]> {
  const children = Map.groupBy(rows, ({ parent_id }) => parent_id);
  const ancestors = new Map<string, string[]>([[rootId, [...top]]]);
  // A map is iterated in the order of insertion, so the loop also visits entries that are added on the way.
  for (const [id, own] of ancestors) {
    for (const child of children.get(id) ?? []) {
      if (!ancestors.has(child._id)) ancestors.set(child._id, [child._id, ...own]);
    }
  }
  return ancestors;
}

/**
 * Moves a department with all below it under another one, or to the top (`''`).
 * @returns how many departments were rewritten, or null when the tenant has no such department
 * @throws ChangeRefused when the parent is unknown, is the department itself, or lies below it
 */
export async function moveDepartment(
  store: Store,
  tenantId: string,
  id: string,
  parentId: string,
  now: Date,
): Promise<number | null> {
  const departments = ofTenant(store.departments, tenantId);
  const row = await departments.findOne({ _id: id });
  if (!row) return null;
  const above = await chain(store, tenantId, parentId);
  if (above.includes(id)) refuse('parent_id', 'must not be the department itself or one below it');
  const own = [id, ...above];
  // The departments below have this one among their ancestors before, during and after the move.
  const below = await departments.find({ ancestor_ids: id }).toArray();
  let written = 0;
  for (const [each, ancestor_ids] of subtreeAncestors(below, id, own)) {
    const before = below.find(({ _id }) => _id === each);
    const moves = each === id && row.parent_id !== parentId;
    if (!moves && before?.ancestor_ids.join() === ancestor_ids.join()) continue;
    const set = moves ? { parent_id: parentId, ancestor_ids, update_time: now } : { ancestor_ids };
    await departments.updateOne({ _id: each }, { $set: set });
    written++;
  }
  return written;
}

/**
 * Deletes a department that nothing uses.
 * @returns false when the tenant has no such department
 * @throws ChangeRefused when employees, departments or a permission profile refer to it
 */
export async function deleteDepartment(store: Store, tenantId: string, id: string): Promise<boolean> {
  const departments = ofTenant(store.departments, tenantId);
  const [child, employee, user] = await Promise.all([
    departments.findOne({ ancestor_ids: id, _id: { $ne: id } }, { projection: { _id: 1 } }),
    ofTenant(store.employees, tenantId).findOne(
      { listed: { $in: [true, false] }, department_id: id },
      { projection: { _id: 1 } },
    ),
    ofTenant(store.users, tenantId).findOne({ 'profile.employees.departments': id }, { projection: { _id: 1 } }),
  ]);
  if (child) refuse('department', 'has departments below it; move or delete them first');
  if (employee) refuse('department', 'has employees (drafts and deleted ones count); move them first');
  if (user) refuse('department', `is named in the permission profile of the user ${user._id}; change that first`);
  return (await departments.deleteOne({ _id: id })).deletedCount === 1;
}
