/**
 * The places of a batch's departments. They are decided for the whole batch before any of it is written, since each may
 * be below any other, in any order. Departments that would make a cycle or be too deep are skipped; the rest is then
 * checked again, as a skipped department stays where it was. A repetition after a crash decides the same: applied
 * departments are where the batch wants them, and skipped ones never moved.
 */
import { setImmediate } from 'node:timers/promises';
import { writeRows } from '../../data/bulk.ts';
import { ofTenant } from '../../data/of-tenant.ts';
import type { Store } from '../../data/store.ts';
import {
  type BindingName,
  bindingId,
  type IdentifiedRow,
  type Identity,
  identifyDepartment,
  linkOf,
  namesOfIdentity,
  objectId,
} from '../bindings.ts';
import { type MappedRecord, mergedDetails } from '../record-columns.ts';
import { bindingsOf, namesOf } from './known.ts';
import type { Batch, DepartmentReference, Placement, Placements, SkippedPlace } from './planned-rows.ts';

/** The most levels of the tree, including the top one: as many as the settings can handle. */
export const DEEPEST = 100;
/** After this many rounds existing departments stay where they are, so that no batch takes long. */
const MAX_ROUNDS = 20;
/** How many records are looked up before others get their turn at the thread. */
const PER_TURN = 500;
/** How many departments one command writes. */
const WRITTEN_AT_ONCE = 1_000;

const CYCLE = { skipped: 'It stands in a cycle of departments.' };
const TOO_DEEP = { skipped: `It would stand more than ${DEEPEST} levels deep.` };
const ENTANGLED = { skipped: 'Too many cycles and levels in one batch: it stays where it is.' };

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
  const ids = names.map((name) => bindingId(tenantId, name));
  const rows = await bindingsOf(store, tenantId, ids);
  return new Map(rows.map(({ _id, object_id }) => [_id, object_id]));
}

/** The records of one department, as one. */
interface Wish {
  readonly indexes: number[];
  references: MappedRecord['references'];
}

/** The departments of a batch, and the texts by which they and those that exist are known. Both maps get what is new. */
function directoryOf(batch: Batch, existing: Map<string, KnownDepartment>, bound: Map<string, string>) {
  const wishes = new Map<string, Wish>();
  const look = (name: BindingName) => existing.get(bound.get(bindingId(batch.tenantId, name)) ?? '');

  /** Notes a record as it will be applied: its department, which may be a new one, and the names that it brings. */
  function add(record: DepartmentRecord): void {
    const before = identifyDepartment(batch.source, record, look, batch.facts.given);
    // The plan itself reports an external id that stays unknown.
    if (before === undefined && !batch.createMissing) return;
    const own = { source: batch.source, kind: 'DEPARTMENT' as const, externalId: record.externalId };
    const id = before?._id ?? objectId(batch.requestId, own);
    const details = mergedDetails(before?.details, record.details);
    existing.set(id, { _id: id, parent_id: before?.parent_id ?? '', details });
    const names = before === undefined || record.isGiven ? [own] : [];
    const links = record.isGiven ? (record.naturals ?? []) : [];
    for (const name of [...names, ...links.map((link) => linkOf(batch.source, 'DEPARTMENT', link))]) {
      bound.set(bindingId(batch.tenantId, name), id);
    }
    const wish = wishes.get(id) ?? { indexes: [], references: {} };
    wish.indexes.push(record.index);
    wish.references = { ...wish.references, ...record.references };
    wishes.set(id, wish);
  }

  return { wishes, look, add };
}

/** Decides the places of a batch's departments. @param records of the whole batch, without superseded ones */
export async function placeDepartments(
  store: Store,
  batch: Batch,
  records: readonly DepartmentRecord[],
): Promise<Placements> {
  const { tenantId, source } = batch;
  const namesOfParent = (parent: string) => namesOf(source, 'parent', parent);
  const existing = await departmentsOf(store, tenantId);
  const tree = new Map([...existing].map(([id, { parent_id }]) => [id, parent_id]));
  const bound = await boundIds(store, tenantId, [
    ...records.flatMap((record) => namesOfIdentity(source, record)),
    ...records.flatMap(({ references: { parent } }) => (parent ? namesOfParent(parent) : [])),
  ]);
  const directory = directoryOf(batch, existing, bound);
  for (const [n, record] of records.entries()) {
    directory.add(record);
    if (n % PER_TURN === 0) await setImmediate();
  }
  const organizations = await organizationIds(store, batch, records);
  const entries: Entry[] = [];
  for (const [id, { indexes, references }] of directory.wishes) {
    const { parent, organization } = references;
    const parentId = parent ? namesOfParent(parent).flatMap((name) => directory.look(name) ?? [])[0]?._id : parent;
    const organizationId = organization ? organizations.get(organization) : organization;
    const unresolved: DepartmentReference[] = [
      ...(organization && organizationId === undefined ? ['organization' as const] : []),
      ...(parent && parentId === undefined ? ['parent' as const] : []),
    ];
    entries.push({ index: indexes.at(-1) ?? 0, id, parentId, organizationId, unresolved });
    if (entries.length % PER_TURN === 0) await setImmediate();
  }
  const placements = placeAll(entries, tree);
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
  const names = texts.map((externalId) => ({ source, kind: 'ORGANIZATION' as const, externalId }));
  const bound = await boundIds(store, tenantId, names);
  const there = await ofTenant(store.organizations, tenantId)
    .find({ _id: { $in: [...bound.values()] } }, { projection: { _id: 1 } })
    .toArray();
  const isThere = new Set(there.map(({ _id }) => _id));
  const ids = names.map((name) => [name.externalId, bound.get(bindingId(tenantId, name)) ?? ''] as const);
  return new Map(ids.filter(([, id]) => isThere.has(id)));
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
  for (let from = 0; from < changes.length; from += WRITTEN_AT_ONCE) {
    await writeRows(departments, changes.slice(from, from + WRITTEN_AT_ONCE));
  }
}

