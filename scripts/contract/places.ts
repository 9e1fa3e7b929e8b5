import { type Contract, isData, type Json, type KeyPath, nodesIn } from './read.ts';

/** A place of the contract that rests on a decision. */
export interface Place {
  /** A name for people: `listEmployees`, `listEmployees.limit`, `Employee.end_date`, `event employee.changed`. */
  name: string;
  keys: KeyPath;
}

const COMPONENTS = [
  'parameters',
  'headers',
  'responses',
  'requestBodies',
  'schemas',
  'examples',
  'securitySchemes',
] as const;

/** For every decision that the contract uses: the places that rest on it, operations first, and components by their kind. */
export function placesOfDecisions(contract: Contract): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
  const { info, paths, webhooks, components } = contract;
  const parts: [Json | undefined, KeyPath][] = [
    [info, ['info']],
    [paths, ['paths']],
    [webhooks, ['webhooks']],
    ...COMPONENTS.map((section): [Json | undefined, KeyPath] => [components[section], ['components', section]]),
  ];
  for (const [node, keys] of parts.flatMap(([part, place]) => [...nodesIn(part, isData, place)])) {
    for (const id of [node['x-decision'] ?? []].flat()) {
      const name = nameOf(contract, keys);
      const places = found.get(id) ?? [];
      if (!places.some((other) => other.name === name)) found.set(id, [...places, { name, keys }]);
    }
  }
  return found;
}

/** The name of a place: that of its operation, event or component, and of the fields, headers and parameters on the way to it. */
function nameOf(contract: Contract, keys: KeyPath): string {
  const [section, first = '', second = ''] = keys;
  const starts: Readonly<Record<string, string | undefined>> = {
    info: 'the interface',
    webhooks: `event ${first}`,
    components: second,
  };
  let node: Json | undefined = contract;
  const names = keys.flatMap((key, at): string[] => {
    const holder: Json | undefined = node;
    node = Object(holder)[key] as Json;
    if (at < 3) return [];
    if (Array.isArray(holder)) return Object(node).name ?? [];
    return ['properties', 'headers'].includes(keys[at - 1] ?? '') ? [key] : [];
  });
  return [starts[section ?? ''] ?? contract.paths[first]?.[second]?.operationId, ...names].join('.');
}
