import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { TestContext } from '../engine/test-context.ts';
import { rulesWith } from './rule.ts';
import { applyChanges, metadataOf, newKey, series } from './shared/calls.ts';
import { employee, ext, firstAttempt, KEDO, Load, mark, person, send, skippedBatch } from './shared/ingest-calls.ts';
import { DAY_MS, MARGIN_MS } from './shared/movable-clock.ts';
import { otherBodies } from './shared/other-bodies.ts';

const rule = rulesWith({ place: 'ingestRecords', decisions: ['D-29'] });

/** Records that fit no payload type. */
const unknownRecords = (count: number) => series(count, (n) => ({ external_id: `nobody-${n}` }));

rule({
  id: 'ING-2',
  text: 'A batch of as many records as the target declares is a 200 with an id of its own, ACCEPTED and their number.',
  check: async (t, full) => {
    const ids = new Set<string>();
    const [fewest, most] = t.values.ingest_records;
    for (const count of [fewest, 3, 3, most]) {
      const answer = await send(t, full, KEDO, skippedBatch(unknownRecords(count)));
      const body = answer.ok('ingestRecords', `${count} records`);
      t.equal([body.status, body.record_count], ['ACCEPTED', count], 'status and record_count', answer);
      ids.add(body.ingest_request_id);
    }
    t.equal(ids.size, 4, 'different ids of four requests, of which two are alike');
  },
});

rule({
  id: 'ING-3',
  text: 'A used Idempotency-Key with the same batch, another source, or another body, whichever field is changed, added or dropped, is 409 INTEGRATION.IDEMPOTENCY_REQUIRED with the first attempt’s id, and with the digest of its body if the target says one.',
  check: async (t, full) => {
    const key = newKey(t);
    const body = skippedBatch(unknownRecords(2));
    const first = (await send(t, full, KEDO, body, key)).ok('ingestRecords');
    const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const others: [string, string, object][] = [
      ['the repeat', KEDO, body],
      ...otherBodies('ingestRecords', body).map(([what, other]): [string, string, object] => [what, KEDO, other]),
      ['another source', 'LEDGER', body],
      ['the repeat of before', KEDO, body],
    ];
    for (const [what, source, other] of others) {
      const answer = (await send(t, full, source, other, key)).fails('INGEST_ALREADY_ACCEPTED', what);
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
      ids.add(answer.ok('ingestRecords', `the same Idempotency-Key with the key ${name}`).ingest_request_id);
    }
    t.equal(ids.size, 3, 'ids of three requests');
  },
});

rule({
  id: 'ING-7',
  text: 'Of twenty batches at once with one Idempotency-Key one is accepted; the others get its id.',
  check: async (t, full) => {
    const key = newKey(t);
    const answers = await Promise.all(
      series(20, (n) => send(t, full, KEDO, skippedBatch(unknownRecords((n % 3) + 1)), key)),
    );
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    t.check(winner !== undefined, 'none of twenty was accepted', answers[0]);
    t.equal(others.length, 0, 'more than one accepted', others[0]);
    const id = winner?.ok('ingestRecords').ingest_request_id;
    for (const answer of answers) {
      if (answer !== winner)
        t.equal(firstAttempt(answer.fails('INGEST_ALREADY_ACCEPTED')), id, 'the id of the one accepted', answer);
    }
  },
});

rule({
  id: 'ING-8',
  text: 'A refused batch does not use up its Idempotency-Key.',
  check: async (t, full) => {
    const key = newKey(t);
    const body = skippedBatch(unknownRecords(2));
    (await send(t, full, KEDO, body, '')).fails('IDEMPOTENCY_KEY_MISSING');
    (await send(t, full, KEDO, { ...body, records: {} }, key)).blames('records');
    (await send(t, full, KEDO, { ...body, no_such_field: 1 }, key)).fails('INVALID_ARGUMENT');
    (await send(t, t.as('no_scope'), KEDO, body, key)).fails('SCOPE_INSUFFICIENT');
    (await send(t, full, KEDO, body, key)).ok('ingestRecords', 'the right request with the key of refused ones');
  },
});

