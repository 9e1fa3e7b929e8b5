/** The form of every parameter in a query, a path and a header, as the contract declares it. */

import type { ErrorName } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Headers } from '../http/exchange.ts';
import type { Values } from '../profile/values.ts';
import { type DeclaredRule, rule, unable } from './rule.ts';
import { callOf, NO_SUCH_PARAMETER, series, UNKNOWN_ID } from './shared/calls.ts';
import { contractInputs, contractLists, type InputParameter, type OperationInputs } from './shared/contract-inputs.ts';
import { NO_SUCH_FIELD, rightValues, wrongWritten } from './shared/input-values.ts';
import { mustLookTheSame } from './shared/same-answer.ts';
import { meantBody, takenInputs } from './shared/target-inputs.ts';

const encoded = encodeURIComponent;

/** Asks with this query; ids in the path belong to nothing, which is looked at later (D-6). */
const asking = async (t: TestContext, inputs: OperationInputs) => {
  const call = { ...callOf(inputs.operation), body: await meantBody(t, inputs) };
  return (query: string): Promise<Answer> => t.asAny('full').send({ ...call, query });
};

/** Names in a query that an operation does not have, as they are written there. */
const STRANGE_NAMES = [
  ...'sort|offset|q|_id|tenant_id|external_id|__proto__|constructor|%24where|Limit|EXPAND|a.b|manager_id'.split('|'),
  NO_SUCH_PARAMETER,
];

async function refusesStrangeNames(t: TestContext, inputs: OperationInputs): Promise<void> {
  const ask = await asking(t, inputs);
  const names = STRANGE_NAMES.map(decodeURIComponent);
  (await ask(STRANGE_NAMES.map((name) => `${name}=x`).join('&'))).blames(names, 'unknown names');
  (await ask(`${NO_SUCH_PARAMETER}=`)).blames(NO_SUCH_PARAMETER, 'an unknown name without a value');
  (await ask(`${NO_SUCH_PARAMETER}[$gt]=1`)).blames(NO_SUCH_PARAMETER, 'an unknown name with an operator');
  (await ask('=x')).fails('INVALID_ARGUMENT', 'a value without a name');
  (await ask('limit%00=x')).fails('INVALID_ARGUMENT', 'a name with NUL');
}

/** What a list of values of a parameter may be, and what it may not. */
async function judgeRepetition(
  ask: (query: string) => Promise<Answer>,
  parameter: InputParameter,
  right: string,
  values: Values,
) {
  const { name, repeated, maxItems, schema } = parameter;
  const pair = `${name}=${right}`;
  if (!repeated) {
    (await ask(`${pair}&${pair}`)).blames(name, 'the same value twice');
    return;
  }
  if (schema.values !== undefined)
    (await ask(`${pair}%2C${right}`)).blames(name, 'two values that are joined by a comma');
  if (maxItems === undefined) return;
  const many = (count: number) => series(count, (at) => `${pair}${schema.values ? '' : at}`).join('&');
  (await ask(many(maxItems + 1))).blames(name, `${maxItems + 1} values`);
  const { duplicate_filter_values, unknown_department_filter } = values;
  const isTaken = schema.values ? duplicate_filter_values === 'collapse' : unknown_department_filter === 'empty';
  if (isTaken) (await ask(`${many(maxItems)}&${NO_SUCH_PARAMETER}=1`)).blames(NO_SUCH_PARAMETER, `${maxItems} values`);
  const refused = await ask(many(maxItems * 12));
  const isRefused = [400, 414, 431].includes(refused.status);
  refused.context.check(isRefused, `${maxItems * 12} values: expected a refusal, got ${refused.brief}`, refused);
}

