import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import type { Api, Call } from '../http/api.ts';
import type { Headers } from '../http/exchange.ts';
import { rulesWith } from './rule.ts';
import { orClosed, series, UNKNOWN_ID, writes } from './shared/calls.ts';
import { templateBody } from './shared/document-calls.ts';
import { KEDO, send, skippedBatch } from './shared/ingest-calls.ts';
import { meantBody, postOf, takenInputs } from './shared/target-inputs.ts';

const rule = rulesWith({ place: 'requestBody', decisions: ['D-6a'] });

const DOCUMENTS = '/documents';
const PROBE = { no_such_field: true };

async function stillServes(key: Api): Promise<void> {
  (await key.verify()).ok('verifyApiKey', 'the next request');
}

rule({
  id: 'ERR-14',
  text: 'Bodies that are too large, packed ones as they are unpacked, too deep, or no UTF-8 are refused, and the service goes on.',
  check: async (t, full) => {
    const post = (raw: string | Buffer, more: Partial<Call> = {}) =>
      full.send({ method: 'POST', path: DOCUMENTS, raw, ...more });
    const large = Buffer.alloc(t.values.body_limit_bytes + 1, 0x20);
    large.write('{}');
    (await orClosed(() => post(large, { chunkBytes: 65_536 })))?.fails(
      'REQUEST_TOO_LARGE',
      'a byte too many (chunked)',
    );
    for (const megabytes of t.values.gzip_bodies === 'refused' ? [] : [2, 50, 200]) {
      const bomb = gzipSync(Buffer.alloc(megabytes * 1024 * 1024, 0x20));
      const answer = await orClosed(() => post(bomb, { headers: { 'Content-Encoding': 'gzip' } }));
      answer?.fails('REQUEST_TOO_LARGE', `${megabytes} MiB packed into ${bomb.length} bytes`);
    }
    const largest = await post(large.subarray(0, t.values.body_limit_bytes));
    largest.fails('INVALID_ARGUMENT', 'exactly the limit: the fields are what is missing');
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const depth of [t.values.body_depth_limit + 1, 1000, 10_000, 100_000]) {
      (await post(nested(depth))).fails('INVALID_ARGUMENT', `${depth} levels of objects`);
      const arrays = await post(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
      arrays.fails('INVALID_ARGUMENT', `${depth} levels of arrays`);
    }
    (await post(`\ufeff\ufeff${JSON.stringify(PROBE)}`)).blames('body', 'two byte order marks');
    (await post(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))).fails('INVALID_ARGUMENT', 'no UTF-8');
    (await post(Buffer.from('{"a":1}', 'utf16le'))).fails('INVALID_ARGUMENT', 'UTF-16');
    (await post(JSON.stringify({ 'k\u0000': 1 }))).fails('INVALID_ARGUMENT', 'a name with NUL');
    const wide = Object.fromEntries(series(50_000, (n) => [`k${n}`, 1]));
    (await post(JSON.stringify(wide))).fails('INVALID_ARGUMENT', '50,000 fields');
    (await post(`{"${'k'.repeat(500_000)}":1}`)).fails('INVALID_ARGUMENT', 'a name of 500,000 characters');
    await stillServes(full);
  },
});

/** Media types of bodies, and others (RFC 9110 §5.6.6). */
const TYPES_READ = [
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
  'application/json ; charset="utf-8"',
  'application/json;CharSet="utf\\-8"',
  'application/json; charset=utf-8; version=1',
  'application/json;; note="a;charset=utf-16, \\"b";',
];
const TYPES_REFUSED = [
  'application/json; charset = utf-8',
  'application/json; charset',
  'application/json; charset="utf-8',
  'application/json charset=utf-8',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json; note="a"; charset="utf-16"',
  'application/json, application/json',
  'application/problem+json',
];

