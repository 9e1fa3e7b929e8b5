import { type Contracts, compareHeaders, compareMedia } from './compare-media.ts';
import { type Break, finding } from './compare-schema.ts';
import { asArray, asObject, asString, type Contract, entriesOf, type Json, type JsonObject, resolve } from './read.ts';

/** The service sends events, so their payload and headers are compared by the rules for answers. */
export function compareEvents(contracts: Contracts): Break[] {
  const now = asObject(contracts.newContract.webhooks);
  return entriesOf(contracts.oldContract.webhooks).flatMap(([name, item]) => {
    const place = `event ${name}`;
    if (now[name] === undefined) {
      return [finding(place, 'The event is gone.', 'Subscribers no longer receive it.', 'Keep sending it.')];
    }
    return entriesOf(item).flatMap(([method, source]) => {
      const other = asObject(asObject(now[name])[method]);
      if (Object.keys(other).length === 0) {
        return [
          finding(
            place,
            `It is no longer sent by ${method.toUpperCase()}.`,
            'Receivers take this method only.',
            'Keep the method.',
          ),
        ];
      }
      const body = (contract: Contract, operation: Json): JsonObject =>
        resolve(contract, asObject(operation).requestBody ?? {});
      const headers = (contract: Contract, operation: Json): JsonObject => ({
        headers: Object.fromEntries(
          asArray(asObject(operation).parameters).map((parameter) => {
            const found = resolve(contract, parameter);
            return [asString(found.name), found];
          }),
        ),
      });
      return [
        ...compareMedia(
          contracts,
          'answer',
          `${place} · `,
          body(contracts.oldContract, source),
          body(contracts.newContract, other),
        ),
        ...compareHeaders(
          contracts,
          place,
          headers(contracts.oldContract, source),
          headers(contracts.newContract, other),
        ),
      ];
    });
  });
}

/** Errors may be added. An error that clients know must stay and keep its textual code, number and status. */
export function compareErrors({ oldContract, newContract }: Contracts): Break[] {
  const catalogue = (contract: Contract): JsonObject => asObject(asObject(contract.components).examples);
  return entriesOf(catalogue(oldContract)).flatMap(([name, example]) => {
    const old = asObject(example);
    if (old['x-http-status'] === undefined) return [];
    const place = `error ${name}`;
    const now = catalogue(newContract)[name];
    if (now === undefined) {
      return [
        finding(
          place,
          'The error is gone from the catalogue.',
          'A client that handles its code waits for what never comes.',
          'Keep it under its name.',
        ),
      ];
    }
    const facts = (entry: JsonObject): [string, Json | undefined][] => {
      const value = asObject(entry.value);
      return [
        ['textual code', asObject(asArray(value.details)[0]).reason],
        ['gRPC number', value.code],
        ['HTTP status', entry['x-http-status']],
      ];
    };
    const after = facts(asObject(now));
    return facts(old).flatMap(([what, value], index) =>
      value === after[index]?.[1]
        ? []
        : [
            finding(
              place,
              `The ${what} went from ${String(value)} to ${String(after[index]?.[1])}.`,
              'Clients decide by it.',
              `Keep the ${what}.`,
            ),
          ],
    );
  });
}
