import { compareErrors, compareEvents } from './compare-events.ts';
import { type Contracts, compareHeaders, compareMedia } from './compare-media.ts';
import { type Break, compareSchemas, finding } from './compare-schema.ts';
import {
  asArray,
  asObject,
  asString,
  type Contract,
  type ContractOperation,
  entriesOf,
  type JsonObject,
  operationsOf,
  resolve,
} from './read.ts';

export type { Break } from './compare-schema.ts';

/**
 * Everything in the new contract that breaks a client of the old one (D-32). These are no breaks: new operations,
 * optional request fields, answer fields, event types, error codes and enumerated values. These are: anything that is
 * removed, renamed, made stricter in requests or looser in answers.
 */
export function compareContracts(oldContract: Contract, newContract: Contract): Break[] {
  const contracts = { oldContract, newContract };
  return [...compareOperations(contracts), ...compareEvents(contracts), ...compareErrors(contracts)];
}

function compareOperations(contracts: Contracts): Break[] {
  const now = operationsOf(contracts.newContract);
  return operationsOf(contracts.oldContract).flatMap((before) => {
    const place = `${before.method.toUpperCase()} ${before.path}`;
    const after = now.find(({ method, path }) => method === before.method && samePath(path, before.path));
    if (after === undefined) {
      const moved = now.find(({ operationId }) => operationId === before.operationId);
      const what =
        moved === undefined
          ? 'The operation is gone.'
          : `The operation moved to ${moved.method.toUpperCase()} ${moved.path}.`;
      return [
        finding(place, what, 'Its callers get 404 or 405.', 'Keep it where it was. Mark it deprecated if it is to go.'),
      ];
    }
    return [
      ...compareOperation(place, before, after),
      ...compareParameters(contracts, place, before, after),
      ...compareBody(contracts, place, before, after),
      ...compareAnswers(contracts, place, before, after),
    ];
  });
}

/** Two paths are the same even if their parameters have different names. */
function samePath(a: string, b: string): boolean {
  return a.replaceAll(/\{[^}]+\}/g, '{}') === b.replaceAll(/\{[^}]+\}/g, '{}');
}

function compareOperation(place: string, before: ContractOperation, after: ContractOperation): Break[] {
  const found: Break[] = [];
  if (before.operationId !== after.operationId) {
    found.push(
      finding(
        place,
        `The operationId went from ${before.operationId} to ${after.operationId}.`,
        'Generated clients lose the function that they call.',
        'Keep the operationId.',
      ),
    );
  }
  const [old, now] = [scopes(before), scopes(after)];
  const added = now.filter((scope) => !old.includes(scope));
  if (added.length > 0) {
    found.push(
      finding(
        place,
        `The scope went from ${old.join(', ') || 'none'} to ${now.join(', ')}.`,
        'Keys that could call it are refused with 403.',
        'Keep the scope.',
      ),
    );
  }
  const [oldLimit, nowLimit] = [limit(before), limit(after)];
  if (nowLimit < oldLimit) {
    found.push(
      finding(
        place,
        `The largest body went from ${oldLimit} to ${nowLimit} bytes.`,
        'A request that was accepted is now refused.',
        'Keep the limit.',
      ),
    );
  }
  return found;
}

function scopes(operation: ContractOperation): string[] {
  return asArray(operation.source.security).flatMap((each) =>
    entriesOf(each).flatMap(([, names]) => asArray(names).map(asString)),
  );
}

function limit(operation: ContractOperation): number {
  const value = operation.source['x-body-limit-bytes'];
  return typeof value === 'number' ? value : 1_048_576;
}

