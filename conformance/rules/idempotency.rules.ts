import type { Answers } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api } from '../http/api.ts';
import { expectedError } from '../judge/contract.ts';
import { rulesWith } from './rule.ts';
import { idsOf, newKey, series, UNKNOWN_ID, unique } from './shared/calls.ts';
import {
  approval,
  cast,
  confirmed,
  create,
  documentOf,
  found,
  mustReplay,
  PDF,
  pdf,
  REPLAYED,
  readDocument,
  refused,
  rejection,
  routed,
  sent,
  signing,
  stored,
  templateBody,
  templateOf,
  titleOf,
  uploadBody,
  uploaded,
} from './shared/document-calls.ts';
import { type OtherBody, otherBodies } from './shared/other-bodies.ts';

const rule = rulesWith({ place: 'createDocument: Idempotency-Key' });

rule({
  id: 'IDEM-1',
  text: 'A creation with an Idempotency-Key makes one document: each repeat answers 200 with the same document as it is now, marked as a replay, whatever was refused with the key meanwhile, and although its upload is taken. Without a key, equal requests make a document each, with a file of its own.',
  decisions: ['D-8'],
  check: async (t, full) => {
    const title = titleOf(t);
    const [body, key] = [await templateBody(t, { title }), newKey(t)];
    const answer = await create(t, full, body, key);
    const first = documentOf(answer);
    t.equal(answer.header(REPLAYED), undefined, 'Idempotent-Replayed', answer);
    t.equal(await readDocument(full, first.id), first, 'the document read back');
    (await create(t, full, { ...body, title: 1 }, key)).blames('title', 'a request of wrong shape');
    (await create(t, full, { ...body, number: '1' }, key)).fails('IDEMPOTENCY_KEY_CONFLICT', 'another body');
    for (let nth = 1; nth <= 6; nth++) {
      const again = await create(t, full, body, key);
      mustReplay(t, again, first.id, `repeat ${nth}`);
      t.equal(documentOf(again), first, 'the whole document', again);
    }
    t.equal(await found(full, title), [first.id], 'documents with the title');
    const rows = [first, documentOf(await create(t, full, body)), documentOf(await create(t, full, body))];
    t.equal(unique(idsOf(rows)).length, 3, 'documents of three equal requests, two of them without a key');
    const files = rows.flatMap((one) => one.files.map(({ file_id }) => file_id));
    t.equal(unique(files).length, files.length, 'files of documents with equal content');
    const me = cast(t).full;
    const going = await sent(t, me, [signing(me)], first);
    t.equal(documentOf(await create(t, full, body, key)), going, 'a replay of what was sent since');
    const [upload, uploadKey] = [uploadBody(t, await uploaded(t, full)), newKey(t)];
    const { id } = documentOf(await create(t, full, upload, uploadKey));
    mustReplay(t, await create(t, full, upload, uploadKey), id, 'a repeat for an upload that is taken');
    (await create(t, full, upload, newKey(t))).fails('FILE_ALREADY_LINKED', 'the same request with another key');
  },
});

rule({
  id: 'IDEM-4',
  text: 'The same Idempotency-Key with another body, whichever field of the request is changed, added or dropped, or null instead of absent, is IDEMPOTENCY_KEY_CONFLICT and creates nothing.',
  decisions: ['D-17'],
  check: async (t, full) => {
    const title = titleOf(t);
    const template = await templateOf(t, t.fixture('document_template_id'));
    const body = await templateBody(t, {
      title,
      date: '2026-03-02',
      number: 'A',
      organization_id: t.fixture('organization_id'),
      subject_employee_ids: [t.fixture('employee_id')],
      template_version: template.version,
    });
    const key = newKey(t);
    const { id } = documentOf(await create(t, full, body, key));
    // Exactly one of template_id and file_id must be there, so a body without its template is of the wrong shape.
    const others: readonly OtherBody[] = [
      ...otherBodies('createDocument', body, ['template_id']),
      ['a blank behind the title', { ...body, title: `${title} ` }],
      ['an upload instead', { title, type_id: body.type_id, file_id: UNKNOWN_ID }],
    ];
    for (const [what, other] of others) {
      (await create(t, full, other, key)).fails('IDEMPOTENCY_KEY_CONFLICT', what);
    }
    t.equal(await found(full, title), [id], 'documents with the title');
    const [plain, nullKey] = [await templateBody(t), newKey(t)];
    const optionals = ['date', 'number', 'organization_id', 'subject_employee_ids', 'template_version', 'file_id'];
    const nulls = { ...plain, ...Object.fromEntries(optionals.map((name) => [name, null])) };
    documentOf(await create(t, full, nulls, nullKey), 'with null in each field that may be absent');
    (await create(t, full, plain, nullKey)).fails('IDEMPOTENCY_KEY_CONFLICT', 'the same without the nulls');
  },
});

