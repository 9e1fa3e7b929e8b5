import { fail } from './errors.ts';
import { compileExpression } from './expressions.ts';
import { isNumeric } from './numbers.ts';
import { type Expression, isTruthy } from './operators.ts';
import { type Doc, getField, isDoc, setField, typeName, type Value } from './values.ts';

/** The single field of a stage. Fails with 40323 if there are more fields, or none. */
export function stageOf(stage: Value): [name: string, spec: Value] {
  const entries = isDoc(stage) ? Object.entries(stage) : [];
  const [only] = entries;
  if (only === undefined || entries.length > 1)
    return fail(40323, 'A pipeline stage specification object must contain exactly one field.');
  return only;
}

/** Makes one document from another; it may change the given one while doing so. */
export type Transform = (doc: Doc) => Doc;

/** The fields of a projection as a tree. Paths with the same beginning share a branch. */
type Branch = Map<string, Leaf | Branch>;
type Leaf =
  | { readonly kind: 'include' }
  | { readonly kind: 'exclude' }
  | { readonly kind: 'compute'; readonly expression: Expression };

/** Puts a leaf at a path. Fails if one path is the beginning of another (manual: "Path Collision"). */
function putLeaf(tree: Branch, path: string, leaf: Leaf): void {
  const parts = path.split('.');
  if (parts.includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
  let branch = tree;
  for (const [i, part] of parts.entries()) {
    if (part.startsWith('$')) fail(16410, "FieldPath field names may not start with '$'.");
    const next = branch.get(part);
    if (i === parts.length - 1) {
      if (next !== undefined) fail(31250, `Path collision at ${path}`);
      branch.set(part, leaf);
    } else if (next instanceof Map) branch = next;
    else {
      if (next !== undefined)
        fail(31249, `Path collision at ${path} remaining portion ${parts.slice(i + 1).join('.')}`);
      const fresh: Branch = new Map();
      branch.set(part, fresh);
      branch = fresh;
    }
  }
}

/** Keeps the fields of a tree of inclusions, also in documents inside arrays. Branches without values become `{}`. */
function include(doc: Doc, tree: Branch): Doc {
  const result: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const node = tree.get(name);
    if (node === undefined) continue;
    if (!(node instanceof Map)) {
      if (node.kind === 'include') setField(result, name, value);
      continue;
    }
    const inner = includeValue(value, node);
    if (inner !== undefined) setField(result, name, inner);
  }
  return result;
}

function includeValue(value: Value, branch: Branch): Value | undefined {
  if (isDoc(value)) return include(value, branch);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => {
    const inner = includeValue(item, branch);
    return inner === undefined ? [] : [inner];
  });
}

/** Removes the fields of a tree of exclusions, also in documents inside arrays. */
function exclude(doc: Doc, tree: Branch): Doc {
  const result: Doc = {};
  for (const [name, value] of Object.entries(doc)) {
    const node = tree.get(name);
    if (node === undefined) setField(result, name, value);
    else if (node instanceof Map) setField(result, name, excludeValue(value, node));
    else if (node.kind !== 'exclude') setField(result, name, value);
  }
  return result;
}

function excludeValue(value: Value, branch: Branch): Value {
  if (isDoc(value)) return exclude(value, branch);
  return Array.isArray(value) ? value.map((item) => excludeValue(item, branch)) : value;
}

/**
 * Sets the computed fields of a tree and makes missing documents on the way. All expressions read the unchanged
 * document `root`.
 */
function compute(doc: Doc, tree: Branch, root: Doc): Doc {
  const result = { ...doc };
  for (const [name, node] of tree) {
    if (node instanceof Map) {
      if (hasComputed(node)) setField(result, name, computeValue(getField(result, name), node, root));
    } else if (node.kind === 'compute') {
      const value = node.expression({ root });
      if (value === undefined) delete result[name];
      else setField(result, name, value);
    }
  }
  return result;
}

function computeValue(value: Value | undefined, branch: Branch, root: Doc): Value {
  if (Array.isArray(value)) return value.map((item) => computeValue(item, branch, root));
  return compute(isDoc(value) ? value : {}, branch, root);
}

function hasComputed(tree: Branch): boolean {
  return [...tree.values()].some((node) => (node instanceof Map ? hasComputed(node) : node.kind === 'compute'));
}

