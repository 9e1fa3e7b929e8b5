/** Every index of the store with what it serves, for people. */
import type { IndexDeclaration } from './collection.ts';

export const INDEX_LIST_USAGE = `Prints every index that the service makes: its collection, its key, what it is for.

  npm run -s server -- indexes

This needs no database. What each query may examine, and why, stands in handlers/data/collections/.`;

const keyOf = ({ key }: Pick<IndexDeclaration, 'key'>): string =>
  `{ ${Object.entries(key)
    .map(([field, order]) => `${field}: ${order}`)
    .join(', ')} }`;

/** @param collections the indexes of each collection, by its name */
export function indexList(collections: Readonly<Record<string, readonly IndexDeclaration[]>>): string {
  const lines = Object.entries(collections).flatMap(([name, indexes]) => [
    name,
    ...indexes.flatMap(({ serves, options, ...index }) => [
      `  ${keyOf(index)}${options?.unique ? ' unique' : ''}`,
      ...(typeof serves === 'string' ? [`      ${serves}`] : serves.map((one) => `      ${one.verb}: ${one.purpose}`)),
    ]),
  ]);
  return lines.join('\n');
}
