import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { rateLimitOf } from '../rate-limit.ts';
import {
  asArray,
  asObject,
  asString,
  type Contract,
  ContractError,
  catalogueOf,
  entriesOf,
  isObject,
  type Json,
  operationsOf,
} from '../read.ts';
import { callOf } from './calls.ts';
import { heading, literal, union } from './literal.ts';
import { withoutNull } from './without-null.ts';

/**
 * The files of generated/client by their path in it: the types of the contract, made by hey-api, and a table of its
 * calls. hey-api can only write to disk, so it writes to a temporary folder, which is then removed.
 */
export async function clientFiles(contract: Contract): Promise<Map<string, string>> {
  const folder = temporaryFolder('generate-client-');
  try {
    await createClient({
      input: withTypesInAlternatives(withoutNull(structuredClone(contract))) as Record<string, unknown>,
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
  const limit = rateLimitOf(contract);
  if (limit === undefined) throw new ContractError('The security scheme ApiKey has no x-rate-limit.');
  const operations = operationsOf(contract);
  const rows = operations.map((operation) => `  ${operation.operationId}: ${literal(callOf(operation), 1)},`);
  const types = operations.map(({ operationId }) => {
    const name = operationId.slice(0, 1).toUpperCase() + operationId.slice(1);
    return `  ${operationId}: { input: types.${name}Data; answer: types.${name}Responses[200] };`;
  });
  const events = entriesOf(asObject(contract.webhooks)).map(([, item]) => {
    const id = asString(asObject(asObject(item).post).operationId);
    return `types.${id.slice(0, 1).toUpperCase()}${id.slice(1)}WebhookPayload`;
  });
  const reasons = catalogueOf(contract).map(([, example]) =>
    asString(asObject(asArray(asObject(example.value).details)[0]).reason),
  );
  const subscribed = asArray(asObject(asObject(asObject(contract.components).schemas).WebhookEventType).enum);
  return `${heading('the calls of the contract')}
import type * as types from './types.gen.ts';

/**
 * How each operation is called. \`resource\` and \`name\` are where a client offers it: the tag, and what its operationId
 * says besides the tag.
 */
export const calls = {
${rows.join('\n')}
} as const;

/** What each operation takes and answers. */
export interface CallTypes {
${types.join('\n')}
}

/** The envelope of every event. */
export type EventEnvelope = ${events.join(' | ')};

/** The types of events that an endpoint can subscribe to. */
export const eventTypes = ${literal(subscribed, 0)} as const;

/** The textual codes of errors. */
export type ErrorReason = ${union([...new Set(reasons)].sort())};

/** A bucket of \`burst\` tokens, refilled continuously by \`perSecond\` tokens a second; each request takes one. */
export const rateLimit = { perSecond: ${limit.perSecond}, burst: ${limit.burst} } as const;
`;
}

/**
 * hey-api reads an alternative without a `type` as `unknown`, which makes the whole type unknown. So in `{type: string,
 * anyOf: [{format: date}, …]}` each alternative gets the `type` as well. The meaning stays the same.
 */
function withTypesInAlternatives(contract: Contract): Json {
  const change = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(change);
    if (!isObject(value)) return value;
    const copy = Object.fromEntries(entriesOf(value).map(([key, part]) => [key, change(part)]));
    if (typeof copy.type !== 'string') return copy;
    for (const key of ['anyOf', 'oneOf']) {
      if (!Array.isArray(copy[key])) continue;
      copy[key] = asArray(copy[key]).map((part) =>
        isObject(part) && part.type === undefined && part.$ref === undefined ? { type: copy.type, ...part } : part,
      );
    }
    return copy;
  };
  return { ...contract, paths: change(asObject(contract.paths)), components: change(asObject(contract.components)) };
}
