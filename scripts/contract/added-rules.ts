/**
 * Runs rules of the suite against a small server that does what the contract beside it says of the form of requests:
 * `node added-rules.ts '{"rules": [IDS], "ignored": [NAMES]}'`. What is ignored was added to the contract, and the server
 * does not know it: a parameter or field is dropped, a value is refused, an operation answers like any forbidden one.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { runRules } from '../../conformance/engine/run.ts';
import { selectRules } from '../../conformance/engine/selection.ts';
import { operationOf } from '../../conformance/judge/contract.ts';
import { validators } from '../../conformance/judge/validators.ts';
import { faults } from '../../conformance/mutation/all-faults.ts';
import { madeError } from '../../conformance/mutation/alter.ts';
import type { ProxiedAnswer } from '../../conformance/mutation/fault.ts';
import type { Profile } from '../../conformance/profile/profile.ts';
import { answerOf } from '../../conformance/rules/shared/contract-inputs.ts';
import { rightValue } from '../../conformance/rules/shared/input-values.ts';
import type { ErrorName } from '../../generated/errors.ts';
import { type Operation, type OperationId, operations } from '../../generated/operations.ts';
import type { Validate } from '../../generated/validators.d.ts';

interface Order {
  rules: string[];
  ignored: string[];
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const KEYS = { full: 'full_1', no_scope: 'no_scope_1', flag_off: 'flag_off_1', employees_read: 'employees_read_1' };
const ID = '8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04';
const NO_VARIABLES = { type: 'object', properties: {}, required: [], additionalProperties: false };
const isIgnored = (name: string | undefined) => name !== undefined && order.ignored.includes(name);

/** The places that a validator complains about, such as `steps[0].rule`. */
function placesOf(validate: Validate, value: unknown, cut: number): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, params }) => {
    const more = [params.additionalProperty, params.missingProperty].filter((name) => typeof name === 'string');
    const names = [...instancePath.split('/').slice(1), ...more].slice(cut);
    return names.map((name, at) => (/^\d+$/.test(name) ? `[${name}]` : `${at > 0 ? '.' : ''}${name}`)).join('');
  });
}

/** The values of a query that the operation has, with the names of those that cannot be read. */
function queryOf({ parameters }: Operation, query: URLSearchParams): [values: object, wrong: string[]] {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const name of new Set(query.keys())) {
    if (isIgnored(name.replace(/[[.].*$/, ''))) continue;
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
    const given = query.getAll(name);
    const read = given.map((text) => {
      if (parameter?.kind === 'integer') return /^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN;
      return parameter?.kind === 'boolean' ? { true: true, false: false }[text] : text;
    });
    const isWrong = parameter === undefined || (given.length > 1 && !parameter.repeated) || given.includes('');
    if (isWrong || read.some((value) => value === undefined || Number.isNaN(value) || isIgnored(String(value)))) {
      wrong.push(name);
    } else values[name] = parameter.repeated ? read : read[0];
  }
  return [values, wrong];
}

/** A refusal that names fields. */
function invalid(fields: readonly string[]): ProxiedAnswer {
  const answer = madeError('INVALID_ARGUMENT');
  const body = JSON.parse(answer.body.toString());
  const named = [...new Set(fields)].slice(0, 20).map((field) => ({ field, description: 'is not right' }));
  for (const detail of body.details) if (detail.field_violations) detail.field_violations = named;
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
}

/** What the gates refuse: key, flag, path and scope. */
function atGates(key: string | undefined, operation: Operation | undefined): ErrorName | undefined {
  if (isIgnored(operation?.operationId)) return 'SCOPE_INSUFFICIENT';
  if (key === undefined || !(Object.values(KEYS) as string[]).includes(key)) return 'API_KEY_INVALID';
  if (key === KEYS.flag_off) return 'FEATURE_FLAG_OFF';
  if (operation === undefined) return 'PATH_NOT_FOUND';
  return operation.scope !== null && key === KEYS.no_scope ? 'SCOPE_INSUFFICIENT' : undefined;
}

function answered(req: IncomingMessage, text: string): ProxiedAnswer {
  const target = req.url ?? '';
  const id = operationOf(req.method ?? '', target) as OperationId | undefined;
  const operation = id && operations[id];
  const refused = atGates(req.headers['x-api-key'] as string | undefined, operation);
  if (refused !== undefined || id === undefined || operation === undefined)
    return madeError(refused ?? 'PATH_NOT_FOUND');
  if (/%(?![0-9a-f]{2})|%E0%A4(?!%)/i.test(target)) return invalid(['query']);
  const [query, wrong] = queryOf(operation, new URLSearchParams(target.split('?')[1]));
  const parts = operation.path.split('/').map((part, at) => [part, target.split(/[/?]/)[at]] as const);
  const path = Object.fromEntries(
    parts.flatMap(([part, value]) => (part.startsWith('{') ? [[part.slice(1, -1), value]] : [])),
  );
  wrong.push(...placesOf(validators[id].parameters, { path, query, header: {} }, 1));
  const { body: validate } = validators[id];
  if (validate !== null) {
    const body = JSON.parse(text || '{}') as Record<string, unknown>;
    for (const name of order.ignored) delete body[name];
    wrong.push(...placesOf(validate, body, 0));
  }
  if (/\\u0000|\\ud800|\\udc00/.test(text)) wrong.push('body');
  if (wrong.length > 0) return invalid(wrong);
  const shown = rightValue(answerOf(id)) as { document_template?: object };
  // The variables of a template are described by constants, which no value is made of.
  if (shown.document_template) Object.assign(shown.document_template, { variable_schema: NO_VARIABLES });
  return {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify(shown)),
  };
}

const server = createServer(async (req: IncomingMessage, res: ServerResponse) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const { status, headers, body } = answered(req, Buffer.concat(chunks).toString());
  res
    .setHeader('Cache-Control', 'no-store')
    .setHeader('X-Content-Type-Options', 'nosniff')
    .setHeader('X-Request-Id', 'r');
  if (status === 401) res.setHeader('WWW-Authenticate', 'ApiKey realm="developer"');
  for (const [name, value] of headers) res.setHeader(name, value);
  res.writeHead(status).end(body);
});

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const example = parse(
  readFileSync(join(import.meta.dirname, '../../conformance/profile.example.yaml'), 'utf8'),
) as Profile;
const { rules } = await runRules({
  loaded: {
    profile: {
      ...example,
      base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      capabilities: [...new Set(Object.values(operations).map(({ since }) => since.replace(/\.0$/, '')))],
      keys: Object.fromEntries(
        Object.keys(KEYS).map((name) => [name, name === 'full' ? ['FULL'] : name.toUpperCase()]),
      ),
      fixtures: { document_template_id: ID, document_type_id: ID, owner_employee_id: ID },
      values: { ...example.values, rate_fields: 'none' },
    } as unknown as Profile,
    secrets: Object.fromEntries(Object.entries(KEYS).map(([name, key]) => [name.toUpperCase(), key])),
  },
  profilePath: 'p.yaml',
  selected: selectRules(order.rules, []),
});
const outcomes = rules.map(({ rule, status, reason }) => [
  rule,
  { status, reason, faults: faults.filter((fault) => fault.rule === rule).length },
]);
console.log(JSON.stringify(Object.fromEntries(outcomes)));
server.closeAllConnections();
server.close();
