import { fail } from './errors.ts';
import { compileExpression } from './expressions.ts';
import type { Expression } from './operators.ts';
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

/** The fields that a stage sets, as a tree. Paths with the same beginning share a branch. */
type Branch = Map<string, Expression | Branch>;

/** Puts an expression at a path. Fails if one path is the beginning of another (manual: "Path Collision"). */
function put(tree: Branch, path: string, expression: Expression): void {
  const parts = path.split('.');
  if (parts.includes('')) fail(15998, 'FieldPath field names may not be empty strings.');
  let branch = tree;
  for (const [i, part] of parts.entries()) {
    if (part.startsWith('$')) fail(16410, "FieldPath field names may not start with '$'.");
    const next = branch.get(part);
    const isLast = i === parts.length - 1;
    if (next !== undefined && (isLast || !(next instanceof Map))) fail(31250, `Path collision at ${path}`);
    if (isLast) branch.set(part, expression);
    else if (next instanceof Map) branch = next;
    else {
      const fresh: Branch = new Map();
      branch.set(part, fresh);
      branch = fresh;
    }
  }
}

/** Sets the fields of a tree and makes missing documents on the way. All expressions read the document `root`. */
function compute(doc: Doc, tree: Branch, root: Doc): Doc {
  const result = { ...doc };
  for (const [name, node] of tree) {
    const inner = node instanceof Map ? getField(result, name) : undefined;
    if (Array.isArray(inner)) fail(115, `setting fields of the documents in the array ${name} is not supported here`);
    const value = node instanceof Map ? compute(isDoc(inner) ? inner : {}, node, root) : node({ root });
    if (value === undefined) delete result[name];
    else setField(result, name, value);
  }
  return result;
}

/** Compiles the stage `$set` (manual: "$set (aggregation)"), of which pipeline updates consist. */
export function compileSet(spec: Value): Transform {
  if (!isDoc(spec)) return fail(40272, `$set specification stage must be an object, got ${typeName(spec)}`);
  const tree: Branch = new Map();
  collect(tree, '', spec);
  if (tree.size === 0) fail(40177, 'Invalid $set :: caused by :: specification must have at least one field');
  return (doc) => compute(doc, tree, doc);
}

function collect(tree: Branch, prefix: string, spec: Doc): void {
  for (const [name, value] of Object.entries(spec)) {
    const isNested = isDoc(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith('$');
    if (isNested) collect(tree, `${prefix}${name}.`, value);
    else put(tree, prefix + name, compileExpression(value));
  }
}