rule({
  id: 'ERR-18',
  text: 'gzip, chunked and expected-continue bodies are read, so are parameters of the media type and a byte order mark; other codings, charsets and media types, malformed ones, and two of them, are refused.',
  check: async (t) => {
    const full = t.asAny('full');
    const json = Buffer.from(JSON.stringify(await templateBody(t, PROBE)));
    const post = (raw: Buffer, more: Partial<Call> = {}) =>
      full.send({ method: 'POST', path: DOCUMENTS, raw, ...more });
    const coded = (coding: string, raw: Buffer) => post(raw, { headers: { 'Content-Encoding': coding } });
    (await post(json, { chunkBytes: 3 })).blames('no_such_field', 'chunked');
    for (const type of TYPES_READ) (await post(json, { contentType: type })).blames('no_such_field', type);
    for (const type of TYPES_REFUSED) {
      (await post(json, { contentType: type })).fails('UNSUPPORTED_MEDIA_TYPE', type);
    }
    (await post(Buffer.from(`\ufeff${json}`))).blames('no_such_field', 'a byte order mark');
    const expecting = await post(json, { headers: { Expect: '100-continue' }, expectContinueMs: 3000 });
    expecting.blames('no_such_field', 'with Expect: 100-continue');
    (await coded('identity', json)).blames('no_such_field', 'identity');
    const zipped = await coded('gzip', gzipSync(json));
    if (t.values.gzip_bodies === 'accepted') {
      zipped.blames('no_such_field', 'gzip');
      const chunked = await post(gzipSync(json), { headers: { 'Content-Encoding': 'GZIP' }, chunkBytes: 7 });
      chunked.blames('no_such_field', 'chunked gzip');
    } else zipped.fails('UNSUPPORTED_MEDIA_TYPE', 'gzip');
    for (const [coding, raw] of [
      ['br', brotliCompressSync(json)],
      ['deflate', deflateSync(json)],
      ['zstd', json],
      ['compress', json],
      ['gzip, gzip', gzipSync(gzipSync(json))],
      ['nothing', json],
      ['br, gzip', gzipSync(brotliCompressSync(json))],
    ] as const) {
      (await coded(coding, raw)).fails('UNSUPPORTED_MEDIA_TYPE', coding);
    }
    (await coded('gzip', Buffer.from('no gzip'))).fails('INVALID_ARGUMENT', 'garbage called gzip');
    (await coded('gzip', gzipSync(json).subarray(0, 12))).fails('INVALID_ARGUMENT', 'gzip cut short');
    (await post(json, { contentType: null })).fails('UNSUPPORTED_MEDIA_TYPE', 'no Content-Type');
    const twice: Headers = ['application/json', 'text/plain'].map((type) => ['Content-Type', type]);
    const doubled = await post(json, { contentType: null, headers: twice });
    doubled.fails('UNSUPPORTED_MEDIA_TYPE', 'two Content-Type fields');
    await stillServes(full);
  },
});

const inObject = (inner: unknown): unknown => ({ a: inner });
const inArray = (inner: unknown): unknown => [inner];
/** What levels of a body are made of. The first is the innermost one; they repeat. */
const LEVELS = {
  objects: [inObject],
  arrays: [inArray],
  'objects and arrays': [inObject, inArray],
} as const;

/** A value that is nested so many levels deep. */
function nested(depth: number, made: (typeof LEVELS)[keyof typeof LEVELS]): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = made[level % made.length]?.(value);
  return value;
}

rule({
  id: 'ERR-30',
  text: 'A body is read up to the depth that the target declares and refused beyond it, in every operation and whether its levels are objects or arrays; brackets in a string are no levels.',
  check: async (t) => {
    const full = t.asAny('full');
    const limit = t.values.body_depth_limit;
    for (const operation of writes(t)) {
      const { operationId } = operation;
      const body = await meantBody(t, takenInputs(t, operationId));
      const refused = (no_such_field: unknown) => full.send(postOf(t, operation, { ...body, no_such_field }));
      /** A body that is read is refused for its unknown field. */
      const isRead = async (value: unknown, what: string) =>
        (await refused(value)).blames('no_such_field', `${operationId}: ${what}`);
      await isRead('[{"\\'.repeat(limit), 'brackets in a string');
      for (const [kind, made] of Object.entries(LEVELS)) {
        if (operationId !== 'createDocument' && made.length < 2) continue;
        // The body itself is the outermost level.
        const read = await isRead(nested(limit - 1, made), `${limit} levels of ${kind}`);
        const what = `${operationId}: ${limit + 1} levels of ${kind}`;
        const deeper = (await refused(nested(limit, made))).fails('INVALID_ARGUMENT', what);
        const named = deeper.violatedFields();
        t.check(
          !isDeepStrictEqual(named.toSorted(), read.violatedFields().toSorted()),
          `${what}: the body is read as one of ${limit} levels is`,
          deeper,
        );
      }
    }
    // Records may hold anything, so that nothing but the depth can be wrong. The batch, its list and the record are levels.
    for (const [kind, made] of Object.entries(LEVELS)) {
      const batch = (levels: number) => skippedBatch([{ external_id: 'nobody', deep: nested(levels - 3, made) }]);
      (await send(t, full, KEDO, batch(limit))).ok('ingestRecords', `a batch of ${limit} levels of ${kind}`);
      const deeper = await send(t, full, KEDO, batch(limit + 1));
      deeper.fails('INVALID_ARGUMENT', `a batch of ${limit + 1} levels of ${kind}`);
    }
  },
});

