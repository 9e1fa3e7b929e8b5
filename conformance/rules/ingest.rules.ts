import { gzipSync } from 'node:zlib';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { firstAttempt, KEDO, mark, newKey, send, skippedBatch } from './shared/ingest-calls.ts';
import { need, together } from './shared/needs.ts';
import { otherBodies } from './shared/other-bodies.ts';

const OPERATION = 'ingestRecords';
const KEY_IS_USED = 'INGEST_ALREADY_ACCEPTED';

/** Records that fit no payload type. */
const unknownRecords = (count: number) => Array.from({ length: count }, (_, n) => ({ external_id: `nobody-${n}` }));

rule({
  id: 'ING-1',
  level: 'MUST',
  text: 'Without an Idempotency-Key, or with an empty or repeated one, a batch is 400 INTEGRATION.IDEMPOTENCY_REQUIRED.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full');
    (await send(t, full, KEDO, skippedBatch(), '')).fails('IDEMPOTENCY_KEY_MISSING', 'without the header');
    const odd: [string, [string, string][]][] = [
      ['an empty header', [['Idempotency-Key', '']]],
      ['the header twice', [newKey(t), newKey(t)].map((key) => ['Idempotency-Key', key])],
    ];
    for (const [what, headers] of odd) {
      await t.mayWrite();
      (await full.post('/ingest/KEDO', skippedBatch(), { headers })).fails('IDEMPOTENCY_KEY_MISSING', what);
    }
  },
});

rule({
  id: 'ING-2',
  level: 'MUST',
  text: 'An accepted batch is a 200 with an id of its own, ACCEPTED and the number of its records.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full');
    const ids = new Set<string>();
    for (const count of [1, 3]) {
      const answer = await send(t, full, KEDO, skippedBatch(unknownRecords(count)));
      const body = answer.ok(OPERATION);
      t.equal([body.status, body.record_count], ['ACCEPTED', count], 'status and record_count', answer);
      ids.add(body.ingest_request_id);
    }
    t.equal(ids.size, 2, 'different ids of two requests');
  },
});

rule({
  id: 'ING-3',
  level: 'MUST',
  text: 'A repeat of a batch with a used Idempotency-Key is 409 INTEGRATION.IDEMPOTENCY_REQUIRED with the first attempt’s id.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full');
    const key = newKey(t);
    const first = (await send(t, full, KEDO, skippedBatch(), key)).ok(OPERATION);
    for (const what of ['the repeat', 'one more']) {
      const answer = (await send(t, full, KEDO, skippedBatch(), key)).fails(KEY_IS_USED, what);
      t.equal(firstAttempt(answer), first.ingest_request_id, `${what}: ingest_request_id in metadata`, answer);
    }
  },
});

rule({
  id: 'ING-4',
  level: 'MUST',
  text: 'A used Idempotency-Key with another source or another body, whichever field of the request is changed, added or dropped, is 409 INTEGRATION.IDEMPOTENCY_REQUIRED with the first attempt’s id.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full');
    const key = newKey(t);
    const body = skippedBatch(unknownRecords(2));
    const first = (await send(t, full, KEDO, body, key)).ok(OPERATION);
    const others: [string, string, object][] = [
      ...otherBodies('ingestRecords', body).map(([what, other]): [string, string, object] => [what, KEDO, other]),
      ['another source', 'LEDGER', body],
    ];
    for (const [what, source, other] of others) {
      const answer = (await send(t, full, source, other, key)).fails(KEY_IS_USED, what);
      t.equal(firstAttempt(answer), first.ingest_request_id, `${what}: ingest_request_id in metadata`, answer);
    }
  },
});

rule({
  id: 'ING-5',
  level: 'MUST',
  text: 'The Idempotency-Key of a batch belongs to the API key: another key of the same owner may use it.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: together(need.ingest, { keys: ['second_key_same_owner', 'ingest_write'] }),
  check: async (t) => {
    const key = newKey(t);
    const ids = new Set<string>();
    for (const name of ['full', 'second_key_same_owner', 'ingest_write'] as const) {
      const answer = await send(t, t.as(name), KEDO, skippedBatch(), key);
      ids.add(answer.ok(OPERATION, `the same Idempotency-Key with the key ${name}`).ingest_request_id);
    }
    t.equal(ids.size, 3, 'ids of three requests');
  },
});

