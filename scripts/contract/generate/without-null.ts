import { asArray, asObject, type Contract, entriesOf, type JsonObject, mapSchema } from '../read.ts';

/**
 * The contract for those who write requests by types: an optional field is left out instead of `null`, which means the
 * same (D-6a). In open objects, the records of an ingest, `null` has a meaning of its own and stays.
 */
export function withoutNull(contract: Contract): Contract {
  const components = asObject(contract.components);
  const schemas = entriesOf(components.schemas).map(([name, schema]) => [
    name,
    asObject(schema).additionalProperties === true ? schema : mapSchema(schema, dropNull),
  ]);
  return { ...contract, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

function dropNull(node: JsonObject): JsonObject {
  const copy = { ...node };
  if (Array.isArray(copy.type)) {
    const types = copy.type.filter((type) => type !== 'null');
    copy.type = types.length === 1 ? types[0] : types;
  }
  if (Array.isArray(copy.enum)) copy.enum = copy.enum.filter((value) => value !== null);
  if (Array.isArray(copy.anyOf)) copy.anyOf = asArray(copy.anyOf).filter((part) => asObject(part).type !== 'null');
  return copy;
}