async function judgeQuery(t: TestContext, inputs: OperationInputs, parameter: InputParameter): Promise<void> {
  const ask = await asking(t, inputs);
  const { name, takesEmpty, repeated, schema } = parameter;
  const values = rightValues(schema).map(({ value }) => String(value));
  const right = encoded(values[0] ?? 'x');
  for (const { what, value } of wrongWritten(parameter)) {
    (await ask(`${name}=${encoded(String(value))}`)).blames(name, `${name}: ${what}`);
    if (repeated && value !== '') {
      (await ask(`${name}=${right}&${name}=${encoded(String(value))}`)).blames(name, `as the second value: ${what}`);
    }
  }
  if (!takesEmpty) (await ask(name)).blames(name, 'a name without =');
  for (const written of [`${name}[]`, `${name}%5B0%5D`, `${name}[$gt]`, `${name}.x`]) {
    (await ask(`${written}=${right}`)).blames(name, `${written} in the place of ${name}`);
  }
  (await ask(`${name.toUpperCase()}=${right}`)).blames(name.toUpperCase(), 'a name in capitals');
  for (const odd of ['%zz', '%', '%E0%A4']) {
    const answer = await ask(`${name}=${odd}`);
    t.check(answer.status === 400, `${name}=${odd}: expected 400, got ${answer.brief}`, answer);
  }
  if (schema.format === 'date-time') {
    const zoned = `${name}=2026-03-02T10:00:00`;
    (await ask(`${zoned}+05:00`)).blames(name, 'a raw +, which is a blank');
    (await ask(`${zoned}%2B05:00&${NO_SUCH_PARAMETER}=1`)).blames(NO_SUCH_PARAMETER, 'an encoded +');
  }
  await judgeRepetition(ask, parameter, right, t.values);
  const isOpen = schema.types.join() === 'string' && !schema.values && !schema.format && !schema.maxLength;
  for (const value of isOpen ? [] : values) {
    if (value.endsWith('_UNSPECIFIED') && t.values.unspecified_status_filter === 'reject') continue;
    if (name === 'limit' && Number(value) > 1000 && t.values.limit_above_maximum === 'reject') continue;
    (await ask(`${name}=${encoded(value)}&${NO_SUCH_PARAMETER}=1`)).blames(NO_SUCH_PARAMETER, `${name}=${value}`);
  }
}

/** The error of an operation for what the path names and nobody has, such as EMPLOYEE_NOT_FOUND; undefined if none. */
function absenceOf({ operation }: OperationInputs, { name }: InputParameter): ErrorName | undefined {
  const [, collection = ''] = new RegExp(`/(\\w+)s/\\{${name}\\}`).exec(operation.path) ?? [];
  return operation.errors.find((error) => error === `${collection.toUpperCase()}_NOT_FOUND`);
}

const MALFORMED = [
  'x',
  '1',
  'null',
  UNKNOWN_ID.slice(1),
  `${UNKNOWN_ID}x`,
  `{${UNKNOWN_ID}}`,
  '%7B%22$ne%22:1%7D',
  'a'.repeat(500),
];

/** Ids that are still stranger, for operations that only read. */
const ODD = [
  'undefined',
  '%5Bobject%20Object%5D',
  UNKNOWN_ID.replaceAll('-', ''),
  `urn:uuid:${UNKNOWN_ID}`,
  `${UNKNOWN_ID}.json`,
  '%F0%9F%98%80',
  '*',
  '__proto__',
];
/** Ids that may also be no path at all. */
const NO_PATHS = ['%00', '%zz', '%20', '%2f', ';x=1', '.pdf'].map((end) => UNKNOWN_ID + end);
NO_PATHS.push('%00', '..%2f..%2fdocuments', '_send', 'a'.repeat(10_000));

/** What a terminator may refuse in a form of its own. */
const inFrontOf = (id: string) => ['%00', '%zz'].filter((odd) => id.includes(odd)).map((inFront) => ({ inFront }))[0];

function malformedError(t: TestContext, absence: ErrorName, { schema }: InputParameter): ErrorName {
  const declared: Partial<Record<ErrorName, string>> = {
    EMPLOYEE_NOT_FOUND: t.values.malformed_employee_id,
    DOCUMENT_NOT_FOUND: t.values.malformed_document_id,
  };
  return schema.format === 'uuid' && declared[absence] !== 'not_found' ? 'INVALID_ARGUMENT' : absence;
}

/** The id of a row that only another tenant has; undefined if there is no such list, no key or no row. */
async function foreignId(t: TestContext, path: string): Promise<string | undefined> {
  const list = contractInputs.find(
    ({ operation }) => operation.method === 'get' && operation.path === path.split('/{')[0],
  );
  const rows = contractLists.find(({ operationId }) => operationId === list?.operation.operationId)?.rows;
  if (list === undefined || rows === undefined || (t.profile.keys.other_tenant?.length ?? 0) === 0) return undefined;
  const answer = await t.as('other_tenant').send({ path: list.operation.path, absolute: true, query: { limit: 1 } });
  return (answer.json as Record<string, { id?: string }[] | undefined>)[rows]?.[0]?.id;
}

