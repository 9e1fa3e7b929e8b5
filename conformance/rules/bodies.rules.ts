/** The form of bodies and of each of their fields, as the contract declares it. */

import { gzipSync } from 'node:zlib';
import type { OperationId } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import { type Answer, isWithin, otherViolations } from '../http/answer.ts';
import type { Call } from '../http/api.ts';
import { rule } from './rule.ts';
import { callOf, newKey, orClosed, UNKNOWN_ID, unique, writes } from './shared/calls.ts';
import { type BodyField, contractInputs } from './shared/contract-inputs.ts';
import { employee, ext, KEDO, Load, mark, shows, skippedBatch } from './shared/ingest-calls.ts';
import { firstPlace, NO_SUCH_FIELD, rightValues, withValue, wrongValues } from './shared/input-values.ts';
import { meantBody, postOf, takenInputs } from './shared/target-inputs.ts';

/** Fields that name the source of a document: one of them must be there, and a version must exist. */
const SOURCES = ['createDocument template_id', 'createDocument file_id', 'createDocument template_version'];

/** Ids that belong to nothing may be refused for what they mean. */
const isOnlyForm = (value: unknown): boolean => {
  const text = JSON.stringify(value) ?? '';
  return !text.includes(UNKNOWN_ID.slice(0, 23)) && text !== '{}';
};

/** Texts that no field may hold (D-6a). */
const BROKEN_TEXTS = ['a\u0000b', '\ud800b', 'a\udc00'];

interface FieldCase {
  /** Sends a body that is right but for the value of the field; undefined leaves it out. */
  send(value: unknown, more?: object): Promise<Answer>;
  /** The place that is to blame. */
  at: string;
  field: BodyField;
  /** What is refused however the field is: a field that does not exist, and ids of nothing. */
  always: readonly string[];
}

/** A wrong value is blamed at its place; whatever else is named is within the field, or wrong in any case. */
async function mustRefuse(
  { send, at, always }: FieldCase,
  what: string,
  value: unknown,
  within: string,
): Promise<void> {
  const answer = (await send(value)).fails('INVALID_ARGUMENT', what);
  const named = answer.violatedFields();
  const isRight =
    named.some((name) => isWithin(name, `${at}${within}`)) &&
    named.every((name) => isWithin(name, at) || always.includes(name));
  const said = `${what}: the violations should name ${at}${within}, and name ${named.join()}`;
  answer.context.check(isRight, said, answer, otherViolations(named));
}

/** A right value is not blamed beside a field that does not exist, so that nothing comes to be. */
async function mustTake(
  { send, at }: FieldCase,
  what: string,
  value: unknown,
  wanted: readonly string[],
): Promise<void> {
  const answer = (await send(value, { [NO_SUCH_FIELD]: 1 })).fails('INVALID_ARGUMENT', what);
  const { context } = answer;
  context.equal(answer.violatedFields().toSorted(), wanted, `what is refused with ${at}: ${what}`, answer);
}

async function judgeField(t: TestContext, operationId: OperationId, path: string): Promise<void> {
  const inputs = takenInputs(t, operationId);
  const field = t.present(
    inputs.fields.find((one) => one.path === path),
    'the field is gone',
  );
  const body = await meantBody(t, inputs, field);
  const full = t.asAny('full');
  const send = (value: unknown, more: object = {}) =>
    full.send(postOf(t, inputs.operation, { ...withValue(body, path, value), ...more }));
  const absent = (await send(undefined, { [NO_SUCH_FIELD]: 1 })).fails('INVALID_ARGUMENT', 'an unknown field');
  const without = absent.violatedFields().toSorted();
  const at = firstPlace(path);
  const one: FieldCase = { send, at, field, always: without.filter((name) => !isWithin(name, at)) };
  const isSource = SOURCES.includes(`${operationId} ${path}`);
  if (!isSource)
    t.equal(without.includes(at), field.required, `whether the violations name ${at}, which is missing`, absent);
  for (const { what, value, within } of wrongValues(field.schema)) await mustRefuse(one, what, value, within);
  const isText = field.schema.types.join() === 'string' && !field.schema.values && !field.schema.format;
  for (const text of isText ? BROKEN_TEXTS : []) {
    (await send(text)).fails('INVALID_ARGUMENT', `a text with ${JSON.stringify(text)}`);
  }
  const taken = without.filter((name) => name !== at);
  for (const { what, value } of rightValues(field.schema)) {
    const isNothing = value === null || (value === '' && field.schema.takesEmpty);
    if (isNothing) await mustTake(one, what, value, without);
    else if (isOnlyForm(value) && !isSource) await mustTake(one, what, value, taken);
  }
}

for (const { operation, fields } of contractInputs) {
  const { operationId } = operation;
  for (const { path } of fields) {
    rule({
      id: `ERR-${operationId}.${path.replaceAll('[]', '')}`,
      family: 'form of a field',
      text: `${operationId} takes in ${path} what the contract declares; anything else is INVALID_ARGUMENT naming the field.`,
      place: `${operationId}: ${path}`,
      decisions: ['D-6a'],
      check: (t) => judgeField(t, operationId, path),
    });
  }
}

/** A value that fits no field. */
const WRONG = '[[[7]]]';

