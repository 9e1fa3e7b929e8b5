import { rulesWith } from './rule.ts';
import { newKey, UNKNOWN_ID } from './shared/calls.ts';
import {
  confirm,
  create,
  found,
  pdf,
  refused,
  stored,
  templateBody,
  templateOf,
  titleOf,
  uploadBody,
} from './shared/document-calls.ts';
import { documentOf, mustReplay, REPLAYED } from './shared/replays.ts';

const rule = rulesWith({ place: 'createDocument: Idempotency-Key', decisions: ['D-17'] });

rule({
  id: 'IDEM-14',
  text: 'Whether another order of fields, other white space and other spellings of texts and numbers are another body is as the target declares.',
  check: async (t) => {
    const full = t.as('full');
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
  check: async (t) => {
    const full = t.as('full');
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
    (await confirm(t, full, pending.file.id)).ok('confirmFile');
    const repeat = await create(t, full, late, key);
    if (t.values.refused_creation_frees_key) documentOf(repeat, 'the same request after the confirmation');
    else t.check(refused(repeat), `expected a refusal, got ${repeat.brief}`, repeat);
  },
});

rule({
  id: 'IDEM-18',
  text: 'An Idempotency-Key that is empty, repeated, too long or otherwise malformed is treated as the target declares, and creates nothing if it is refused.',
  check: async (t) => {
    const full = t.asAny('full');
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
  check: async (t) => {
    const key = newKey(t);
    const api = t.as('full');
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