async function judgeId(t: TestContext, inputs: OperationInputs, parameter: InputParameter, absence: ErrorName) {
  const body = await meantBody(t, inputs);
  const full = t.asAny('full');
  const ask = (id: string) => full.send({ ...callOf(inputs.operation, id), body, ...inFrontOf(id) });
  const isRead = inputs.operation.method === 'get';
  const unknown = (await ask(UNKNOWN_ID)).fails(absence, 'an unknown id');
  if (t.values.upper_case_id === 'understood') {
    mustLookTheSame(t, await ask(UNKNOWN_ID.toUpperCase()), unknown, 'an unknown id in capitals');
  }
  const wanted = malformedError(t, absence, parameter);
  for (const id of isRead ? [...MALFORMED, ...ODD] : MALFORMED) {
    const answer = await ask(id);
    if (wanted === 'INVALID_ARGUMENT') answer.blames(parameter.name, `the id ${id}`);
    else answer.fails(wanted, `the id ${id}`);
  }
  for (const id of isRead ? NO_PATHS : [])
    (await ask(id)).fails(['INVALID_ARGUMENT', absence, 'PATH_NOT_FOUND'], id.slice(0, 60));
  const foreign = await foreignId(t, inputs.operation.path);
  if (foreign !== undefined)
    mustLookTheSame(t, await ask(foreign), unknown, 'an id of another tenant', [foreign, UNKNOWN_ID]);
}

async function judgeIdempotencyKey(t: TestContext, inputs: OperationInputs, parameter: InputParameter): Promise<void> {
  const full = t.as('full');
  const call = { ...callOf(inputs.operation), body: { ...(await meantBody(t, inputs)), [NO_SUCH_FIELD]: 1 } };
  const ask = (headers: Headers) => full.send({ ...call, headers });
  const { name, required } = parameter;
  const lacking: [string, Headers][] = [
    ['an empty header', [[name, '']]],
    [
      'two headers',
      [
        [name, 'a'],
        [name, 'b'],
      ],
    ],
  ];
  for (const [what, headers] of required ? [['no header', []] as [string, Headers], ...lacking] : lacking) {
    const answer = await ask(headers);
    if (required) answer.fails('IDEMPOTENCY_KEY_MISSING', what);
    else if (t.values.idempotency_key_form !== 'any') answer.blames([name, NO_SUCH_FIELD], what);
  }
  if (t.values.idempotency_key_form === 'any') return;
  for (const { what, value } of wrongWritten(parameter)) {
    if (value === '') continue;
    const answer = await ask([[name, Buffer.from(String(value)).toString('latin1')]]);
    answer.fails('INVALID_ARGUMENT', `${name}: ${what}`);
    t.check(answer.violatedFields().includes(name), `${name}: ${what}: the header is not named`, answer);
  }
  for (const { what, value } of rightValues(parameter.schema)) {
    if (/^[ -~]+$/.test(String(value))) (await ask([[name, String(value)]])).blames(NO_SUCH_FIELD, `${name}: ${what}`);
  }
}

const common = { family: 'form of a parameter' } as const;

/** The rule of one parameter; undefined for a part of a path that may be any text, whose meaning is judged elsewhere. */
function ruleOf(inputs: OperationInputs, parameter: InputParameter): DeclaredRule | undefined {
  const { operationId } = inputs.operation;
  const { place, name } = parameter;
  /** What the target of a run takes. */
  const taken = (t: TestContext): [OperationInputs, InputParameter] => {
    const own = takenInputs(t, operationId);
    return [own, own.parameters.find((one) => one.place === place && one.name === name) ?? parameter];
  };
  const start = { ...common, id: `ERR-${operationId}.${place}.${name}`, place: `${operationId}: ${name}` };
  if (place === 'query') {
    const text = `${operationId} takes in ${name} what the contract declares; anything else is INVALID_ARGUMENT naming it.`;
    return { ...start, text, decisions: ['D-9', 'D-12'], check: (t) => judgeQuery(t, ...taken(t)) };
  }
  if (place === 'header') {
    const text = `${operationId} refuses a header ${name} that is empty, repeated or malformed, or missing where it is required.`;
    if (name !== 'Idempotency-Key') return { ...start, text, check: unable('no form of another header is known') };
    return { ...start, text, decisions: ['D-17', 'D-29'], check: (t) => judgeIdempotencyKey(t, ...taken(t)) };
  }
  const absence = absenceOf(inputs, parameter);
  if (absence === undefined) return undefined;
  const text = `${operationId} answers ${absence} to an unknown or foreign ${name}, and to a malformed one what the target declares.`;
  return { ...start, text, decisions: ['D-14'], check: (t) => judgeId(t, ...taken(t), absence) };
}

for (const inputs of contractInputs) {
  const { operationId } = inputs.operation;
  rule({
    ...common,
    id: `ERR-${operationId}.query`,
    text: `${operationId} refuses every parameter that it does not have with INVALID_ARGUMENT naming it.`,
    place: operationId,
    decisions: ['D-12'],
    check: (t) => refusesStrangeNames(t, takenInputs(t, operationId)),
  });
  for (const parameter of inputs.parameters) {
    const ofParameter = ruleOf(inputs, parameter);
    if (ofParameter) rule(ofParameter);
  }
}