/** Opens connections, so that the next requests can leave at the same moment. */
async function warmUp(t: TestContext): Promise<void> {
  const full = t.asAny('full');
  await Promise.all(series(16, () => full.verify()));
}

/** Sends many requests at once; the pacing of the key spreads those beyond the burst. */
async function atOnce(t: TestContext, api: Api, bodies: readonly object[], key: string): Promise<Answer[]> {
  await warmUp(t);
  return Promise.all(bodies.map((body) => create(t, api, body, key)));
}

for (const [id, what, count, different] of [
  ['IDEM-5', 'A hundred equal requests', 100, 1],
  ['IDEM-23', 'Two bodies, each twelve times,', 24, 2],
] as const) {
  rule({
    id,
    family: 'creations at once',
    text: `${what} at the same time with one Idempotency-Key make one document: a request with its body answers with it, or IDEMPOTENCY_IN_PROGRESS with Retry-After and with it afterwards, and one with another body is refused.`,
    check: async (t, full) => {
      const title = titleOf(t);
      const [first, key] = [await templateBody(t, { title }), newKey(t)];
      const bodies = [first, { ...first, number: '1' }].slice(0, different);
      const sent = series(count, (i) => bodies[i % different] ?? first);
      const answers = await atOnce(t, full, sent, key);
      const made = answers.filter(({ status }) => status === 200);
      const winner = t.present(made[0], 'none of the requests succeeded', answers[0]);
      const body = sent[answers.indexOf(winner)];
      for (const [i, answer] of answers.entries()) {
        if (sent[i] !== body) answer.fails(['IDEMPOTENCY_KEY_CONFLICT', 'IDEMPOTENCY_IN_PROGRESS'], 'the other body');
        else if (answer.status !== 200) answer.fails('IDEMPOTENCY_IN_PROGRESS', 'the body that won');
        const isLate = answer.code !== expectedError('IDEMPOTENCY_IN_PROGRESS', t.values).code;
        t.check(
          isLate || Number(answer.header('retry-after')) >= 1,
          'Retry-After is no whole number of seconds',
          answer,
        );
      }
      mustReplay(t, await create(t, full, body, key), documentOf(winner).id, 'a repeat afterwards');
      const ids = unique(made.map((answer) => documentOf(answer).id));
      t.equal(ids.length, 1, 'different documents among the answers', winner);
      const fresh = made.filter((answer) => answer.header(REPLAYED) === undefined);
      t.check(fresh.length <= 1, `${fresh.length} answers say that they are no replay`, fresh[1]);
      for (const other of bodies.filter((one) => one !== body))
        (await create(t, full, other, key)).fails('IDEMPOTENCY_KEY_CONFLICT', 'the other body afterwards');
      t.equal(await found(full, title), ids, 'documents with the title');
    },
  });
}

rule({
  id: 'IDEM-7',
  text: 'An Idempotency-Key belongs to one API key: with another API key it creates a document of its own.',
  check: async (t) => {
    const [body, key] = [await templateBody(t), newKey(t)];
    const ids: string[] = [];
    for (const owner of ['full', 'second_key_same_owner', 'second_owner'] as const) {
      const answer = await create(t, t.as(owner), body, key);
      t.equal(answer.header(REPLAYED), undefined, `Idempotent-Replayed for ${owner}`, answer);
      ids.push(documentOf(answer, owner).id);
    }
    t.equal(unique(ids).length, 3, 'documents of three API keys with one Idempotency-Key');
    const other = await create(t, t.as('second_key_same_owner'), { ...body, number: '1' }, key);
    other.fails('IDEMPOTENCY_KEY_CONFLICT', 'another body by the second key');
  },
});

