import { type Contract, mapped, mapSchema, type Schema } from '../read.ts';

/**
 * The contract for those who write requests by types: an optional field is left out instead of `null`, which means the
 * same (D-6a). In open objects, the records of an ingest, `null` has a meaning of its own and stays.
 */
export function withoutNull(contract: Contract): Contract {
  const schemas = mapped(contract.components.schemas, (schema) =>
    schema.additionalProperties === true ? schema : mapSchema(schema, dropNull),
  );
  return { ...contract, components: { ...contract.components, schemas } };
}

function dropNull(node: Schema): Schema {
  const copy = { ...node };
  if (Array.isArray(copy.type)) {
    const types = copy.type.filter((type) => type !== 'null');
    copy.type = types.length === 1 ? types[0] : types;
  }
  if (copy.enum) copy.enum = copy.enum.filter((value) => value !== null);
  if (copy.anyOf) copy.anyOf = copy.anyOf.filter(({ type }) => type !== 'null');
  return copy;
}
