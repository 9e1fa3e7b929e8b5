import {
  asArray,
  asObject,
  asString,
  type Contract,
  componentName,
  entriesOf,
  type Json,
  jsonSchemaOf,
  operationsOf,
  resolve,
  schemasIn,
} from '../read.ts';
import { heading, literal } from './literal.ts';

/** `DocumentStatus` → `document_status`. */
const snake = (name: string): string => name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();

/** The values of an enumeration, without `''`, which means that there is no value. */
const valuesOf = (list: readonly unknown[]): string[] =>
  list.filter((value) => typeof value === 'string' && value !== '') as string[];

/**
 * The enumerations of strings by name: component schemas that are enumerations, and properties that list values which
 * no component has. The latter are named after the schema and the property.
 */
function enumerationsOf(contract: Contract): Map<string, string[]> {
  const schemas = entriesOf(asObject(contract.components).schemas);
  const found = new Map<string, string[]>();
  for (const [name, schema] of schemas) {
    const values = valuesOf(asArray(asObject(schema).enum));
    if (values.length > 0) found.set(snake(name), values);
  }
  const components = [...found.values()];
  const isKnown = (values: readonly string[]) => components.some((all) => values.every((value) => all.includes(value)));
  for (const [name, schema] of schemas) {
    for (const [node] of schemasIn(schema)) {
      for (const [property, part] of entriesOf(node.properties)) {
        const values = valuesOf(asArray(asObject(part).enum));
        if (values.length > 0 && componentName(part, 'schemas') === undefined && !isKnown(values)) {
          found.set(`${snake(name)}_${property}`, values);
        }
      }
    }
  }
  return found;
}

/**
 * Where an answer holds values of enumerations: the path of property names (`*` for every element of a list) and the
 * enumeration.
 */
function placesIn(
  contract: Contract,
  all: ReadonlyMap<string, string[]>,
  schema: Json,
  path: readonly string[],
): Json[] {
  const node = resolve(contract, schema);
  const values = valuesOf(asArray(node.enum));
  const own = componentName(schema, 'schemas');
  const name =
    values.length === 0
      ? undefined
      : [...all.keys()].find((each) =>
          own === undefined ? String(all.get(each)) === String(values) : each === snake(own),
        );
  return [
    ...(name === undefined ? [] : [[...path, name]]),
    ...entriesOf(node.properties).flatMap(([property, part]) => placesIn(contract, all, part, [...path, property])),
    ...(node.items === undefined ? [] : placesIn(contract, all, node.items, [...path, '*'])),
  ];
}

/**
 * The text of generated/enumerations.ts: every value of an enumeration by its word, which is the value without its
 * prefix.
 */
export function enumerationsModule(contract: Contract): string {
  const rows = [...enumerationsOf(contract)].map(([name, values]) => {
    const prefix = `${name.toUpperCase()}_`;
    const hasPrefix = values.every((value) => value.startsWith(prefix));
    const words = values.map((value) => [hasPrefix ? value.slice(prefix.length) : value, asString(value)]);
    return `  ${name}: ${literal(Object.fromEntries(words), 1)},`;
  });
  const all = enumerationsOf(contract);
  const places = operationsOf(contract).flatMap(({ operationId, source }) => {
    const answer = jsonSchemaOf(contract, asObject(source.responses)['200']);
    const found = answer === undefined ? [] : placesIn(contract, all, answer, []);
    return found.length === 0 ? [] : [`  ${operationId}: ${literal(found, 1)},`];
  });
  return `${heading('the values of enumerations')}
/** Enumeration → word → value. The word is the value without the enumeration's name before it. */
export const enumerations = {
${rows.join('\n')}
} as const;

/** Where answers of operations hold such values: names of properties, \`*\` for every element of a list, and last the enumeration. */
export const enumerationPlaces: Readonly<Record<string, readonly (readonly string[])[]>> = {
${places.join('\n')}
};
`;
}