rule({
  id: 'ERR-36',
  text: 'Of equal names in a body the last counts, in every operation and however the name is written.',
  place: 'requestBody',
  decisions: ['D-6a'],
  check: async (t, full) => {
    for (const operation of writes(t)) {
      const { operationId } = operation;
      const inputs = takenInputs(t, operationId);
      const body = { ...(await meantBody(t, inputs)), [NO_SUCH_FIELD]: 1 };
      const [name] = Object.keys(body).filter((one) => one !== NO_SUCH_FIELD);
      if (name === undefined) continue;
      const { body: _, ...call } = postOf(t, operation, {});
      const send = (raw: string) => full.send({ ...call, raw });
      const whole = JSON.stringify(body);
      // The first letter of the name as an escape: the same name.
      const escaped = `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`;
      for (const spelled of [name, escaped]) {
        (await send(`{"${spelled}":${WRONG},${whole.slice(1)}`)).blames(NO_SUCH_FIELD, `${operationId}: first wrong`);
        const last = await send(`${whole.slice(0, -1)},"${spelled}":${WRONG}}`);
        last.blames([name, NO_SUCH_FIELD], `${operationId}: a right ${name}, then a wrong one`);
      }
    }
  },
});

/** A way to send a batch. */
interface BatchForm {
  readonly what: string;
  /** The bytes of a batch, from its text. @param id the external id in it, as JSON */
  written(text: string, id: string): string | Buffer;
  readonly more?: Partial<Call> & { headers?: Readonly<Record<string, string>> };
  /** A habit of senders, of which a target may declare nothing. */
  readonly isHabit?: true;
}

const GZIP = { headers: { 'Content-Encoding': 'gzip' } };

const asItIs = (text: string) => text;

/** Each must be applied, if the target takes it at all. */
const FORMS: readonly BatchForm[] = [
  { what: 'a batch in gzip', written: (text) => gzipSync(text), more: GZIP },
  { what: 'gzip in chunks', written: (text) => gzipSync(text), more: { ...GZIP, chunkBytes: 7 } },
  { what: 'a batch behind a byte order mark', written: (text) => `\ufeff${text}`, isHabit: true },
  { what: 'a batch in chunks', written: asItIs, more: { chunkBytes: 5 } },
  {
    what: 'a batch behind 100-continue',
    written: asItIs,
    more: { headers: { Expect: '100-continue' }, expectContinueMs: 3000 },
  },
  { what: 'blanks and lines', written: (text) => JSON.stringify(JSON.parse(text), null, '\r\n\t ') },
  {
    what: 'escapes in names and texts',
    written: (text) =>
      text.replace('"records"', '"\\u0072ecords"').replace('"number"', '"n\\u0075mber"').replaceAll('-', '\\u002d'),
  },
  {
    what: 'equal names',
    written: (text, id) =>
      text
        .replace('"payload_type"', '"payload_type":"PERSONS","records":[{}],"payload_type"')
        .replace('"number"', '"number":[],"external_id":"nobody","number"')
        .replace('"admission_date"', `"external_id":${id},"admission_date"`),
  },
];

rule({
  id: 'ING-88',
  text: 'A batch is read as every body is: packed, in chunks, behind 100-continue or a byte order mark, with blanks and escapes anywhere, and the last of equal names counts; what is no UTF-8 or JSON, or has half a character, is INVALID_ARGUMENT.',
  place: 'ingestRecords, requestBody',
  decisions: ['D-6a', 'D-29'],
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    const isTaken = ({ more, isHabit }: BatchForm) =>
      (more?.headers !== GZIP.headers || t.values.gzip_bodies === 'accepted') &&
      (isHabit === undefined || t.values.ingest_habits === 'understood');
    const forms = FORMS.filter(isTaken);
    await load.people('read');
    const staff = forms.map((_, n) => employee(t, `read-${n}`, 'read', mark(t, 'begin')));
    await load.make('EMPLOYEES', staff);
    const numbers = forms.map(() => mark(t, 'read'));
    for (const [n, { what, written, more = {} }] of forms.entries()) {
      const record = { ...staff[n], number: numbers[n] };
      const text = JSON.stringify({ payload_type: 'EMPLOYEES', records: [record] });
      const raw = written(text, JSON.stringify(ext(t, `read-${n}`)));
      const headers = { 'Idempotency-Key': newKey(t), ...more.headers };
      await t.mayWrite();
      const answer = await load.reader.send({ method: 'POST', path: `/ingest/${KEDO}`, raw, ...more, headers });
      t.equal(answer.ok('ingestRecords', what).record_count, 1, `record_count of ${what}`, answer);
    }
    await load.settled();
    const rows = await load.rows();
    for (const [n, { what }] of forms.entries()) t.check(shows(rows, numbers[n] ?? ''), `it was not applied: ${what}`);
    const text = JSON.stringify(skippedBatch([{ external_id: 'nobody', title: 'mark' }]));
    const wrong: [what: string, raw: string | Buffer][] = [
      ['no UTF-8 within a record', Buffer.from(text.replace('mark', '\u00ff'), 'latin1')],
      ['half of a character within a record', Buffer.concat([Buffer.from(text.slice(0, -3)), Buffer.from([0xd0])])],
      ['a comma too many within a record', text.replace('"mark"', '"mark",')],
      ['a record that does not end', text.slice(0, -3)],
      ['text behind the batch', `${text}x`],
      ['a number with a leading zero', text.replace('"mark"', '01')],
      ['a control character in a text', text.replace('mark', 'a\tb')],
      ['a payload_type with NUL', text.replace('NOTHING', 'a\\u0000')],
      ['a payload_type with half a surrogate pair', text.replace('NOTHING', 'a\\ud800')],
      ['garbage called gzip', text],
    ];
    for (const [what, raw] of wrong) {
      const headers = { 'Idempotency-Key': newKey(t), ...(what.includes('gzip') ? GZIP.headers : {}) };
      if (what.includes('gzip') && t.values.gzip_bodies !== 'accepted') continue;
      const answer = await load.reader.send({ method: 'POST', path: `/ingest/${KEDO}`, raw, headers });
      answer.fails('INVALID_ARGUMENT', what);
    }
  },
});

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
