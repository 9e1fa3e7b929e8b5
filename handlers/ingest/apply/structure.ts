/**
 * Decides the places of a batch's departments. This is done for the whole batch before any of it is written, since each
 * may be below any other, in any order. Departments that would make a cycle or be too deep are skipped; the rest is
 * then checked again, as a skipped department stays where it was. A repetition after a crash decides the same: applied
 * departments are where the batch wants them, and skipped ones never moved.
 */

/** The most levels of the tree, including the top one: as many as the settings can handle. */
export const DEEPEST = 100;
/** After this many rounds existing departments stay where they are, so that no batch takes long. */
const MAX_ROUNDS = 20;

const CYCLE = 'It stands in a cycle of departments.';
const TOO_DEEP = `It would stand more than ${DEEPEST} levels deep.`;
const ENTANGLED = 'Too many cycles and levels in one batch: it stays where it is.';

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

/** What a department may refer to. */
export type DepartmentReference = 'parent' | 'organization';

/** Where a department is to stand. */
export interface TreePlace {
  readonly parentId: string;
  readonly ancestorIds: string[];
  readonly organizationId: string | undefined;
  readonly unresolved: readonly DepartmentReference[];
}

export type Placement = TreePlace | { readonly skipped: string };

/** Placements by the record's place in the batch. */
export type Placements = ReadonlyMap<number, Placement>;

/** A record to be skipped, and why. */
interface Wrong {
  readonly entry: Entry;
  readonly reason: string;
}

/** Id of the parent by id of the department; `''` at the top. */
export type Tree = ReadonlyMap<string, string>;

/**
 * The ids from each department up to the top, itself first. Departments in or below a cycle, or too deep, have none.
 * @param tree a parent that is not in it counts as none
 */
export function climb(tree: Tree): { ancestors: Map<string, string[]>; cycles: string[][] } {
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

/**
 * @param tree the existing departments of the tenant
 * @param unknown the reason for skipping a department with an unknown reference
 */
export function placeAll(
  entries: readonly Entry[],
  tree: Tree,
  unknown: (reference: DepartmentReference) => string,
): Placements {
  const placements = new Map<number, Placement>();
  const active = new Map(entries.map((entry) => [entry.id, entry]));
  const below = Map.groupBy(entries, ({ parentId }) => parentId ?? '');

  /** Skips records; with each department that is not created, also the records of new departments below it. */
  function drop(wrong: readonly Wrong[]): void {
    const dropped = [...wrong].filter(({ entry }) => active.delete(entry.id));
    // The loop also visits entries that are appended on the way.
    for (const { entry, reason } of dropped) {
      placements.set(entry.index, { skipped: reason });
      if (tree.has(entry.id)) continue;
      for (const child of below.get(entry.id) ?? []) {
        const wanted = active.get(child.id);
        if (wanted === undefined) continue;
        if (tree.has(child.id)) {
          active.set(child.id, { ...wanted, parentId: undefined, unresolved: [...wanted.unresolved, 'parent'] });
        } else if (active.delete(child.id)) dropped.push({ entry: child, reason: unknown('parent') });
      }
    }
  }

  drop(
    entries.flatMap((entry) => {
      const [reference] = tree.has(entry.id) ? [] : entry.unresolved;
      return reference === undefined ? [] : [{ entry, reason: unknown(reference) }];
    }),
  );
  for (let round = 0; ; round++) {
    const wanted = wantedTree(active, tree);
    const { ancestors, cycles } = climb(wanted);
    const wrong = cycles.flat().flatMap((id): Wrong[] => {
      const entry = active.get(id);
      return entry?.parentId ? [{ entry, reason: CYCLE }] : [];
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
    drop(moving.map((entry) => ({ entry, reason: ENTANGLED })));
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
  return [...found].map((entry) => ({ entry, reason: TOO_DEEP }));
}