/** The place that a department's record requests. */
export interface Entry {
  readonly index: number;
  /** Id of the department, also of one that is yet to be created. */
  readonly id: string;
  /** Id of the department above it, `''` for none; undefined leaves it where it is. */
  readonly parentId: string | undefined;
  readonly organizationId: string | undefined;
  /** References that are not known: an existing department stays as it was there, a new one is skipped. */
  readonly unresolved: readonly DepartmentReference[];
}

/** A record to be skipped, and why. */
interface Wrong {
  readonly entry: Entry;
  readonly why: SkippedPlace;
}

/** Id of the parent by id of the department; `''` at the top. */
export type Tree = ReadonlyMap<string, string>;

/**
 * The ids from each department up to the top, itself first. Departments in or below a cycle, or too deep, have none.
 * @param tree a parent that is not in it counts as none
 */
function climb(tree: Tree): { ancestors: Map<string, string[]>; cycles: string[][] } {
  const ancestors = new Map<string, string[]>();
  const cycles: string[][] = [];
  const seen = new Set<string>();
  for (const start of tree.keys()) {
    const path: string[] = [];
    let id = start;
    while (tree.has(id) && !seen.has(id)) {
      seen.add(id);
      path.push(id);
      id = tree.get(id) ?? '';
    }
    const turn = path.indexOf(id);
    if (turn >= 0) cycles.push(path.slice(turn));
    let above = tree.has(id) ? ancestors.get(id) : [];
    for (const each of path.reverse()) {
      if (above === undefined) break;
      above = above.length >= DEEPEST ? undefined : [each, ...above];
      if (above !== undefined) ancestors.set(each, above);
    }
  }
  return { ancestors, cycles };
}

/** @param tree the existing departments of the tenant */
export function placeAll(entries: readonly Entry[], tree: Tree): Map<number, Placement> {
  const placements = new Map<number, Placement>();
  const active = new Map(entries.map((entry) => [entry.id, entry]));
  const below = Map.groupBy(entries, ({ parentId }) => parentId ?? '');

  /** Skips records; with each department that is not created, also the records of new departments below it. */
  function drop(wrong: readonly Wrong[]): void {
    const dropped = [...wrong].filter(({ entry }) => active.delete(entry.id));
    // The loop also visits entries that are appended on the way.
    for (const { entry, why } of dropped) {
      placements.set(entry.index, why);
      if (tree.has(entry.id)) continue;
      for (const child of below.get(entry.id) ?? []) {
        const wanted = active.get(child.id);
        if (wanted === undefined) continue;
        if (tree.has(child.id)) {
          active.set(child.id, { ...wanted, parentId: undefined, unresolved: [...wanted.unresolved, 'parent'] });
        } else if (active.delete(child.id)) dropped.push({ entry: child, why: { unknown: 'parent' } });
      }
    }
  }

  drop(
    entries.flatMap((entry) => {
      const [unknown] = tree.has(entry.id) ? [] : entry.unresolved;
      return unknown === undefined ? [] : [{ entry, why: { unknown } }];
    }),
  );
  for (let round = 0; ; round++) {
    const wanted = wantedTree(active, tree);
    const { ancestors, cycles } = climb(wanted);
    const wrong = cycles.flat().flatMap((id): Wrong[] => {
      const entry = active.get(id);
      return entry?.parentId ? [{ entry, why: CYCLE }] : [];
    });
    if (wrong.length === 0) wrong.push(...tooDeep(wanted, ancestors, active, tree));
    if (wrong.length === 0) {
      for (const { id, index, organizationId, unresolved } of active.values()) {
        const ancestorIds = ancestors.get(id) ?? [id];
        placements.set(index, { parentId: wanted.get(id) ?? '', ancestorIds, organizationId, unresolved });
      }
      return placements;
    }
    drop(wrong);
    if (round < MAX_ROUNDS) continue;
    const moving = [...active.values()].filter((entry) => moves(entry, tree) && tree.has(entry.id));
    drop(moving.map((entry) => ({ entry, why: ENTANGLED })));
  }
}

/** Whether the record creates or moves its department. */
function moves({ id, parentId }: Entry, tree: Tree): boolean {
  return !tree.has(id) || (parentId !== undefined && parentId !== tree.get(id));
}

/** The tree after all records that are not skipped are applied. */
function wantedTree(active: ReadonlyMap<string, Entry>, tree: Tree): Map<string, string> {
  const wanted = new Map(tree);
  for (const { id, parentId } of active.values()) wanted.set(id, parentId ?? tree.get(id) ?? '');
  return wanted;
}

/**
 * The records that make departments too deep: for each such department, the nearest record on its way up that moves.
 */
function tooDeep(
  wanted: Tree,
  ancestors: ReadonlyMap<string, string[]>,
  active: ReadonlyMap<string, Entry>,
  tree: Tree,
): Wrong[] {
  const found = new Set<Entry>();
  const looked = new Set<string>();
  for (const start of wanted.keys()) {
    if (ancestors.has(start)) continue;
    for (let id = start; wanted.has(id) && !looked.has(id); id = wanted.get(id) ?? '') {
      looked.add(id);
      const entry = active.get(id);
      if (entry === undefined || !moves(entry, tree)) continue;
      found.add(entry);
      break;
    }
  }
  return [...found].map((entry) => ({ entry, why: TOO_DEEP }));
}
