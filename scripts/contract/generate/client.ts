import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { type Contract, catalogueOf, eventsOf, isObject, type Json, operationsOf, revised } from '../read.ts';
import { callOf } from './calls.ts';
import { rateLimitText } from './catalogues.ts';
import { capitalized, heading, literal, rowsOf, union } from './literal.ts';
import { withoutNull } from './without-null.ts';

/**
 * The files of generated/client by their path in it: the types of the contract, made by hey-api, and a table of its
 * calls. hey-api can only write to disk, so it writes to a temporary folder, which is then removed.
 */
export async function clientFiles(contract: Contract): Promise<Map<string, string>> {
  const folder = temporaryFolder('generate-client-');
  try {
    await createClient({
      input: withTypesInAlternatives(withoutNull(contract)),
      logs: { level: 'silent', file: false },
      output: { path: folder, entryFile: false },
      // The contract already has components named `<Operation>Response`, so the union of all successes gets another
      // name.
      plugins: [{ name: '@hey-api/typescript', responses: { response: '{{name}}Success' } }],
    });
    const types = await readFile(join(folder, 'types.gen.ts'), 'utf8');
    return new Map([
      ['types.gen.ts', heading('types by hey-api') + types.replace(/^\/\/ This file is auto-generated[^\n]*\n/, '')],
      ['calls.ts', callsModule(contract)],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The text of generated/client/calls.ts: what the client must know of each operation, as data and as types. */
function callsModule(contract: Contract): string {
  const operations = operationsOf(contract);
  const rows = operations.map((operation): [string, Json] => [operation.operationId, callOf(operation)]);
  const types = operations.map(({ operationId }) => {
    const name = capitalized(operationId);
    return `  ${operationId}: { input: types.${name}Data; answer: types.${name}Responses[200] };`;
  });
  const events = eventsOf(contract).map(({ operationId }) => `types.${capitalized(operationId)}WebhookPayload`);
  const reasons = new Set(catalogueOf(contract).map(({ reason }) => reason));
  const subscribed = contract.components.schemas.WebhookEventType?.enum ?? [];
  return `${heading('the calls of the contract')}
import type * as types from './types.gen.ts';

/**
 * How each operation is called. \`resource\` and \`name\` are where a client offers it: the tag, and what its operationId
 * says besides the tag.
 */
export const calls = {
${rowsOf(rows)}
} as const;

/** What each operation takes and answers. */
export interface CallTypes {
${types.join('\n')}
}

/** The envelope of every event. */
export type EventEnvelope = ${events.join(' | ')};

/** The types of events that an endpoint can subscribe to. */
export const eventTypes = ${literal(subscribed)} as const;

/** The textual codes of errors. */
export type ErrorReason = ${union([...reasons].sort())};

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