function compareParameters(
  contracts: Contracts,
  place: string,
  before: ContractOperation,
  after: ContractOperation,
): Break[] {
  const pathNames = (operation: ContractOperation): string[] =>
    [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
  const [oldPath, nowPath] = [pathNames(before), pathNames(after)];
  /** A path parameter is identified by its position, others by their name. Header names ignore case. */
  const identity = (parameter: JsonObject, names: string[]): string =>
    parameter.in === 'path'
      ? `path ${names.indexOf(asString(parameter.name))}`
      : `${asString(parameter.in)} ${asString(parameter.name).toLowerCase()}`;
  const own = (parameter: JsonObject) => `${place} · ${asString(parameter.in)} ${asString(parameter.name)}`;
  const kept = before.parameters.flatMap((old) => {
    const now = after.parameters.find((each) => identity(each, nowPath) === identity(old, oldPath));
    return compareParameter(contracts, own(old), old, now);
  });
  const added = after.parameters.filter(
    (now) => !before.parameters.some((each) => identity(each, oldPath) === identity(now, nowPath)),
  );
  const demanded = added
    .filter(({ required }) => required === true)
    .map((now) => finding(own(now), 'A required parameter was added.', ...NOW_REQUIRED));
  return [...kept, ...demanded];
}

const NOW_REQUIRED = ['A request without it is now refused.', 'Make it optional, with a default.'] as const;

/** @param now undefined if the parameter is gone */
function compareParameter(contracts: Contracts, own: string, old: JsonObject, now: JsonObject | undefined): Break[] {
  if (now === undefined) {
    const effect = 'A request with it is refused as having an unknown parameter, or means something else.';
    return [finding(own, 'The parameter is gone.', effect, 'Keep it, even if it is ignored.')];
  }
  const found: Break[] = [];
  if (now.required === true && old.required !== true) {
    found.push(finding(own, 'The parameter became required.', ...NOW_REQUIRED));
  }
  for (const [name, usual] of [
    ['style', now.in === 'query' ? 'form' : 'simple'],
    ['explode', now.in === 'query'],
  ] as const) {
    const [was, is] = [old[name] ?? usual, now[name] ?? usual];
    if (was === is) continue;
    const change = `${name} went from ${String(was)} to ${String(is)}.`;
    found.push(finding(own, change, 'Several values are written another way.', `Keep ${name}.`));
  }
  return [...found, ...compareSchemas(contracts, 'request', own, old.schema, now.schema)];
}

function compareBody(
  contracts: Contracts,
  place: string,
  before: ContractOperation,
  after: ContractOperation,
): Break[] {
  const old = resolve(contracts.oldContract, before.source.requestBody ?? {});
  const now = resolve(contracts.newContract, after.source.requestBody ?? {});
  const found: Break[] = [];
  if (now.required === true && old.required !== true) {
    found.push(
      finding(
        `${place} · body`,
        'The body became required.',
        'A request without it is now refused.',
        'Take a missing body as an empty object.',
      ),
    );
  }
  return [...found, ...compareMedia(contracts, 'request', `${place} · body `, old, now)];
}

function compareAnswers(
  contracts: Contracts,
  place: string,
  before: ContractOperation,
  after: ContractOperation,
): Break[] {
  const found: Break[] = [];
  const now = asObject(after.source.responses);
  for (const [status, answer] of entriesOf(before.source.responses)) {
    const own = `${place} · ${status}`;
    if (now[status] === undefined) {
      found.push(
        finding(own, 'The answer is gone.', 'A client that handles it waits for what never comes.', 'Keep it.'),
      );
      continue;
    }
    const [old, other] = [resolve(contracts.oldContract, answer), resolve(contracts.newContract, now[status])];
    found.push(
      ...compareMedia(contracts, 'answer', `${own} `, old, other),
      ...compareHeaders(contracts, own, old, other),
    );
  }
  for (const status of Object.keys(now)) {
    if (status.startsWith('2') && asObject(before.source.responses)[status] === undefined) {
      found.push(
        finding(
          `${place} · ${status}`,
          'A new status of success was added.',
          'Clients check for the one that they know.',
          'Answer with 200.',
        ),
      );
    }
  }
  return found;
}
