/** Bodies that want to be more than bodies: each gets a clear refusal, and nothing is written (hostile inputs 139 to 152). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createIndexes, type DocumentRow, type Store } from '../../data/store.ts';
import * as served from '../../index.ts';
import { Database } from '../../testing/database.ts';
import { World } from '../../testing/documents.ts';
import { type InProcess, serveInProcess } from '../../testing/in-process.ts';

const database = new Database();
let store: Store;
let world: World;
let server: InProcess;
let key: string;
let type: string;
let template: string;
let file: string;

beforeAll(async () => {
  store = await database.open();
  await createIndexes(store);
  world = await World.create(store);
  const owner = await world.owner();
  key = await world.tenant.key({ owner_id: owner.userId });
  type = await world.type();
  template = await world.template(type, ['reason']);
  file = await world.upload(owner);
  server = await serveInProcess(served, store, world.storage);
});

afterAll(async () => {
  await server.stop();
  await store.close();
  await database.remove();
});

interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly fields: readonly string[];
}

async function post(text: string, idempotencyKey?: string): Promise<Refusal & { readonly id: string }> {
  const answer = await fetch(`${server.url}/documents`, {
    method: 'POST',
    headers: {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    body: text,
  });
  // biome-ignore lint/suspicious/noExplicitAny: two shapes, of which the test looks at what it needs
  const body = (await answer.json()) as any;
  const violations: { field: string }[] = body.details?.[1]?.field_violations ?? [];
  const reason = body.details?.[0]?.reason ?? '';
  return { status: answer.status, reason, fields: violations.map(({ field }) => field), id: body.document?.id ?? '' };
}

/** Posts what must be refused with 400, and checks that no collection has a row more or less. */
async function refused(text: string): Promise<readonly string[]> {
  const before = await world.counts();
  const { status, reason, fields } = await post(text, randomUUID());
  expect(await world.counts()).toEqual(before);
  expect({ text: text.slice(0, 200), status, reason }).toEqual({
    text: text.slice(0, 200),
    status: 400,
    reason: 'INVALID_ARGUMENT',
  });
  return fields;
}

/** A body that would do, with members written as they are given. */
const body = (members = '') =>
  `{"title":"x","type_id":"${type}","template_id":"${template}"${members && `,${members}`}}`;
const values = (members: string) => body(`"template_values":{${members}}`);