/** Compiles `$addFields` and `$set` (manual: "$addFields (aggregation)"). */
function compileAddFields(name: string, spec: Value): Transform {
  if (!isDoc(spec)) return fail(40272, `${name} specification stage must be an object, got ${typeName(spec)}`);
  const tree: Branch = new Map();
  collectComputed(tree, '', spec);
  if (tree.size === 0) fail(40177, `Invalid ${name} :: caused by :: specification must have at least one field`);
  return (doc) => compute(doc, tree, doc);
}

function collectComputed(tree: Branch, prefix: string, spec: Doc): void {
  for (const [name, value] of Object.entries(spec)) {
    const nested = isDoc(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith('$');
    if (nested) collectComputed(tree, `${prefix}${name}.`, value);
    else putLeaf(tree, prefix + name, { kind: 'compute', expression: compileExpression(value) });
  }
}

/** Compiles `$unset` (manual: "$unset (aggregation)"). */
function compileUnset(spec: Value): Transform {
  const names = Array.isArray(spec) ? spec : [spec];
  if (names.length === 0) fail(31119, '$unset specification must be a string or an array with at least one field');
  const tree: Branch = new Map();
  for (const name of names) {
    if (typeof name !== 'string')
      return fail(31120, '$unset specification must be a string or an array containing only strings');
    putLeaf(tree, name, { kind: 'exclude' });
  }
  return (doc) => exclude(doc, tree);
}

/**
 * Compiles `$project` (manual: "$project (aggregation)"). find() also uses it for the plain fields of a projection.
 * Fails with 31253 and 31254 when inclusion and exclusion are mixed.
 */
function compileProject(spec: Value): Transform {
  if (!isDoc(spec)) return fail(15969, '$project specification must be an object');
  if (Object.keys(spec).length === 0)
    fail(51272, 'Invalid $project :: caused by :: projection specification must have at least one field');
  return projectTree(projectionTree(spec));
}

interface Projection {
  readonly tree: Branch;
  readonly mode: 'include' | 'exclude';
}

/**
 * Reads a projection of inclusions, exclusions and expressions. `decided` is the mode if something else has decided it.
 */
export function projectionTree(spec: Doc, decided?: 'include' | 'exclude'): Projection {
  const tree: Branch = new Map();
  const state: { mode: 'include' | 'exclude' | undefined } = { mode: decided };
  collectProjection(tree, '', spec, state);
  const id = tree.get('_id');
  const idKind = id instanceof Map || id === undefined ? undefined : id.kind;
  const mode = state.mode ?? (idKind === 'exclude' ? 'exclude' : 'include');
  if (mode === 'include') {
    if (id === undefined) tree.set('_id', { kind: 'include' });
    else if (idKind === 'exclude') tree.delete('_id');
  } else if (idKind === 'include') tree.delete('_id');
  return { tree, mode };
}

function collectProjection(
  tree: Branch,
  prefix: string,
  spec: Doc,
  state: { mode: 'include' | 'exclude' | undefined },
): void {
  for (const [name, value] of Object.entries(spec)) {
    const path = prefix + name;
    if (isDoc(value) && !Object.keys(value)[0]?.startsWith('$')) {
      if (Object.keys(value).length === 0) fail(51270, 'An empty sub-projection is not a valid value');
      collectProjection(tree, `${path}.`, value, state);
      continue;
    }
    if (typeof value !== 'boolean' && !isNumeric(value)) {
      if (state.mode === 'exclude') fail(31252, 'Cannot use an expression in an exclusion projection');
      state.mode = 'include';
      putLeaf(tree, path, { kind: 'compute', expression: compileExpression(value) });
      continue;
    }
    const kind = isTruthy(value) ? 'include' : 'exclude';
    if (path !== '_id') {
      if (state.mode !== undefined && state.mode !== kind) {
        if (kind === 'exclude') fail(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
        fail(31253, `Cannot do inclusion on field ${path} in exclusion projection`);
      }
      state.mode = kind;
    }
    putLeaf(tree, path, { kind });
  }
}

export function projectTree({ tree, mode }: Projection): Transform {
  if (mode === 'exclude') return (doc) => exclude(doc, tree);
  if (!hasComputed(tree)) return (doc) => include(doc, tree);
  return (doc) => compute(include(doc, tree), tree, doc);
}

/**
 * Compiles the stages that make one document from one; undefined for other stages. Pipeline updates consist of these.
 */
export function compileTransform(name: string, spec: Value): Transform | undefined {
  switch (name) {
    case '$addFields':
    case '$set':
      return compileAddFields(name, spec);
    case '$unset':
      return compileUnset(spec);
    case '$project':
      return compileProject(spec);
    default:
      return undefined;
  }
}