rule({
  id: 'ERR-27',
  text: 'A number in template_values that a 64-bit float cannot hold as it is written is INVALID_ARGUMENT naming its field; a number that it can hold, and any number elsewhere, is accepted in any notation.',
  decisions: ['D-17'],
  check: async (t, full) => {
    const sent = (number: string) =>
      full.send({ method: 'POST', path: DOCUMENTS, raw: `{"title":"x","template_values":{"n":[${number}]}}` });
    const missing = ['template_id', 'file_id', ...t.values.document_required_fields.filter((name) => name !== 'title')];
    for (const number of ['-0', '-0.0', '1e-400', '1e400', '99999999.999999999', '9007199254740993']) {
      (await sent(number)).blames([...missing, 'template_values.n[0]'], `the number ${number}`);
    }
    for (const number of ['0', '1.50', '15e-1', '1E2', '0.1', '9007199254740991']) {
      (await sent(number)).blames(missing, `the number ${number}, and what is missing`);
    }
    const elsewhere = { method: 'POST', path: DOCUMENTS, raw: `{"title":"x","template_version":1.${'0'.repeat(30)}1}` };
    (await full.send(elsewhere)).blames(missing, 'a version with 30 zeros, and what is missing');
  },
});

const LARGE = 400_000;
const manyTimes = (piece: string) => piece.repeat(LARGE / piece.length);
/** Values that a careless reader takes long for. */
const DEMANDING: Readonly<Record<string, string>> = {
  'a number with many zeros': `1.${manyTimes('0')}1`,
  'many exponents': `[${manyTimes('1e0,')}1]`,
  'many long numbers': `[${manyTimes('1234567890.12345678901,')}1]`,
  'many empty arrays': `[${manyTimes('[],')}1]`,
  'many escapes': `"${manyTimes('\\n')}"`,
  'many blanks': `"x${manyTimes(' ')}x"`,
  'many combining marks': `"e${'\u0301'.repeat(LARGE / 2)}"`,
};
const LONGEST_MS = 5_000;

rule({
  id: 'ERR-31',
  text: 'Whatever is in a body, it is answered within five seconds, and so is what another caller asks meanwhile.',
  decisions: ['D-33'],
  check: async (t, full) => {
    for (const [what, value] of Object.entries(DEMANDING)) {
      const raw = `{"title":${value},"template_values":{"n":${value}}}`;
      const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      let pair: Answer[] = [];
      // A machine that stands still makes one of them slow, but not each time.
      for (let tries = 0; tries < 3 && Math.max(...least) >= LONGEST_MS; tries++) {
        const sending = [full.send({ method: 'POST', path: DOCUMENTS, raw }), full.verify()] as const;
        const [answer, beside] = await Promise.all(sending);
        answer.fails('INVALID_ARGUMENT', what);
        beside.ok('verifyApiKey', `beside ${what}`);
        pair = [answer, beside];
        for (const [n, { tookMs }] of pair.entries()) least[n] = Math.min(least[n] ?? tookMs, tookMs);
      }
      for (const [n, each] of pair.entries()) {
        const tookMs = least[n] ?? 0;
        t.check(tookMs < LONGEST_MS, `${what}: it took ${Math.round(tookMs)} ms`, each);
      }
    }
  },
});