describe('a body that is refused', () => {
  test.each<[string, () => string, string[]]>([
    ['an operator as a title', () => `{"title":{"$gt":""},"type_id":"${type}","template_id":"${template}"}`, ['title']],
    ['an array as a title', () => `{"title":["x"],"type_id":"${type}","template_id":"${template}"}`, ['title']],
    ['an empty title', () => `{"title":"","type_id":"${type}","template_id":"${template}"}`, ['title']],
    [
      'a title of 501 characters',
      () => `{"title":"${'я'.repeat(501)}","type_id":"${type}","template_id":"${template}"}`,
      ['title'],
    ],
    ['a number of 101 characters', () => body(`"number":"${'1'.repeat(101)}"`), ['number']],
    ['an operator as an id', () => `{"title":"x","type_id":{"$ne":null},"template_id":"${template}"}`, ['type_id']],
    ['an operator as a file', () => body('"file_id":{"$ne":null}'), ['file_id']],
    ['an operator as subjects', () => body('"subject_employee_ids":{"$in":[]}'), ['subject_employee_ids']],
    ['an operator among subjects', () => body('"subject_employee_ids":[{"$ne":1}]'), ['subject_employee_ids[0]']],
    ['_bsontype', () => body('"_bsontype":"ObjectId"'), ['_bsontype']],
    ['_bsontype as a date', () => body('"date":{"_bsontype":"Long","low":1,"high":0}'), ['date']],
    ['_bsontype as a value', () => values('"reason":{"_bsontype":"Code","code":"1"}'), ['template_values.reason']],
    ['_bsontype among values', () => values('"_bsontype":"ObjectId"'), ['template_values._bsontype']],
    ['$where', () => body('"$where":"1"'), ['$where']],
    ['$where among values', () => values('"$where":"sleep(1)"'), ['template_values.$where']],
    [
      '$expr, $ref and $db among values',
      () => values('"$expr":1,"$ref":"x","$db":"y"'),
      ['template_values.$expr', 'template_values.$ref', 'template_values.$db'],
    ],
    ['a dotted key among values', () => values('"reason.x":"1"'), ['template_values.reason.x']],
    ['an empty key among values', () => values('"":"1"'), ['template_values.']],
    ['__proto__', () => body('"__proto__":{"polluted":1}'), ['__proto__']],
    ['constructor', () => body('"constructor":{"prototype":{"polluted":1}}'), ['constructor']],
    ['__proto__ among values', () => values('"__proto__":{"polluted":1}'), ['template_values.__proto__']],
    ['constructor among values', () => values('"constructor":{"prototype":{}}'), ['template_values.constructor']],
    [
      'fields of rows',
      () =>
        body(
          '"tenant_id":"x","status":"DOCUMENT_STATUS_COMPLETED","_id":"x","initiator_employee_id":"x","listed":true,"create_time":"2020-01-01T00:00:00Z"',
        ),
      ['tenant_id', 'status', '_id', 'initiator_employee_id', 'listed', 'create_time'],
    ],
    ['version 0', () => body('"template_version":0'), ['template_version']],
    ['version -1', () => body('"template_version":-1'), ['template_version']],
    ['version 1.5', () => body('"template_version":1.5'), ['template_version']],
    ['version 2^31', () => body('"template_version":2147483648'), ['template_version']],
    ['version 2^53 + 1', () => body('"template_version":9007199254740993'), ['template_version']],
    ['version 1e400', () => body('"template_version":1e400'), ['template_version']],
    ['a version as text', () => body('"template_version":"1"'), ['template_version']],
    ['an unknown version', () => body('"template_version":2147483647'), ['template_version']],
    ['values as an array', () => body('"template_values":[]'), ['template_values']],
    ['null as values', () => body('"template_values":null'), ['template_values']],
    ['null as a title', () => `{"title":null,"type_id":"${type}","template_id":"${template}"}`, ['title']],
    ['null as a number', () => body('"number":null'), ['number']],
    ['a value of the wrong type', () => values('"reason":9007199254740993'), ['template_values.reason']],
    ['a day that is none', () => body('"date":"2024-02-30"'), ['date']],
    ['the day zero', () => body('"date":"0000-00-00"'), ['date']],
    ['a short date', () => body('"date":"24-1-1"'), ['date']],
    ['a date with a space', () => body('"date":" 2024-01-01"'), ['date']],
    ['a date with a time', () => body('"date":"2024-01-01T00:00"'), ['date']],
    ['both sources', () => body(`"file_id":"${file}"`), ['template_id', 'file_id']],
    ['neither source', () => `{"title":"x","type_id":"${type}"}`, ['template_id', 'file_id']],
    [
      'a null and an empty source',
      () => `{"title":"x","type_id":"${type}","template_id":null,"file_id":""}`,
      ['template_id', 'file_id'],
    ],
    ['an empty type', () => `{"title":"x","type_id":"","template_id":"${template}"}`, ['type_id']],
    ['nothing', () => '{}', ['title', 'type_id', 'template_id', 'file_id']],
    [
      '1,001 subjects',
      () => body(`"subject_employee_ids":${JSON.stringify(Array.from({ length: 1001 }, randomUUID))}`),
      ['subject_employee_ids'],
    ],
    [
      'a subject twice',
      () => body(`"subject_employee_ids":["${file}","${file.toUpperCase()}"]`),
      ['subject_employee_ids', 'subject_employee_ids[0]', 'subject_employee_ids[1]'],
    ],
    ['NUL in a title', () => `{"title":"a\\u0000b","type_id":"${type}","template_id":"${template}"}`, ['body']],
    ['NUL in a key', () => values('"a\\u0000":1'), ['body']],
    ['NUL in a value', () => values('"reason":"\\u0000"'), ['body']],
    [
      'a lone surrogate in a title',
      () => `{"title":"\\ud800","type_id":"${type}","template_id":"${template}"}`,
      ['body'],
    ],
    ['a lone surrogate in a key', () => values('"\\udc00":1'), ['body']],
    [
      '400,000 levels',
      () => `${body().slice(0, -1)},"template_values":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
      ['body'],
    ],
    ['65 levels', () => values(`"reason":${'['.repeat(63)}${']'.repeat(63)}`), ['body']],
    ['no object', () => '[]', ['body']],
    ['a literal', () => 'null', ['body']],
  ])('%s', async (_, text, fields) => {
    expect((await refused(text())).toSorted()).toEqual(fields.toSorted());
  });

  test('many unknown keys, long keys and long lists are refused and not echoed whole', async () => {
    const keys = Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join();
    expect((await refused(values(keys))).length).toBeLessThanOrEqual(20);
    const [long = ''] = await refused(values(`"${'k'.repeat(500_000)}":1`));
    expect([...long].length).toBeLessThanOrEqual(64);
    expect(await refused(values(`"reason":[${'0,'.repeat(100_000)}0]`))).toEqual(['template_values.reason']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('a repeat on the wire', () => {
  test('says that it is one; what is still running says when to come back', async () => {
    const send = (idempotencyKey: string) =>
      fetch(`${server.url}/documents`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
        body: body(),
      });
    const [first, again] = [await send('wire'), await send('wire')];
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(await again.json()).toEqual(await first.json());
    await store.idempotency_claims.updateMany(
      {},
      { $set: { state: 'RUNNING', lease_until: new Date(Date.now() + 60_000) } },
    );
    const running = await send('wire');
    const { details } = (await running.json()) as { details: { reason: string }[] };
    expect([running.status, details[0]?.reason, running.headers.get('retry-after')]).toEqual([
      409,
      'DEVELOPER.IDEMPOTENCY_IN_PROGRESS',
      '1',
    ]);
    for (const wrong of ['', 'a b', '\u00e9', 'x'.repeat(256)]) {
      const before = await world.counts();
      const { status } = await send(wrong);
      expect(status).toBe(400);
      expect(await world.counts()).toEqual(before);
    }
  });
});

describe('a body that is taken as it is', () => {
  test('duplicate keys: the last counts, also for what repeats it', async () => {
    const twice = `{"title":"a","title":"b","type_id":"${type}","template_id":"${template}"}`;
    const { status, id } = await post(twice, 'duplicate');
    expect(status).toBe(200);
    expect((await store.documents.findOne({ _id: id }))?.title).toBe('b');
    expect((await post(twice.replace('"title":"a",', ''), 'duplicate')).id).toBe(id);
    expect((await post(twice.replaceAll('"b"', '"\\u0062"'), 'duplicate')).id).toBe(id);
  });

  test('values are kept as text, whatever their keys and characters mean to a database', async () => {
    const reason = '$where: {"$gt":""} {{title}} <script> 😀 \u202e';
    const { id } = await post(values(`"reason":${JSON.stringify(reason)}`));
    const row = (await store.documents.findOne({ _id: id })) as DocumentRow;
    expect(JSON.parse(row.template?.values ?? '')).toEqual({ reason });
  });

  test('ids in upper case are the same ids', async () => {
    const { status, id } = await post(
      body()
        .toUpperCase()
        .replace(/"(TITLE|TYPE_ID|TEMPLATE_ID)"/g, (name) => name.toLowerCase()),
    );
    expect(status).toBe(200);
    expect((await store.documents.findOne({ _id: id }))?.type_id).toBe(type);
  });
});
