/**
 * Runs rules of the suite against a small server that does what the contract beside it says of the form of requests:
 * `node added-rules.ts '{"rules": [IDS], "ignored": [NAMES]}'`. What is ignored was added to the contract, and the server
 * does not know it: a parameter or field is dropped, a value is refused, an operation answers like any forbidden one.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { parse } from 'yaml';
import { runRules } from '../../conformance/engine/run.ts';
import { selectRules } from '../../conformance/engine/selection.ts';
import { operationOf } from '../../conformance/judge/contract.ts';
import { validators } from '../../conformance/judge/validators.ts';
import { faults } from '../../conformance/mutation/all-faults.ts';
import { madeError } from '../../conformance/mutation/alter.ts';
import type { ProxiedAnswer } from '../../conformance/mutation/fault.ts';
import { closeServer, listenOnLoopback } from '../../conformance/processes/ports.ts';
import type { Profile } from '../../conformance/profile/profile.ts';
import { answerOf } from '../../conformance/rules/shared/contract-inputs.ts';
import { rightValue } from '../../conformance/rules/shared/input-values.ts';
import type { ErrorName } from '../../generated/errors.ts';
import { type Operation, type OperationId, operations } from '../../generated/operations.ts';
import { parseQuery, queryTable } from '../../handlers/http/query.ts';
import { bodyViolations, parameterViolations } from '../../handlers/http/violations.ts';

interface Order {
  rules: string[];
  ignored: string[];
}

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const KEYS = { full: 'full_1', no_scope: 'no_scope_1', flag_off: 'flag_off_1', employees_read: 'employees_read_1' };
const ID = '8d5f1c2a-7b3e-4f90-a1c6-3e2d1b0f9a04';
const NO_VARIABLES = { type: 'object', properties: {}, required: [], additionalProperties: false };
const isIgnored = (name: string | undefined) => name !== undefined && order.ignored.includes(name);

/** The fields of a request that the service would find wrong. What is ignored is dropped, and a value of it refused. */
function wrongFields(operation: Operation, target: string, text: string): string[] {
  const { parameters: validParameters, body: validBody } = validators[operation.operationId];
  const [route = '', search = ''] = target.split('?');
  const pairs = search.split('&').filter((pair) => !isIgnored(pair.split(/[=[.%]/)[0]));
  const refused = pairs.map((pair) => pair.split('=')).filter(([, value]) => isIgnored(value));
  const { values: query, violations } = parseQuery(pairs.join('&'), queryTable(operation));
  const parts = route.split('/');
  const path = operation.path
    .split('/')
    .flatMap((part, at) => (part.startsWith('{') ? [[part.slice(1, -1), parts[at]]] : []));
  const wrong = [...violations];
  if (!validParameters({ path: Object.fromEntries(path), query, header: {} })) {
    wrong.push(...parameterViolations(validParameters.errors));
  }
  if (validBody !== null) {
    const body = JSON.parse(text || '{}');
    for (const name of order.ignored) delete body[name];
    if (!validBody(body)) wrong.push(...bodyViolations(validBody.errors, operation.bodyFields));
    if (/\\u0000|\\ud800|\\udc00/.test(text)) return ['body'];
  }
  return [...wrong.map(({ field }) => field), ...refused.map(([name = '']) => name)];
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
  const wrong = wrongFields(operation, target, text);
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

const port = await listenOnLoopback(server);
const example = parse(
  readFileSync(join(import.meta.dirname, '../../conformance/profile.example.yaml'), 'utf8'),
) as Profile;
const { rules } = await runRules({
  loaded: {
    profile: {
      ...example,
      base_url: `http://127.0.0.1:${port}`,
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
await closeServer(server);
