/** What every operation asks of a body as a whole: its media type, its size, that it is an object, and its fields. */

import type { OperationId } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Call } from '../http/api.ts';
import { rule } from './rule.ts';
import { callOf, orClosed, UNKNOWN_ID, unique } from './shared/calls.ts';
import { contractInputs } from './shared/contract-inputs.ts';
import { meantBody, takenInputs } from './shared/target-inputs.ts';

const MEDIA_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/json; charset=utf-16',
  'application/jsonp',
];
const NO_OBJECTS = ['{', '{"a":1,}', "{'a':1}", '{"a":NaN}', '// x\n{}', '[]', 'null', '1', '"x"', 'true'];
/** Fields that only the service decides, and names that mean something elsewhere: at most 20, which one answer names. */
const STRANGE_FIELDS = [
  ...'id|_id|status|tenant_id|owner_id|initiator_employee_id|create_time|update_time|completed_at|files|route'.split(
    '|',
  ),
  ...'secret|listed|rev|$set|$where|a.b|constructor|Title'.split('|'),
];

async function judgeBody(t: TestContext, operationId: OperationId): Promise<void> {
  const inputs = takenInputs(t, operationId);
  const { operation, fields } = inputs;
  const right = await meantBody(t, inputs);
  const { body: _body, ...call } = callOf(operation);
  const full = t.asAny('full');
  const send = (more: Partial<Call>) => full.send({ ...call, ...more });
  for (const contentType of MEDIA_TYPES)
    (await send({ raw: '{}', contentType })).fails('UNSUPPORTED_MEDIA_TYPE', contentType);
  for (const raw of NO_OBJECTS) (await send({ raw })).fails('INVALID_ARGUMENT', `the body ${raw}`);
  for (const nothing of [{ raw: '' }, {}]) {
    const answer = await send(nothing);
    if (operation.body === 'required') answer.fails('INVALID_ARGUMENT', 'no body');
    else t.check(answer.status === 404, `no body: expected 404 as for {}, got ${answer.brief}`, answer);
  }
  const strange = STRANGE_FIELDS.filter((name) => !fields.some(({ path }) => path === name));
  const named = { ...right, ...Object.fromEntries(strange.map((name) => [name, UNKNOWN_ID])) };
  (await send({ body: named })).blames(strange, 'fields that it does not have');
  (await send({ body: { ...right, '': 1 } })).fails('INVALID_ARGUMENT', 'a field without a name');
  const hidden = JSON.stringify({ ...right, hidden: { status: 'x' } }).replace(
    '"hidden":{"status"',
    '"__proto__":{"status"',
  );
  (await send({ raw: hidden })).fails('INVALID_ARGUMENT', 'the field __proto__');
  if (operation.bodyLimitBytes !== t.values.body_limit_bytes) return;
  const large = Buffer.alloc(t.values.body_limit_bytes + 1, 0x20);
  large.write('{}');
  (await orClosed(() => send({ raw: large })))?.fails('REQUEST_TOO_LARGE', 'a body that is a byte too large');
}

for (const { operation, body } of contractInputs) {
  const { operationId } = operation;
  if (body === undefined) continue;
  rule({
    id: `ERR-${operationId}.body`,
    family: 'form of a body',
    text: `${operationId} refuses a body of another media type, one that is too large, is no JSON object or lacks where it is required, and one with a field that it does not have.`,
    place: operationId,
    decisions: ['D-6a'],
    check: (t) => judgeBody(t, operationId),
  });
}

/** Methods that a path may have. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

for (const path of unique(contractInputs.map(({ operation }) => operation.path))) {
  const served = contractInputs.flatMap(({ operation }) => (operation.path === path ? [operation] : []));
  const name = path.split('/').slice(3).join('.').replace(/[{}]/g, '');
  rule({
    id: `GEN-${name}`,
    family: 'methods of a path',
    text: `A method that ${path} does not have is METHOD_NOT_ALLOWED, and Allow names those it has, HEAD beside GET, and no other.`,
    place: served.map(({ operationId }) => operationId).join(', '),
    decisions: ['D-5', 'D-6a'],
    check: async (t) => {
      const methods = served.map(({ method }) => method.toUpperCase());
      const hasHead = methods.includes('GET') && t.values.head_requests === 'as_get';
      const wanted = [...methods, ...(hasHead ? ['HEAD'] : [])].sort();
      const [first] = served;
      const target = first === undefined ? path : callOf(first).path;
      for (const method of METHODS.filter((one) => !methods.includes(one))) {
        const answer = await t.asAny('full').send({ method, path: target, absolute: true });
        answer.fails('METHOD_NOT_ALLOWED', method);
        const allowed = (answer.header('allow') ?? '').split(',').map((one) => one.trim());
        t.equal(allowed.sort(), wanted, `${method}: Allow`, answer);
      }
    },
  });
}
