import {
  type Contract,
  componentName,
  entriesOf,
  type Json,
  operationsOf,
  resolve,
  type Schema,
  schemasIn,
} from '../read.ts';
import { heading, rowsOf } from './literal.ts';

/** `DocumentStatus` → `document_status`. */
const snake = (name: string): string => name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();

/** The texts of an enumeration, without `''`, which means that there is no value. */
const textsOf = ({ enum: values = [] }: Schema): string[] =>
  values.filter((value) => typeof value === 'string').filter((value) => value !== '');

/**
 * The enumerations of strings by name: component schemas that are enumerations, and properties that list values which
 * no component has. The latter are named after the schema and the property.
 */
function enumerationsOf({ components: { schemas } }: Contract): Map<string, string[]> {
  const own = entriesOf(schemas).map(([name, schema]): [string, string[]] => [snake(name), textsOf(schema)]);
  const components = own.filter(([, values]) => values.length > 0);
  const found = new Map(components);
  const isKnown = (values: readonly string[]) =>
    components.some(([, all]) => values.every((value) => all.includes(value)));
  for (const [name, schema] of entriesOf(schemas)) {
    for (const [node] of schemasIn(schema)) {
      for (const [property, part] of entriesOf(node.properties)) {
        if (!isKnown(textsOf(part))) found.set(`${snake(name)}_${property}`, textsOf(part));
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
  schema: Schema,
  path: readonly string[],
): string[][] {
  const node = resolve(contract, schema);
  const values = String(textsOf(node));
  const own = componentName(schema, 'schemas');
  const name = [...all.keys()].find((each) =>
    own === undefined ? String(all.get(each)) === values : each === snake(own),
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
  const all = enumerationsOf(contract);
  const rows = Array.from(all, ([name, values]): [string, Json] => {
    const prefix = `${name.toUpperCase()}_`;
    const cut = values.every((value) => value.startsWith(prefix)) ? prefix.length : 0;
    return [name, Object.fromEntries(values.map((value) => [value.slice(cut), value]))];
  });
  const places = operationsOf(contract).flatMap(({ operationId, answer = {} }): [string, Json][] => {
    const found = placesIn(contract, all, answer, []);
    return found.length === 0 ? [] : [[operationId, found]];
  });
  return `${heading('the values of enumerations')}
/** Enumeration → word → value. The word is the value without the enumeration's name before it. */
export const enumerations = {
${rowsOf(rows)}
} as const;

/** Where answers of operations hold such values: names of properties, \`*\` for every element of a list, and last the enumeration. */
export const enumerationPlaces: Readonly<Record<string, readonly (readonly string[])[]>> = {
${rowsOf(places)}
};
`;
}
