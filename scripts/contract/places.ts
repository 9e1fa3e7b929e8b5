import {
  type Contract,
  entriesOf,
  eventsOf,
  isObject,
  type Json,
  type JsonObject,
  type KeyPath,
  operationsOf,
} from './read.ts';

/** A place of the contract that rests on a decision. */
export interface Place {
  /** A name for people: `listEmployees`, `listEmployees.limit`, `Employee.end_date`, `event employee.changed`. */
  name: string;
  keys: KeyPath;
}

const HOLDERS = [
  'parameters',
  'headers',
  'responses',
  'requestBodies',
  'schemas',
  'examples',
  'securitySchemes',
] as const;

/** The ids that an `x-decision` names: one, or a list of them. */
export const decisionIds = (mark: Json | undefined): string[] => [mark].flat().filter((id) => typeof id === 'string');

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
  const walk = (node: Json | undefined, keys: KeyPath, name: string): void => {
    if (isObject(node)) add(node, { name, keys });
    for (const [key, part] of Object.entries(typeof node === 'object' && node !== null ? node : {})) {
      const inside = [...keys, key];
      if (Array.isArray(node)) {
        const { name: own } = Object(part);
        walk(part, inside, typeof own === 'string' ? `${name}.${own}` : name);
      } else if ((key === 'properties' || key === 'headers') && isObject(part)) {
        for (const [child, each] of entriesOf(part)) walk(each, [...inside, child], `${name}.${child}`);
      } else if (!['examples', 'example', 'value'].includes(key) && !key.startsWith('x-')) walk(part, inside, name);
    }
  };
  add(contract.info, { name: 'the interface', keys: ['info'] });
  for (const { path, method, source, operationId } of operationsOf(contract)) {
    walk(source, ['paths', path, method], operationId);
  }
  for (const { path, method, source } of eventsOf(contract)) walk(source, ['webhooks', path, method], `event ${path}`);
  for (const section of HOLDERS) {
    for (const [name, component] of entriesOf(contract.components[section])) {
      walk(component, ['components', section, name], name);
    }
  }
  return found;
}