rule({
  id: 'IDEM-12',
  text: 'A replay looks for the document anew: if it was deleted, or its owner lost sight of it, the repeat is DOCUMENT_NOT_FOUND and creates none.',
  holds: ['detachable'],
  check: async (t, full) => {
    const title = titleOf(t);
    const [gone, goneKey] = [await templateBody(t, { title }), newKey(t)];
    const { id } = documentOf(await create(t, full, gone, goneKey));
    await t.admin('delete_document', { document_id: id, employee_id: t.fixture('owner_employee_id') });
    (await create(t, full, gone, goneKey)).fails('DOCUMENT_NOT_FOUND', 'the repeat after the deletion');
    t.equal(await found(full, title), [], 'documents with the title');
    const [api, body, key] = [t.as('detachable'), await templateBody(t), newKey(t)];
    const first = documentOf(await create(t, api, body, key));
    await t.admin('detach_owner');
    try {
      (await create(t, api, body, key)).fails('DOCUMENT_NOT_FOUND', 'the repeat out of sight');
      (await create(t, api, { ...body, number: '1' }, key)).fails('IDEMPOTENCY_KEY_CONFLICT', 'another body then');
    } finally {
      await t.admin('attach_owner');
    }
    mustReplay(t, await create(t, api, body, key), first.id, 'the repeat in sight again');
  },
});

/** Moves with a key, of which each repeat is refused as any repeat is. */
async function repeatMoves(t: TestContext, headers: Record<string, string>): Promise<void> {
  const me = cast(t).full;
  const full = me.api;
  const { id } = await routed(t, me, [approval(me), signing(me)]);
  const other = await sent(t, me, [signing(me)]);
  const refusal = await rejection(full, other.id, me.id);
  for (const action of ['_send', '_approve', '_sign', '_reject']) {
    const isRejection = action === '_reject';
    const [of, body] = isRejection ? [other.id, refusal] : [id, {}];
    await t.mayWrite();
    const move = () => full.post(`/documents/${of}/${action}`, body, { headers });
    const first = await move();
    t.check(first.status === 200, `${action}: expected 200, got ${first.brief}`, first);
    const again = (await move()).fails(
      isRejection ? 'INVALID_ARGUMENT' : 'DOCUMENT_INVALID_STATUS_TRANSITION',
      `${action} again`,
    );
    t.equal(again.header(REPLAYED), undefined, `Idempotent-Replayed of ${action}`, again);
  }
}

rule({
  id: 'IDEM-16',
  text: 'No other write uses the Idempotency-Key: reservations with one key, whatever its form, or without one are an upload each, and a repeated move is refused as any repeat is.',
  check: async (t, full) => {
    const key = newKey(t);
    const made: Answers['reserveFile'][] = [];
    const body = { filename: 'a.pdf', content_type: PDF };
    for (const [given, size_bytes] of [
      [undefined, 100],
      [undefined, 100],
      [key, 100],
      [key, 100],
      [key, 200],
      ['', 100],
      ['a b', 100],
      ['x'.repeat(300), 100],
    ] as const) {
      await t.mayWrite();
      const headers: Record<string, string> = given === undefined ? {} : { 'Idempotency-Key': given };
      made.push((await full.post('/files', { ...body, size_bytes }, { headers })).ok('reserveFile'));
    }
    t.equal(unique(made.map(({ file }) => file.id)).length, made.length, 'uploads, each counted once');
    const forms = made.map(({ upload }) => JSON.stringify(upload.fields));
    t.equal(unique(forms).length, forms.length, 'forms, each counted once');
    await repeatMoves(t, { 'Idempotency-Key': key });
  },
});

rule({
  id: 'IDEM-14',
  text: 'Whether another order of fields, other white space and other spellings of texts and numbers are another body is as the target declares.',
  decisions: ['D-17'],
  check: async (t, full) => {
    const { version } = await templateOf(t, t.fixture('document_template_id'));
    const [body, key] = [await templateBody(t, { template_version: version }), newKey(t)];
    const { id } = documentOf(await create(t, full, body, key));
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    const values = Object.fromEntries(Object.entries(body.template_values as object).reverse());
    const forms = [
      JSON.stringify(body, null, 3),
      JSON.stringify({ ...reversed, template_values: values }),
      JSON.stringify(body).replace(`"template_version":${version}`, `"template_version":${version}.0e0`),
      JSON.stringify(body).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ];
    for (const raw of forms) {
      const answer = await full.send({ method: 'POST', path: '/documents', raw, headers: { 'Idempotency-Key': key } });
      const because = 'the same JSON in another form';
      if (t.values.idempotency_body === 'canonical_json') mustReplay(t, answer, id, because);
      else answer.fails('IDEMPOTENCY_KEY_CONFLICT', because);
    }
  },
});