rule({
  id: 'ING-7',
  level: 'MUST',
  text: 'Of twenty batches at once with one Idempotency-Key one is accepted; the others get its id.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full');
    const key = newKey(t);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send(t, full, KEDO, skippedBatch(unknownRecords((n % 3) + 1)), key)),
    );
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    t.check(winner !== undefined, 'none of twenty was accepted', answers[0]);
    t.equal(others.length, 0, 'more than one accepted', others[0]);
    const id = winner?.ok(OPERATION).ingest_request_id;
    for (const answer of answers) {
      if (answer !== winner) t.equal(firstAttempt(answer.fails(KEY_IS_USED)), id, 'the id of the one accepted', answer);
    }
  },
});

rule({
  id: 'ING-8',
  level: 'MUST',
  text: 'A refused batch does not use up its Idempotency-Key.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: together(need.ingest, { keys: ['no_scope'] }),
  check: async (t) => {
    const full = t.as('full');
    const key = newKey(t);
    const body = skippedBatch(unknownRecords(2));
    (await send(t, full, KEDO, body, '')).fails('IDEMPOTENCY_KEY_MISSING');
    (await send(t, full, KEDO, { ...body, records: {} }, key)).blames('records');
    (await send(t, full, KEDO, { ...body, no_such_field: 1 }, key)).fails('INVALID_ARGUMENT');
    (await send(t, t.as('no_scope'), KEDO, body, key)).fails('SCOPE_INSUFFICIENT');
    (await send(t, full, KEDO, body, key)).ok(OPERATION, 'the right request with the key of refused ones');
  },
});

rule({
  id: 'ING-32',
  level: 'MUST',
  text: 'No operation tells the state of a batch.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const { ingest_request_id: id } = (await send(t, full, KEDO, skippedBatch())).ok(OPERATION);
    const paths = [
      '/ingest',
      '/ingest/KEDO',
      `/ingest/${id}`,
      `/ingest/KEDO/${id}`,
      `/ingest/requests/${id}`,
      `/ingest_requests/${id}`,
    ];
    for (const path of paths) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await full.send({ method, path, ...(method === 'GET' ? {} : { body: {} }) });
        answer.fails(['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED'], `${method} ${path}`);
      }
    }
  },
});

rule({
  id: 'ING-38',
  level: 'MUST',
  text: 'A batch of wrong shape is INVALID_ARGUMENT naming the field.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const good = skippedBatch();
    const wrong: [string, unknown][] = [
      ...[{}, 'x', 1, true, null, undefined].map((records): [string, unknown] => ['records', { ...good, records }]),
      ...[1, true, {}, [], null, undefined].map((payload_type): [string, unknown] => [
        'payload_type',
        { ...good, payload_type },
      ]),
      ...['true', 1, 0, '', {}, []].map((create_missing): [string, unknown] => [
        'create_missing',
        { ...good, create_missing },
      ]),
      ['no_such_field', { ...good, no_such_field: 'x' }],
      ['source_type', { ...good, source_type: 'KEDO' }],
    ];
    for (const [field, body] of wrong) {
      (await send(t, full, KEDO, body)).blames(field, JSON.stringify(body).slice(0, 100));
    }
  },
});

rule({
  id: 'ING-39',
  level: 'MUST',
  text: 'A batch without records is treated as the target declares.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  check: async (t) => {
    const answer = await send(t, t.as('full'), KEDO, skippedBatch([]));
    if (t.values.ingest_records[0] > 0) answer.blames('records', 'no records');
    else t.equal(answer.ok(OPERATION).record_count, 0, 'record_count', answer);
  },
});

rule({
  id: 'ING-44',
  level: 'MUST',
  text: 'A batch with a key that no super-administrator made is refused before anything else is checked.',
  place: 'ingestRecords',
  decisions: ['D-31'],
  needs: together(need.ingest, { keys: ['fake_super_admin_ingest'] }),
  check: async (t) => {
    const fake = t.as('fake_super_admin_ingest');
    const key = newKey(t);
    for (const body of [skippedBatch(), {}, { ...skippedBatch(), records: [] }])
      (await send(t, fake, KEDO, body, key)).fails('SCOPE_INSUFFICIENT');
    (await send(t, fake, KEDO, skippedBatch(), '')).fails('SCOPE_INSUFFICIENT', 'without the header');
  },
});

rule({
  id: 'ING-45',
  level: 'MUST',
  text: 'A batch with the most records that the target declares is accepted; with one more it is INVALID_ARGUMENT.',
  place: 'ingestRecords',
  decisions: ['D-29'],
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full');
    const most = t.values.ingest_records[1];
    const answer = await send(t, full, KEDO, skippedBatch(unknownRecords(most)));
    t.equal(answer.ok(OPERATION, `${most} records`).record_count, most, 'record_count', answer);
    (await send(t, full, KEDO, skippedBatch(unknownRecords(most + 1)))).blames('records', `${most + 1} records`);
  },
});