/** Text without a visible character. */
const UNREADABLE = '\u200b';

/** However many fields are wrong, an answer names at most 20, each once. */
async function mustNameFew(t: TestContext, full: Api): Promise<void> {
  const unknown = series(1000, (i) => `no_such_field_${i}`);
  const body = { ...(await templateBody(t)), ...Object.fromEntries(unknown.map((name) => [name, 1])) };
  const answer = await full.post(DOCUMENTS, body);
  answer.fails('INVALID_ARGUMENT', 'with 1000 unknown fields');
  const named = answer.violatedFields();
  const isRight = named.length <= 20 && new Set(named).size === named.length && named.every((n) => n in body);
  t.check(
    named.length > 0 && isRight,
    `of 1000 unknown fields ${named.length} are named, or one is named twice`,
    answer,
  );
}

rule({
  id: 'ERR-28',
  text: 'One answer names every parameter and field that is known to be wrong, those of a wrong form beside those of a wrong meaning, at most 20, each once, and no other.',
  place: 'BadRequest',
  decisions: ['D-4', 'D-6'],
  check: async (t, full) => {
    const right = await templateBody(t);
    const values = { ...(right.template_values as object), no_such_variable: 1 };
    const document = `/documents/${UNKNOWN_ID}`;
    const one = { employee_id: UNKNOWN_ID };
    const signing = { step_type: t.spelling.step_type.SIGNING, participants: [one, one] };
    const approval = {
      step_type: t.spelling.step_type.APPROVAL,
      participants: [{ ...one, key_type: t.spelling.key_type.EDS }],
      no_such_field: 1,
    };
    const twice = ['steps[0].participants[1].employee_id', 'steps[1].step_type', 'steps[1].participants[0].key_type'];
    const other = UNKNOWN_ID.replace(/.$/, '1');
    const cases: [what: string, path: string, body: object, fields: string[]][] = [
      ['a creation', DOCUMENTS, { ...right, title: UNREADABLE, number: 5 }, ['title', 'number']],
      [
        'values of a template',
        DOCUMENTS,
        { ...right, date: 1, template_values: values },
        ['date', 'template_values.no_such_variable'],
      ],
      [
        'an organisation',
        DOCUMENTS,
        { ...right, organization_id: UNKNOWN_ID, number: 5 },
        ['organization_id', 'number'],
      ],
      ['a template', DOCUMENTS, { ...right, template_id: UNKNOWN_ID, number: 5 }, ['template_id', 'number']],
      ['a type', DOCUMENTS, { ...right, type_id: UNKNOWN_ID, no_such_field: 1 }, ['type_id', 'no_such_field']],
      ['what is missing', DOCUMENTS, { title: UNREADABLE }, ['title', 'type_id', 'template_id', 'file_id']],
      [
        'subjects',
        DOCUMENTS,
        { ...right, title: UNREADABLE, subject_employee_ids: ['x', UNKNOWN_ID] },
        ['title', 'subject_employee_ids[0]', 'subject_employee_ids[1]'],
      ],
      ['a route', `${document}/_set_route`, { steps: [signing, approval] }, [...twice, 'steps[1].no_such_field']],
      [
        'a rejection',
        `${document}/_reject`,
        { comment: UNREADABLE, document_id: other, participant_id: 5 },
        ['comment', 'document_id', 'participant_id'],
      ],
      [
        'a reservation',
        '/files',
        { filename: '', content_type: 'application/pdf', size_bytes: 52_428_801 },
        ['filename', 'size_bytes'],
      ],
      ['an endpoint', '/webhook_endpoints', { url: 'https://127.0.0.1/', event_types: [] }, ['url', 'event_types']],
    ];
    for (const [what, path, body, fields] of cases) {
      const answer = await full.post(path, body);
      answer.blames(fields, what);
    }
    const beside = { query: { no_such_parameter: '1' }, headers: { 'Idempotency-Key': 'a b' } };
    const answer = await full.post(DOCUMENTS, { ...right, title: UNREADABLE }, beside);
    answer.blames(['no_such_parameter', 'Idempotency-Key', 'title'], 'beside the body');
    await mustNameFew(t, full);
  },
});