rule({
  id: 'IDEM-15',
  text: 'Whether a request that ended in a 4xx uses up its Idempotency-Key is as the target declares.',
  decisions: ['D-17'],
  check: async (t, full) => {
    const body = await templateBody(t);
    const pending = await stored(t, full, pdf('IDEM-15'));
    const wrong: [string, object][] = [
      ['of wrong shape', { ...body, title: 1 }],
      ['with an unknown type', { ...body, type_id: UNKNOWN_ID }],
      ['with wrong values', { ...body, template_values: { no_such: 1 } }],
      ['with an unknown upload', uploadBody(t, UNKNOWN_ID)],
      ['with an unconfirmed upload', uploadBody(t, pending.file.id)],
    ];
    for (const [what, odd] of wrong) {
      const key = newKey(t);
      const first = await create(t, full, odd, key);
      t.check(refused(first), `a request ${what}: ${first.brief}`, first);
      const answer = await create(t, full, body, key);
      if (t.values.refused_creation_frees_key) {
        t.equal(answer.header(REPLAYED), undefined, 'Idempotent-Replayed', answer);
        documentOf(answer, `the right request after one ${what}`);
      } else answer.fails('IDEMPOTENCY_KEY_CONFLICT', `the right request after one ${what}`);
    }
    const [late, key] = [uploadBody(t, pending.file.id), newKey(t)];
    (await create(t, full, late, key)).fails('FILE_INVALID_STATUS_TRANSITION', 'before the confirmation');
    await confirmed(t, full, pending.file.id);
    const repeat = await create(t, full, late, key);
    if (t.values.refused_creation_frees_key) documentOf(repeat, 'the same request after the confirmation');
    else t.check(refused(repeat), `expected a refusal, got ${repeat.brief}`, repeat);
  },
});

rule({
  id: 'IDEM-18',
  text: 'An Idempotency-Key that is empty, repeated, too long or otherwise malformed is treated as the target declares, and creates nothing if it is refused.',
  decisions: ['D-17'],
  check: async (t, full) => {
    const send = async (body: object, given: readonly string[]) => {
      await t.mayWrite();
      const headers: [string, string][] = given.map((key) => ['Idempotency-Key', key]);
      return full.send({ method: 'POST', path: '/documents', body, headers });
    };
    const longest = `C-${t.run_id}-`.padEnd(255, '~');
    for (const key of [longest, `!${t.run_id}`]) {
      const answer = await send(await templateBody(t), [key]);
      documentOf(answer, `a key of ${key.length} characters`);
    }
    const one = newKey(t);
    const odd = [[`${longest}x`], ['a b'], ['ключ'], ['a\tb'], [''], [one, one], [one, `${one}x`], ['\u00ff']];
    const title = titleOf(t);
    for (const given of odd) {
      const latin = given.map((key) => Buffer.from(key, 'utf8').toString('latin1'));
      const answer = await send(await templateBody(t, { title }), latin);
      const because = `Idempotency-Key ${JSON.stringify(given.map((key) => key.slice(0, 20)))}`;
      if (t.values.idempotency_key_form === 'visible_ascii_255') answer.blames('Idempotency-Key', because);
      else t.check(answer.status < 500, `${because}: ${answer.brief}`, answer);
    }
    if (t.values.idempotency_key_form === 'visible_ascii_255')
      t.equal(await found(t.as('full'), title), [], 'documents with the title of what was refused');
  },
});

rule({
  id: 'IDEM-19',
  text: 'An Idempotency-Key that was used on one operation is free on another, or not, as the target declares.',
  decisions: ['D-17'],
  check: async (t, full) => {
    const key = newKey(t);
    const api = full;
    documentOf(await create(t, api, await templateBody(t), key));
    await t.mayWrite();
    const batch = { payload_type: 'NOTHING', records: [{ external_id: t.run_id }] };
    const ingest = () => api.post('/ingest/KEDO', batch, { headers: { 'Idempotency-Key': key } });
    const answer = await ingest();
    if (t.values.idempotency_key_operations === 'separate') answer.ok('ingestRecords', 'the same key on ingest');
    else answer.fails('INGEST_ALREADY_ACCEPTED', 'the same key on ingest');
    (await ingest()).fails('INGEST_ALREADY_ACCEPTED', 'the same key on ingest again');
  },
});