rule({
  id: 'ING-41',
  level: 'SHOULD',
  text: 'A batch of 1,000 records is accepted in less than two seconds.',
  place: 'ingestRecords',
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full');
    const record = { external_id: mark(t), first_name: 'Проба', last_name: 'Скорости', phone: '+70000000000' };
    const records = Array.from({ length: 1000 }, (_, n) => ({ ...record, external_id: `${record.external_id}-${n}` }));
    const body = { payload_type: 'PERSONS', create_missing: false, records };
    const answers = [await send(t, full, KEDO, body), await send(t, full, KEDO, body), await send(t, full, KEDO, body)];
    for (const answer of answers) t.equal(answer.ok(OPERATION).record_count, 1000, 'record_count', answer);
    const fastest = Math.min(...answers.map(({ tookMs }) => tookMs));
    t.check(fastest < 2000, `1,000 records were accepted in ${Math.round(fastest)} ms at best`, answers[0]);
  },
});

/** The JSON text of a batch that is skipped, exactly this many bytes long. */
function batchOf(t: TestContext, bytes: number): Buffer {
  const open = `{"payload_type":"NOTHING","records":[{"external_id":"${t.run.run_id}","x":"`;
  return Buffer.concat([Buffer.from(open), Buffer.alloc(bytes - open.length - 4, 0x78), Buffer.from('"}]}')]);
}

async function sendRaw(t: TestContext, raw: Buffer, gzip = false) {
  await t.mayWrite();
  const headers = { 'Idempotency-Key': newKey(t), ...(gzip ? { 'Content-Encoding': 'gzip' } : {}) };
  const body = gzip ? gzipSync(raw) : raw;
  return t.as('full').send({ method: 'POST', path: '/ingest/KEDO', raw: body, headers, timeoutMs: 60_000 });
}

rule({
  id: 'ING-46',
  level: 'MUST',
  text: 'A batch with a body of the size that the target declares is accepted; a larger one is 413.',
  place: 'ingestRecords',
  decisions: ['D-6a', 'D-29'],
  needs: need.ingest,
  check: async (t) => {
    if (!t.profile.tenant.consent_to_large_bodies) {
      t.untested('no_consent_to_writes', 'the profile does not consent to large bodies');
    }
    const most = t.values.ingest_body_limit_bytes;
    (await sendRaw(t, batchOf(t, most))).ok(OPERATION, `a body of ${most} bytes`);
    const beyond = batchOf(t, most + 1);
    (await sendRaw(t, beyond)).fails('REQUEST_TOO_LARGE', `a body of ${most + 1} bytes`);
    if (t.values.gzip_bodies !== 'accepted') return;
    (await sendRaw(t, beyond, true)).fails('REQUEST_TOO_LARGE', `${most + 1} bytes in gzip`);
  },
});

rule({
  id: 'ING-47',
  level: 'MUST',
  text: 'The body of a batch may be larger than the bodies of other operations.',
  place: 'ingestRecords',
  decisions: ['D-6a', 'D-29'],
  needs: need.ingest,
  check: async (t) => {
    const size = t.values.body_limit_bytes + 1;
    (await sendRaw(t, batchOf(t, size))).ok(OPERATION, `a body of ${size} bytes`);
    if (t.values.gzip_bodies !== 'accepted') return;
    (await sendRaw(t, batchOf(t, size), true)).ok(OPERATION, `${size} bytes in gzip`);
  },
});

rule({
  id: 'ING-62',
  level: 'MUST',
  text: 'A malformed Idempotency-Key of a batch is treated as the target declares.',
  place: 'ingestRecords',
  decisions: ['D-17', 'D-29'],
  needs: need.ingest,
  check: async (t) => {
    const full = t.as('full');
    const longest = newKey(t).padEnd(255, '~');
    (await send(t, full, KEDO, skippedBatch(), longest)).ok(OPERATION, 'a key of 255 characters');
    if (t.values.idempotency_key_form !== 'visible_ascii_255') return;
    for (const key of [`${longest}x`, `${newKey(t)} x`, `${newKey(t)}\u00ff`]) {
      (await send(t, full, KEDO, skippedBatch(), key)).blames('Idempotency-Key', `a key of ${key.length} characters`);
    }
  },
});
