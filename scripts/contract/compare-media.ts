import { type Break, compareSchemas, type Direction, finding } from './compare-schema.ts';
import { asObject, type Contract, entriesOf, type Json, type JsonObject, resolve } from './read.ts';

/** The two contracts that are compared. */
export interface Contracts {
  oldContract: Contract;
  newContract: Contract;
}

/**
 * Compares bodies, one media type after another. `old` and `now` are request bodies or answers with their `content`.
 */
export function compareMedia(
  contracts: Contracts,
  direction: Direction,
  place: string,
  old: JsonObject,
  now: JsonObject,
): Break[] {
  return entriesOf(old.content).flatMap(([type, media]) => {
    const other = asObject(now.content)[type];
    if (other === undefined) {
      return [
        finding(
          place.trim(),
          `${type} is gone.`,
          direction === 'request' ? 'A request that was accepted is now refused.' : 'A client cannot read the answer.',
          `Keep ${type}.`,
        ),
      ];
    }
    return compareSchemas(contracts, direction, place, asObject(media).schema, asObject(other).schema);
  });
}

/** Compares the headers that the service sends; upper and lower case in their names make no difference. */
export function compareHeaders(contracts: Contracts, place: string, old: JsonObject, now: JsonObject): Break[] {
  const headers = new Map(entriesOf(now.headers).map(([name, header]): [string, Json] => [name.toLowerCase(), header]));
  return entriesOf(old.headers).flatMap(([name, header]) => {
    const own = `${place} · header ${name}`;
    const other = headers.get(name.toLowerCase());
    if (other === undefined)
      return [finding(own, 'The header is gone.', 'A client that reads it finds nothing.', 'Keep it.')];
    const [before, after] = [resolve(contracts.oldContract, header), resolve(contracts.newContract, other)];
    const absent =
      before.required === true && after.required !== true
        ? [
            finding(
              own,
              'The header was always there and may now be absent.',
              'A client that reads it finds nothing.',
              'Keep it required.',
            ),
          ]
        : [];
    return [...absent, ...compareSchemas(contracts, 'answer', own, before.schema, after.schema)];
  });
}