rule({
  id: 'ING-32',
  text: 'No operation tells the state of a batch.',
  check: async (t, full) => {
    const { ingest_request_id: id } = (await send(t, full, KEDO, skippedBatch())).ok('ingestRecords');
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
  check: async (t, full) => {
    const record = { external_id: mark(t), first_name: 'Проба', last_name: 'Скорости', phone: '+70000000000' };
    const records = series(1000, (n) => ({ ...record, external_id: `${record.external_id}-${n}` }));
    const body = { payload_type: 'PERSONS', create_missing: false, records };
    const answers = [await send(t, full, KEDO, body), await send(t, full, KEDO, body), await send(t, full, KEDO, body)];
    for (const answer of answers) t.equal(answer.ok('ingestRecords').record_count, 1000, 'record_count', answer);
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
    (await sendRaw(t, larger)).ok('ingestRecords', `a body of ${larger.length} bytes`);
    if (isZipped) (await sendRaw(t, larger, true)).ok('ingestRecords', `${larger.length} bytes in gzip`);
    if (!t.profile.tenant.consent_to_large_bodies)
      t.untested('no_consent_to_writes', 'the profile does not consent to large bodies');
    const most = t.values.ingest_body_limit_bytes;
    (await sendRaw(t, batchOf(t, most))).ok('ingestRecords', `a body of ${most} bytes`);
    const beyond = batchOf(t, most + 1);
    (await sendRaw(t, beyond)).fails('REQUEST_TOO_LARGE', `a body of ${most + 1} bytes`);
    if (isZipped) (await sendRaw(t, beyond, true)).fails('REQUEST_TOO_LARGE', `${most + 1} bytes in gzip`);
  },
});

rule({
  id: 'ING-6',
  text: 'An Idempotency-Key is used up for 24 hours and free again after them.',
  runs: 'moving',
  check: async (t, full) => {
    const key = newKey(t);
    const first = (await send(t, full, KEDO, skippedBatch(), key)).ok('ingestRecords');
    await t.withClock(async (advance) => {
      await advance(DAY_MS - MARGIN_MS);
      const repeat = await send(t, full, KEDO, skippedBatch(), key);
      repeat.fails('INGEST_ALREADY_ACCEPTED', 'a minute before the end of 24 hours');
      await advance(2 * MARGIN_MS);
      const late = (await send(t, full, KEDO, skippedBatch(), key)).ok('ingestRecords', 'a minute after it');
      t.check(late.ingest_request_id !== first.ingest_request_id, 'the new request has the id of the old one');
      (await send(t, full, KEDO, skippedBatch(), key)).fails('INGEST_ALREADY_ACCEPTED', 'a repeat of the new one');
    });
  },
});

rule({
  id: 'ING-63',
  text: 'A batch that was accepted is applied although the service restarts.',
  runs: 'moving',
  check: async (t) => {
    const load = new Load(t);
    const [number, last] = [mark(t), mark(t, 'last')];
    await load.people('first');
    await load.make('EMPLOYEES', [employee(t, 'first', 'first', number)]);
    await load.card(number);
    const many = series(400, (n) => ({ external_id: `${t.run_id}-${n}`, number: last }));
    for (let n = 0; n < 3; n++) await load.update('EMPLOYEES', many);
    await load.update('EMPLOYEES', [employee(t, 'first', 'first', last)]);
    await t.admin('restart');
    await load.card(last);
  },
});

/** Loads one person of the pool with two employments, each with a number of this rule. */
async function begun(t: TestContext) {
  const load = new Load(t);
  const [one, two] = [mark(t, 'one'), mark(t, 'two')];
  const human = person(t, 'fourth', { phone: mark(t, 'phone') });
  const records = [employee(t, 'fourth', 'fourth', one), employee(t, 'fourth-2', 'fourth', two)] as const;
  await load.make('PERSONS', [human]);
  await load.make('EMPLOYEES', records);
  // A change of the person reaches the employments' cards later than their own changes.
  await load.followed();
  return { load, human, records, cards: [await load.card(one), await load.card(two)] as const };
}

rule({
  id: 'ING-57',
  text: 'A change of a person’s shown field moves update_time of each employment, also of one that has ended.',
  place: 'ingestRecords: Results',
  runs: 'changing',
  check: async (t) => {
    const { load, human, records, cards } = await begun(t);
    await load.update('EMPLOYEES', [{ external_id: records[1].external_id, left_date: '2021-01-01' }]);
    await load.settled();
    const before = await Promise.all(cards.map(({ id }) => load.now(id)));
    t.equal(before[1]?.status, 'EMPLOYEE_STATUS_TERMINATED', 'the status of the employment that has ended');
    const phone = mark(t, 'later');
    await load.update('PERSONS', [{ external_id: human.external_id, phone }]);
    await load.followed();
    for (const { id, update_time } of before) {
      const now = await load.now(id);
      t.equal([now.person?.phone, now.update_time > update_time], [phone, true], 'phone and move of update_time');
    }
  },
});

rule({
  id: 'ING-55',
  text: 'Batches of a tenant are applied in the order of their acceptance, and of records with one external id the last wins, no matter how many there are.',
  runs: 'changing',
  check: async (t) => {
    const { load, records, cards } = await begun(t);
    const last = async (what: string, numbers: readonly string[], batches: (records: object[]) => object[][]) => {
      const each = numbers.map((number) => ({ ...records[0], number }));
      for (const batch of batches(each)) await load.update('EMPLOYEES', batch);
      await load.settled();
      t.equal((await load.now(cards[0].id)).employee_number, numbers.at(-1), `the number after ${what}`);
    };
    const steps = series(12, (n) => mark(t, `step-${n}`));
    await last('twelve batches', steps, (each) => each.map((one) => [one]));
    if (t.values.ingest_duplicates === 'any') return;
    // A service may cut a batch into portions of 100 or 200 records. Then the last record is alone in its portion.
    for (const length of [101, 201, 401, 1001]) {
      const numbers = series(length, (n) => mark(t, `record-${length}-${n}`));
      await last(`${length} records`, numbers, ([first, ...each]) => [
        [{ ...first, admission_date: '2001-01-01' }, ...each],
      ]);
      t.equal((await load.now(cards[0].id)).start_date, records[0].admission_date, 'the first day of the last record');
    }
  },
});

rule({
  id: 'ING-84',
  text: 'Two batches at once about one external id make one object, which is as one of the two says; each batch has an id of its own.',
  runs: 'changing',
  check: async (t) => {
    const load = new Load(t);
    // New in each run, since nothing is made of what is known.
    const external_id = `${ext(t, 'twice')}-${t.run_id}`;
    const both = ['one', 'two'].map((name) => ({ number: mark(t, name), phone: mark(t, name) }));
    const accepted = await Promise.all(
      both.map(({ phone }) => load.make('PERSONS', [{ ...person(t, '', { phone }), external_id }])),
    );
    t.check(accepted[0]?.ingest_request_id !== accepted[1]?.ingest_request_id, 'two batches have one id');
    const record = { ...employee(t, '', '', ''), external_id, external_person_id: external_id };
    await Promise.all(both.map(({ number }) => load.make('EMPLOYEES', [{ ...record, number }])));
    await load.settled();
    const phones = both.map(({ phone }) => phone);
    const found = (await load.rows()).filter((row) => phones.includes(row.person?.phone ?? ''));
    await load.update('EMPLOYEES', [{ external_id, left_date: '2020-02-01' }]);
    t.equal(found.length, 1, 'employees that two batches at once have made of one external id');
    const numbers = both.map(({ number }) => number);
    t.check(numbers.includes(found[0]?.employee_number ?? ''), 'the number is that of none of the batches');
  },
});

rule({
  id: 'ING-85',
  text: 'A batch beside a change by hand: where each changes another field of an employee or its person, both changes stay.',
  runs: 'changing',
  check: async (t) => {
    const { load, human, records, cards } = await begun(t);
    const [{ id }] = cards;
    for (const nth of [1, 2]) {
      const [number, phone, last_name] = [mark(t, 'number'), mark(t, 'phone'), mark(t, 'name')];
      const work_email = `by-hand-${nth}@example.com`;
      const byHand = { op: 'update', id, employee: { work_email }, person: { last_name } };
      const inBatches = async () => {
        for (let times = 0; times < 5; times++) {
          await load.update('PERSONS', [{ external_id: human.external_id, phone }]);
          await load.update('EMPLOYEES', [{ external_id: records[0].external_id, number }]);
        }
      };
      await Promise.all([applyChanges(t, `by-hand-${nth}`, [byHand]), inBatches()]);
      await load.followed();
      const now = await load.now(id);
      const shown = [now.employee_number, now.work_email, now.person?.phone, now.person?.last_name];
      t.equal(shown, [number, work_email, phone, last_name], 'number, e-mail, phone and last name after both');
    }
  },
});
