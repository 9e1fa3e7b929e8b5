import {
  asObject,
  type Contract,
  entriesOf,
  type Json,
  type JsonObject,
  jsonSchemaOf,
  mapSchema,
  operationsOf,
} from '../read.ts';

/** Keywords that say nothing about a value. */
const PROSE: readonly string[] = ['description', 'title', 'summary'];

const withoutProse = (schema: Json): Json =>
  mapSchema(schema, (node) => Object.fromEntries(entriesOf(node).filter(([key]) => !PROSE.includes(key))));

/**
 * The text of generated/schemas.json: the exact schemas of all parameters, bodies and answers, without prose. In
 * openapi.json they are simpler than the contract, and the YAML takes too long to read for every file of rules.
 */
export function schemasJson(contract: Contract): string {
  const operations: JsonObject = {};
  for (const { operationId, parameters, source } of operationsOf(contract)) {
    const body = jsonSchemaOf(contract, source.requestBody);
    const answer = jsonSchemaOf(contract, asObject(source.responses)['200']);
    operations[operationId] = {
      parameters: parameters.map(({ name, in: place, required, allowEmptyValue, schema }) => ({
        name,
        in: place,
        required: required === true,
        allowEmptyValue: allowEmptyValue === true,
        schema: withoutProse(schema ?? {}),
      })),
      ...(body === undefined ? {} : { body: withoutProse(body) }),
      ...(answer === undefined ? {} : { answer: withoutProse(answer) }),
    };
  }
  const components = entriesOf(asObject(contract.components).schemas);
  const schemas = Object.fromEntries(components.map(([name, schema]) => [name, withoutProse(schema)]));
  const description = 'Made from openapi.yaml by `npm run generate`; never edited by hand.';
  return `${JSON.stringify({ info: { description }, operations, schemas }, null, 1)}\n`;
}
