import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import ProfileFile from '../../../conformance/profile.schema.json' with { type: 'json' };
import { temporaryFolder } from '../../kit/leftovers.ts';
import {
  type Contract,
  type ContractOperation,
  catalogueOf,
  eventsOf,
  isObject,
  type Json,
  operationsOf,
  revised,
} from '../read.ts';
import { callOf, methodOf } from './calls.ts';
import { capitalized, heading, literal } from './literal.ts';
import { rateLimitText } from './table.ts';
import { withoutNull } from './without-null.ts';

/** The text of generated/client/types.gen.ts. */
export const clientTypes = (contract: Contract): Promise<string> =>
  typesOf('Types by hey-api', withTypesInAlternatives(withoutNull(contract)));

/** The text of generated/profile.ts: the profile of the suite, as its schema describes it. */
export function profileTypes(): Promise<string> {
  const { keys, fixtures, admin } = ProfileFile.properties;
  const shared = { keys, fixtures, admin };
  const references = Object.keys(shared).map((name) => [name, { $ref: `#/properties/${name}` }]);
  const whole = { ...ProfileFile, properties: { ...ProfileFile.properties, ...Object.fromEntries(references) } };
  const text = JSON.stringify(whole).replaceAll('"#/properties/', '"#/components/schemas/');
  return typesOf('A profile of the suite, from conformance/profile.schema.json', {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: { ProfileFile: JSON.parse(text), ...shared } },
  });
}

/** The types of a document, by hey-api. It can only write to disk, so it writes to a temporary folder, which is then removed. */
async function typesOf(what: string, input: object): Promise<string> {
  const folder = temporaryFolder('generate-types-');
  try {
    await createClient({
      input: { ...input },
      logs: { level: 'silent', file: false },
      output: { path: folder, entryFile: false },
      // The contract already has components named `<Operation>Response`, so the union of all successes gets another
      // name.
      plugins: [{ name: '@hey-api/typescript', responses: { response: '{{name}}Success' } }],
    });
    const types = await readFile(join(folder, 'types.gen.ts'), 'utf8');
    return heading(what) + types.replace(/^\/\/ This file is auto-generated[^\n]*\n/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The text of generated/client/calls.ts: what the client must know of each operation, as data and as types. */
export function callsModule(contract: Contract): string {
  const operations = operationsOf(contract);
  const rows = (of: (operation: ContractOperation) => Json) =>
    literal(Object.fromEntries(operations.map((operation) => [operation.operationId, of(operation)])));
  const types = operations.map(({ operationId }) => {
    const name = capitalized(operationId);
    return `  ${operationId}: { input: types.${name}Data; answer: types.${name}Responses[200] };`;
  });
  const events = eventsOf(contract).map(({ operationId }) => `types.${capitalized(operationId)}WebhookPayload`);
  const reasons = new Set(catalogueOf(contract).map(({ reason }) => literal(reason)));
  const subscribed = contract.components.schemas.WebhookEventType?.enum ?? [];
  return `${heading('The calls of the contract')}
import type * as types from './types.gen.ts';

/** How each operation is called. */
export const calls = ${rows(callOf)} as const;

/** Where the client offers each operation: the tag, and what its operationId says besides the tag. */
export const methods = ${rows(methodOf)} as const;

/** What each operation takes and answers. */
export interface CallTypes {
${types.join('\n')}
}

/** The envelope of every event. */
export type EventEnvelope = ${events.join(' | ')};

/** The types of events that an endpoint can subscribe to. */
export const eventTypes = ${literal(subscribed)} as const;

/** The textual codes of errors. */
export type ErrorReason = ${[...reasons].sort().join(' | ')};

${rateLimitText(contract)}`;
}

/**
 * hey-api reads an alternative without a `type` as `unknown`, which makes the whole type unknown. So in `{type: string,
 * anyOf: [{format: date}, …]}` each alternative gets the `type` as well. The meaning stays the same.
 */
function withTypesInAlternatives(contract: Contract): Contract {
  const typed = (type: string, parts: Json | undefined): Json | undefined =>
    Array.isArray(parts)
      ? parts.map((part) =>
          isObject(part) && part.type === undefined && part.$ref === undefined ? { type, ...part } : part,
        )
      : parts;
  return revised(contract, (_key, value) => {
    if (!isObject(value) || typeof value.type !== 'string') return value;
    const { type, anyOf, oneOf } = value;
    return { ...value, anyOf: typed(type, anyOf), oneOf: typed(type, oneOf) };
  });
}
