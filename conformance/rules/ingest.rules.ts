import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { metadataOf, newKey } from './shared/calls.ts';
import { firstAttempt, KEDO, mark, send, skippedBatch } from './shared/ingest-calls.ts';
import { otherBodies } from './shared/other-bodies.ts';

const rule = rulesWith({ place: 'ingestRecords', decisions: ['D-29'] });

const OPERATION = 'ingestRecords';
const KEY_IS_USED = 'INGEST_ALREADY_ACCEPTED';

/** Records that fit no payload type. */
const unknownRecords = (count: number) => Array.from({ length: count }, (_, n) => ({ external_id: `nobody-${n}` }));

rule({
  id: 'ING-2',
  text: 'A batch of as many records as the target declares is a 200 with an id of its own, ACCEPTED and their number; with more, or with fewer, it is INVALID_ARGUMENT.',
  check: async (t) => {
    const full = t.as('full');
    const ids = new Set<string>();
    const [fewest, most] = t.values.ingest_records;
    for (const count of [fewest, 3, 3, most]) {
      const answer = await send(t, full, KEDO, skippedBatch(unknownRecords(count)));
      const body = answer.ok(OPERATION, `${count} records`);
      t.equal([body.status, body.record_count], ['ACCEPTED', count], 'status and record_count', answer);
      ids.add(body.ingest_request_id);
    }
    t.equal(ids.size, 4, 'different ids of four requests, of which two are alike');
    for (const count of [fewest - 1, most + 1].filter((one) => one >= 0))
      (await send(t, full, KEDO, skippedBatch(unknownRecords(count)))).blames('records', `${count} records`);
  },
});

rule({
  id: 'ING-3',
  text: 'A used Idempotency-Key with the same batch, another source, or another body, whichever field is changed, added or dropped, is 409 INTEGRATION.IDEMPOTENCY_REQUIRED with the first attempt’s id, and with the digest of its body if the target says one.',
  check: async (t) => {
    const full = t.as('full');
    const key = newKey(t);
    const body = skippedBatch(unknownRecords(2));
    const first = (await send(t, full, KEDO, body, key)).ok(OPERATION);
    const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const others: [string, string, object][] = [
      ['the repeat', KEDO, body],
      ...otherBodies('ingestRecords', body).map(([what, other]): [string, string, object] => [what, KEDO, other]),
      ['another source', 'LEDGER', body],
      ['the repeat of before', KEDO, body],
    ];
    for (const [what, source, other] of others) {
      const answer = (await send(t, full, source, other, key)).fails(KEY_IS_USED, what);
      t.equal(firstAttempt(answer), first.ingest_request_id, `${what}: ingest_request_id in metadata`, answer);
      t.equal(metadataOf(answer, 'body_sha256') ?? digest, digest, `${what}: body_sha256 in metadata`, answer);
    }
  },
});

rule({
  id: 'ING-5',
  text: 'The Idempotency-Key of a batch belongs to the API key: another key of the same owner may use it.',
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
  text: 'Of twenty batches at once with one Idempotency-Key one is accepted; the others get its id.',
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
  text: 'A refused batch does not use up its Idempotency-Key.',
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
  text: 'No operation tells the state of a batch.',
  check: async (t) => {
    const full = t.asAny('full');
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
  id: 'ING-44',
  text: 'A batch with a key that no super-administrator made is refused before anything else is checked.',
  decisions: ['D-31'],
  check: async (t) => {
    const fake = t.as('fake_super_admin_ingest');
    const key = newKey(t);
    for (const body of [skippedBatch(), {}, { ...skippedBatch(), records: [] }])
      (await send(t, fake, KEDO, body, key)).fails('SCOPE_INSUFFICIENT');
    (await send(t, fake, KEDO, skippedBatch(), '')).fails('SCOPE_INSUFFICIENT', 'without the header');
  },
});

rule({
  id: 'ING-41',
  level: 'SHOULD',
  text: 'A batch of 1,000 records is accepted in less than two seconds.',
  decisions: [],
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
  const open = `{"payload_type":"NOTHING","records":[{"external_id":"${t.run_id}","x":"`;
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
  text: 'The body of a batch may be larger than the bodies of other operations, up to the size that the target declares; a larger one is 413.',
  decisions: ['D-6a', 'D-29'],
  check: async (t) => {
    const isZipped = t.values.gzip_bodies === 'accepted';
    const larger = batchOf(t, t.values.body_limit_bytes + 1);
    (await sendRaw(t, larger)).ok(OPERATION, `a body of ${larger.length} bytes`);
    if (isZipped) (await sendRaw(t, larger, true)).ok(OPERATION, `${larger.length} bytes in gzip`);
    if (!t.profile.tenant.consent_to_large_bodies)
      t.untested('no_consent_to_writes', 'the profile does not consent to large bodies');
    const most = t.values.ingest_body_limit_bytes;
    (await sendRaw(t, batchOf(t, most))).ok(OPERATION, `a body of ${most} bytes`);
    const beyond = batchOf(t, most + 1);
    (await sendRaw(t, beyond)).fails('REQUEST_TOO_LARGE', `a body of ${most + 1} bytes`);
    if (isZipped) (await sendRaw(t, beyond, true)).fails('REQUEST_TOO_LARGE', `${most + 1} bytes in gzip`);
  },
});
