import { type Contract, entriesOf, type JsonObject, mapped, mapSchema, operationsOf, type Schema } from '../read.ts';

/** Keywords that say nothing about a value. */
const PROSE: readonly string[] = ['description', 'title', 'summary'];

const withoutProse = (schema: Schema): Schema =>
  mapSchema(schema, (node) => Object.fromEntries(entriesOf(node).filter(([key]) => !PROSE.includes(key))));

/**
 * The text of generated/schemas.json: the exact schemas of all parameters, bodies and answers, without prose. In
 * openapi.json they are simpler than the contract, and the YAML takes too long to read for every file of rules.
 */
export function schemasJson(contract: Contract): string {
  const operations: JsonObject = {};
  for (const { operationId, parameters, body, answer } of operationsOf(contract)) {
    operations[operationId] = {
      parameters: parameters.map(({ name, in: place, required = false, allowEmptyValue = false, schema }) => ({
        name,
        in: place,
        required,
        allowEmptyValue,
        schema: withoutProse(schema),
      })),
      body: body && withoutProse(body),
      answer: answer && withoutProse(answer),
    };
  }
  const schemas = mapped(contract.components.schemas, withoutProse);
  const description = 'Made from openapi.yaml by `npm run generate`; never edited by hand.';
  return `${JSON.stringify({ info: { description }, operations, schemas }, null, 1)}\n`;
}
