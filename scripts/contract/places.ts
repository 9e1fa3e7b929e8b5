import {
  asArray,
  asObject,
  asString,
  type Contract,
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  operationsOf,
} from './read.ts';

/** A place of the contract that rests on a decision. */
export interface Place {
  /** A name for people: `listEmployees`, `listEmployees.limit`, `Employee.end_date`, `event employee.changed`. */
  name: string;
  /** JSON pointer. */
  pointer: string;
  /** The operation or event that contains the place, for links; absent for places in components. */
  operationId?: string;
}

/**
 * Where a decision goes beyond or against the source: what the source says and what the contract does, one sentence
 * each.
 */
export interface Departure {
  kind: 'beyond' | 'against';
  source: string;
  instead: string;
}

/**
 * The departures of an entry of `x-decisions`; none if it only fills a gap. The house rule `decision-kinds` checks
 * their form.
 */
export function departuresOf(decision: Json): Departure[] {
  return asArray(asObject(decision).departures).map((entry) => {
    const { kind, source, instead } = asObject(entry);
    return { kind: kind === 'against' ? 'against' : 'beyond', source: asString(source), instead: asString(instead) };
  });
}

const HOLDERS = ['parameters', 'headers', 'responses', 'requestBodies', 'schemas', 'examples', 'securitySchemes'];

/** The ids that an `x-decision` names: one, or a list of them. */
export function decisionIds(mark: Json | undefined): string[] {
  return (Array.isArray(mark) ? mark : [mark]).map(asString).filter((id) => id !== '');
}

/** For every decision that the contract uses: the places that rest on it, in the order of the document. */
export function placesOfDecisions(contract: Contract): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
  const add = (node: JsonObject, place: Place): void => {
    for (const id of decisionIds(node['x-decision'])) {
      const list = found.get(id) ?? [];
      if (!list.some((other) => other.name === place.name)) list.push(place);
      found.set(id, list);
    }
  };
  add(asObject(contract.info), { name: 'the interface', pointer: '/info' });
  for (const operation of operationsOf(contract)) {
    const pointer = `/paths/${escapePointer(operation.path)}/${operation.method}`;
    walk(operation.source, pointer, operation.operationId, operation.operationId, add);
  }
  for (const [name, item] of entriesOf(contract.webhooks)) {
    for (const [method, operation] of entriesOf(item)) {
      const id = asString(asObject(operation).operationId);
      walk(operation, `/webhooks/${escapePointer(name)}/${method}`, `event ${name}`, id === '' ? undefined : id, add);
    }
  }
  for (const section of HOLDERS) {
    for (const [name, component] of entriesOf(asObject(contract.components)[section])) {
      walk(component, `/components/${section}/${escapePointer(name)}`, name, undefined, add);
    }
  }
  return found;
}

function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function walk(
  node: Json | undefined,
  pointer: string,
  name: string,
  operationId: string | undefined,
  add: (node: JsonObject, place: Place) => void,
): void {
  if (Array.isArray(node)) {
    node.forEach((part, index) => {
      const own = isObject(part) && typeof part.name === 'string' ? `${name}.${part.name}` : name;
      walk(part, `${pointer}/${index}`, own, operationId, add);
    });
    return;
  }
  if (!isObject(node)) return;
  if (node['x-decision'] !== undefined)
    add(node, { name, pointer, ...(operationId === undefined ? {} : { operationId }) });
  for (const [key, value] of entriesOf(node)) {
    if (key === 'examples' || key === 'example' || key === 'value' || key.startsWith('x-')) continue;
    const named = key === 'properties' || key === 'headers';
    if (!named) {
      walk(value, `${pointer}/${escapePointer(key)}`, name, operationId, add);
      continue;
    }
    for (const [child, part] of entriesOf(value)) {
      walk(part, `${pointer}/${key}/${escapePointer(child)}`, `${name}.${child}`, operationId, add);
    }
  }
}
