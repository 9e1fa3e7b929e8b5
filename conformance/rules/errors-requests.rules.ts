import type { TestContext } from '../engine/test-context.ts';
import type { Answer } from '../http/answer.ts';
import { NoAnswer } from '../http/client.ts';
import { isListedInFront } from '../http/front-proxy.ts';
import { rulesWith } from './rule.ts';
import { idsOf, mustAnswerOrClose, reads, UNKNOWN_ID } from './shared/calls.ts';
import {
  act,
  approval,
  cast,
  completed,
  create,
  done,
  routed,
  signing,
  signingOfAny,
  uploadBody,
} from './shared/document-calls.ts';

const rule = rulesWith({ decisions: ['D-6a'] });

rule({
  id: 'ERR-11',
  text: 'One condition has one code, in the declared order of precedence.',
  place: 'the catalogue of errors',
  decisions: ['D-6'],
  check: async (t, full) => {
    const broken = { method: 'POST', path: '/ingest/KEDO', raw: '{', contentType: 'text/plain' };
    const path = { path: '/nothing' };
    const method = { method: 'PATCH', path: '/employees' };
    for (const [key, error] of [
      ['revoked', 'API_KEY_INVALID'],
      ['flag_off', 'FEATURE_FLAG_OFF'],
    ] as const) {
      (await t.as(key).send(path)).fails(error, `${key} before the path`);
      (await t.as(key).send(method)).fails(error, `${key} before the method`);
    }
    const none = t.as('no_scope');
    (await none.send(path)).fails('PATH_NOT_FOUND', 'the path before the scope');
    (await none.send(method)).fails('METHOD_NOT_ALLOWED', 'the method before the scope');

    (await full.send(broken)).fails('IDEMPOTENCY_KEY_MISSING', 'Idempotency-Key before media type and body');
    const keyed = { headers: { 'Idempotency-Key': `err-11-${t.run_id}` } };
    (await full.send({ ...broken, ...keyed })).fails('UNSUPPORTED_MEDIA_TYPE', 'the media type before the JSON');
    (await full.send({ ...broken, ...keyed, contentType: 'application/json' })).fails('INVALID_ARGUMENT', 'the JSON');
    const rejection = await full.post(`/documents/${UNKNOWN_ID}/_reject`, { comment: '' });
    rejection.fails('INVALID_ARGUMENT', 'the body before the document');
    const expansion = await full.get(`/employees/${UNKNOWN_ID}`, 'expand=nothing');
    expansion.fails('INVALID_ARGUMENT', 'parameters before the employee');
  },
});

rule({
  id: 'ERR-17',
  text: 'HEAD, OPTIONS, TRACE and invented methods are answered as declared.',
  place: 'METHOD_NOT_ALLOWED',
  check: async (t) => {
    const full = t.asAny('full');
    for (const { path } of reads(t).slice(0, 8)) {
      const target = path.replace(/\{[^}]+\}/g, UNKNOWN_ID);
      const got = await full.send({ path: target, absolute: true });
      const head = await full.send({ method: 'HEAD', path: target, absolute: true });
      const wanted = t.values.head_requests === 'as_get' ? got.status : 405;
      t.equal([head.status, head.exchange.body.length], [wanted, 0], `HEAD ${path}`, head);
      t.equal(head.header('content-type'), got.header('content-type'), `Content-Type of HEAD ${path}`, head);
    }
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'LINK', 'SEARCH']) {
      const [known, unknown] = [method, `${method} on an unknown path`];
      const inFront = (name: string) => (method === 'TRACE' ? { inFront: name } : {});
      (await full.send({ method, path: '/employees', ...inFront(known) })).fails('METHOD_NOT_ALLOWED', known);
      (await full.send({ method, path: '/nothing', ...inFront(unknown) })).fails('PATH_NOT_FOUND', unknown);
    }
    for (const line of [
      'FOO /developer/v1/employees HTTP/1.1',
      'get /developer/v1/employees HTTP/1.1',
      'CONNECT api.example:443 HTTP/1.1',
    ]) {
      const bytes = `${line}\r\nHost: {host}\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n`;
      await mustAnswerOrClose(t, line, [400, 404, 405, 501], () => full.wire(bytes));
    }
  },
});

/** Paths below the prefix that the contract does not have, those on keys among them. */
const UNKNOWN_PATHS = [
  ...'/|/nothing|/employees/a/b|/documents/a/_explode|/persons|/ingest|/ingest/KEDO/x'.split('|'),
  ...'/openapi.yaml|/openapi.json|/docs|/healthz|/keys|/api_keys|/api_key|/integrations/api_keys'.split('|'),
  ...'/webhook_endpoints/a/_enable|/webhook_endpoints/a/_disable|/webhook_endpoints/a/_rotate'.split('|'),
  ...'/webhook_endpoints/a/secret|/webhook_endpoints/a/deliveries'.split('|'),
  ...`/api_keys/${UNKNOWN_ID}|/api_key/_create|/api_key/_revoke|/api_key/_list`.split('|'),
];

const ACTIONS_AS_IDS = [
  ['/employees/_verify', 'EMPLOYEE_NOT_FOUND'],
  ['/documents/_send', 'DOCUMENT_NOT_FOUND'],
  ['/documents/_download', 'DOCUMENT_NOT_FOUND'],
  ['/document_templates/_verify', 'DOCUMENT_TEMPLATE_NOT_FOUND'],
] as const;

/** What stands in the place of the prefix. */
const OTHER_PREFIXES =
  '/developer/v2|/developer/V1|/Developer/v1|/developer/v1.0|/developer/v01|/developer|/v1|/developer/v'.split('|');

rule({
  id: 'ERR-19',
  text: 'Paths are exact: what the contract does not have is PATH_NOT_FOUND, also in another case, with a trailing, doubled or encoded slash, dots or a suffix, under another version, where keys could be made or listed, and where endpoints could be listed, shown, changed or enabled; an action is never an id.',
  place: 'paths',
  check: async (t) => {
    const full = t.asAny('full');
    const api = '/developer/v1';
    const paths = [
      `${api}/Employees`,
      `${api}/EMPLOYEES`,
      `${api}/employees/`,
      `${api}//employees`,
      `/developer//v1/employees`,
      `//developer/v1/employees`,
      `${api}/./employees`,
      `${api}/x/../employees`,
      `${api}/%2e/employees`,
      `${api}/x/%2e%2e/employees`,
      `${api}/employees%2f`,
      `${api}%2femployees`,
      `/developer%2fv1/employees`,
      `${api}/employees;jsessionid=1`,
      `${api}/employees.json`,
      `${api}/employees%20`,
      `${api}/employees%00`,
      `${api}/employees%3flimit=1`,
      `${api}/api_key/_verify/`,
      `${api}/api_key%2f_verify`,
      `${api}/API_KEY/_verify`,
      `${api}/api_key/_VERIFY`,
      `${api}/api_key//_verify`,
      `${api}/api_key/verify`,
      `${api}/employees/${UNKNOWN_ID}/`,
      `${api}//employees/${UNKNOWN_ID}`,
      ...['%2f', '%2F', '%5c', '%5C'].map((slash) => `${api}/employees/a${slash}b`),
      `${api}/login_methods/`,
      `${api}/login-methods`,
      `${api}/${'a/'.repeat(500)}`,
      `${api}/${'a'.repeat(8000)}`,
      `${api}/\\employees`,
      `${api}/document_types/`,
      `${api}/`,
      api,
    ];
    for (const path of paths) {
      const answer = await full.send({ path, absolute: true, ...(path.includes('%00') && { inFront: '%00' }) });
      answer.fails('PATH_NOT_FOUND', path.slice(0, 80));
    }
    for (const path of UNKNOWN_PATHS) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        (await full.send({ method, path })).fails('PATH_NOT_FOUND', `${method} ${path}`);
      }
    }
    for (const [action, absence] of ACTIONS_AS_IDS) {
      (await full.get(action)).fails(['INVALID_ARGUMENT', 'PATH_NOT_FOUND', absence], action);
    }
    for (const start of OTHER_PREFIXES) {
      for (const path of [`${start}/employees`, `${start}/api_key/_verify`, start]) {
        const answer = await full.send({ path, absolute: true });
        t.check(answer.status === 404, `${path}: expected 404, got ${answer.brief}`, answer);
      }
    }
  },
});

rule({
  id: 'ERR-34',
  text: 'A target in absolute-form is served as its path and query, whatever its scheme and host are; user information, another scheme, an asterisk and CONNECT are refused.',
  place: 'paths',
  check: async (t, full) => {
    const api = '/developer/v1';
    const ask = (line: string) =>
      full.wire(`${line} HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n`);
    for (const origin of ['http://{host}', 'https://{host}', 'HTTP://other.example', 'http://[::1]:8080']) {
      const answer = await ask(`GET ${origin}${api}/employees?limit=1`);
      t.equal(answer.ok('listEmployees', origin).employees.length, 1, `employees with limit=1 at ${origin}`, answer);
      (await ask(`GET ${origin}${api}/employees?limit=0`)).blames('limit', `the query at ${origin}`);
      (await ask(`PUT ${origin}${api}/employees`)).fails('METHOD_NOT_ALLOWED', `PUT at ${origin}`);
      (await ask(`GET ${origin}${api}/employees/`)).fails('PATH_NOT_FOUND', `a trailing slash at ${origin}`);
    }
    for (const target of [
      `http://user@{host}${api}/employees`,
      `http:///${api}/employees`,
      `ftp://{host}${api}/employees`,
    ])
      (await ask(`GET ${target}`)).fails('INVALID_ARGUMENT', target);
    for (const line of ['OPTIONS *', 'CONNECT {host}']) (await ask(line)).fails('PATH_NOT_FOUND', line);
  },
});

/** How many characters of a name an error may repeat. */
const LONGEST_ECHO = 64;

rule({
  id: 'ERR-20',
  text: 'What means something to a database or to JavaScript is a value like any other, and of a long name an error repeats only the beginning.',
  place: 'query',
  decisions: ['D-4', 'D-12'],
  check: async (t, full) => {
    for (const department_id of [
      '{"$gt":""}',
      '{"$regex":".*"}',
      '[object Object]',
      "'; return true; //",
      '$where',
      '__proto__',
      'constructor',
    ]) {
      const answer = await full.get('/employees', { department_id });
      if (t.values.unknown_department_filter === 'reject') answer.fails('INVALID_ARGUMENT', department_id);
      else t.equal(answer.ok('listEmployees', department_id).employees, [], `employees of ${department_id}`, answer);
    }
    const long = 'n'.repeat(300);
    for (const refused of [
      await full.get('/employees', { [long]: 'x' }),
      await full.send({ method: 'POST', path: '/documents', body: { [long]: 'x' } }),
    ]) {
      refused.fails('INVALID_ARGUMENT', 'a name of 300 characters');
      t.check(!refused.text.includes('n'.repeat(LONGEST_ECHO + 1)), 'the error repeats a name of 300 letters', refused);
    }
    const answer = await full.verify();
    t.equal(answer.text.trim(), '{}', 'verifyApiKey after all that', answer);
  },
});

rule({
  id: 'ERR-21',
  text: 'Requests that are no proper HTTP are refused with the headers of every answer, and the connection does not mix them with what follows.',
  place: 'HEADERS_TOO_LARGE',
  decisions: ['D-6'],
  check: async (t, full) => {
    for (const [what, bytes] of improperRequests()) {
      try {
        const answer = await full.wire(bytes, isListedInFront('ERR-21', what) ? what : undefined);
        const refused = answer.status >= 400 && answer.status < 500;
        t.check(refused || answer.mayBeInFront, `${what}: expected a refusal, got ${answer.brief}`, answer);
        if (what.includes('20 kB')) answer.fails('HEADERS_TOO_LARGE', what);
        if (answer.mayBeInFront) continue;
        for (const [name, value] of [
          ['cache-control', 'no-store'],
          ['x-content-type-options', 'nosniff'],
        ] as const)
          t.equal(answer.header(name), value, `${what}: the header ${name}`, answer);
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        t.check(error.code === 'CLOSED', `${what}: ${error.message}`);
      }
      // A target must not guess where a body ends, or it would take the bytes after it for the next request.
      if (!bytes.startsWith('POST')) continue;
      const { answers, closed } = await full.wireAnswers(bytes);
      t.check(
        closed && answers < 2,
        `${what}: ${answers} answers, and the connection ${closed ? 'was closed' : 'goes on'}`,
      );
    }
    (await full.verify()).ok('verifyApiKey', 'the next request');
  },
});

rule({
  id: 'ERR-23',
  text: 'Headers about the tenant, forwarding, method override, acceptance and conditions change nothing: the key alone decides the tenant, and no X-Tenant-ID stands in for one.',
  place: 'parameters',
  runs: 'quiet',
  check: async (t, full) => {
    const { employee_other_tenant_id = UNKNOWN_ID } = t.profile.fixtures;
    const tenants = [t.profile.tenant.tag, UNKNOWN_ID, 'x', '', 'a'.repeat(2000), '../..', '{"$ne":1}'];
    const headers: Record<string, string>[] = [
      ...[...tenants, employee_other_tenant_id].map((tenant) => ({ 'X-Tenant-ID': tenant })),
      { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'PATCH', 'X-HTTP-Method': 'PUT' },
      {
        'X-Forwarded-For': '203.0.113.9',
        'X-Forwarded-Host': 'other.example',
        'X-Forwarded-Proto': 'gopher',
        Forwarded: 'for=203.0.113.9',
      },
      { 'X-Forwarded-For': "'; drop table employees; --\u00e9" },
      { 'X-Original-URL': '/developer/v1/nothing', 'X-Rewrite-URL': '/developer/v1/nothing' },
      { Accept: 'text/html' },
      { Accept: 'application/xml;q=1, */*;q=0' },
      { 'Accept-Encoding': 'identity;q=0' },
      { 'Accept-Language': 'kk', 'Accept-Charset': 'utf-16' },
      { 'If-None-Match': '*' },
      { 'If-Match': '"x"' },
      { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
      { Range: 'bytes=0-1' },
      { 'Content-Type': 'text/plain' },
      { Cookie: 'session=x; tenant=y' },
    ];
    for (const api of [full, t.as('other_tenant')]) {
      const plain = idsOf((await api.employees({ limit: 10 })).rows);
      for (const sent of headers) {
        const answer = await api.get('/employees', { limit: 10 }, { headers: sent });
        const what = Object.keys(sent).join(', ');
        t.equal(idsOf(answer.ok('listEmployees', what).employees), plain, `the list with ${what}`, answer);
        t.check(answer.header('etag') === undefined, `an ETag came with ${what}`, answer);
      }
    }
    (await t.anonymous().verify({ headers: { 'X-Tenant-ID': UNKNOWN_ID } })).fails('API_KEY_INVALID');
    const host = await full.wire(
      'GET /developer/v1/api_key/_verify HTTP/1.1\r\nHost: other.example\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n',
    );
    t.check(host.status === 200 || host.status === 404 || host.status === 421, `another Host: got ${host.brief}`, host);
  },
});

rule({
  id: 'ERR-32',
  text: 'What is wrong with the form of a text is said: each cause has a description of its own.',
  place: 'BadRequest.field_violations',
  decisions: ['D-4'],
  check: async (t, full) => {
    const host = '://hooks.example.com/x';
    const endpoint = (url: string) => ({ url, event_types: ['employee.changed'] });
    const reservation = (filename: string, size_bytes: unknown = 5) => ({
      filename,
      content_type: 'application/pdf',
      size_bytes,
    });
    const causes: [path: string, field: string, bodies: object[]][] = [
      ['/webhook_endpoints', 'url', [`http${host}`, `https${host}#a`, `https${host} y`, ''].map(endpoint)],
      ['/files', 'filename', ['a/b.pdf', 'a\tb.pdf', ''].map((name) => reservation(name))],
      ['/files', 'size_bytes', ['x', 0, true].map((size) => reservation('a.pdf', size))],
      [`/documents/${UNKNOWN_ID}/_reject`, 'comment', [' ', '', 5].map((comment) => ({ comment }))],
    ];
    const told = new Map<string, string>();
    for (const [path, field, bodies] of causes) {
      for (const body of bodies) {
        const what = `${field} of ${JSON.stringify(body)}`;
        const answer = (await full.post(path, body)).blames(field, what);
        const description = answer.violationOf(field);
        const other = told.get(`${field}: ${description}`);
        t.check(description !== '' && other === undefined, `${what}: "${description}", as for ${other}`, answer);
        told.set(`${field}: ${description}`, what);
      }
    }
  },
});

/** Requests that are no proper HTTP, with placeholders for host and key. */
export function improperRequests(): [what: string, bytes: string][] {
  const start = 'GET /developer/v1/api_key/_verify HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n';
  const post =
    'POST /developer/v1/documents HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n';
  return [
    ['a blank in a name', `${start}Bad Name: x\r\n\r\n`],
    ['a folded header', `${start}X-A: 1\r\n 2\r\n\r\n`],
    ['a header without colon', `${start}nothing\r\n\r\n`],
    ['NUL in a header', `${start}X-A: a\0b\r\n\r\n`],
    ['no Host', 'GET /developer/v1/api_key/_verify HTTP/1.1\r\nX-API-Key: {key}\r\n\r\n'],
    ['two Hosts', `${start}Host: other.example\r\n\r\n`],
    ['no version', 'GET /developer/v1/api_key/_verify\r\n\r\n'],
    ['an unknown version', 'GET /developer/v1/api_key/_verify HTTP/9.9\r\nHost: {host}\r\n\r\n'],
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a blank in the path', 'GET /developer/v1/employees x HTTP/1.1\r\nHost: {host}\r\n\r\n'],
    ['a negative length', `${post}Content-Length: -1\r\n\r\n{}`],
    ['a length of letters', `${post}Content-Length: two\r\n\r\n{}`],
    ['an endless length', `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `],
    [
      'length and chunked',
      `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nGET /developer/v1/employees HTTP/1.1\r\nHost: {host}\r\n\r\n`,
    ],
    ['chunked, then identity', `${post}Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['gzip, then chunked', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a bad chunk', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a header of 20 kB', `${start}X-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['3,000 headers', `${start}${'X-A: b\r\n'.repeat(3000)}\r\n`],
    ['a path of 20 kB', `GET /developer/v1/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n\r\n`],
  ];
}

/** Announces a body and sends only its beginning. @returns the answer, or undefined if none comes in time */
async function sentInPart(t: TestContext, body: string, announced: number): Promise<Answer | undefined> {
  const head = `POST /developer/v1/documents HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n`;
  const type = `Content-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n`;
  try {
    return await t.as('full').wire(head + type + body);
  } catch (error) {
    if (error instanceof NoAnswer && error.code === 'TIMEOUT') return undefined;
    throw error;
  }
}

rule({
  id: 'ERR-35',
  text: 'A body that does not go on is 408 after a few seconds and not before, and the connection ends with it.',
  place: 'requestBody',
  decisions: ['D-6', 'D-33'],
  check: async (t, full) => {
    if (t.profile.terminator === true) t.untested('not_exercised', 'who stands in front may wait for the whole body');
    const begun = performance.now();
    const answer = t.present(await sentInPart(t, '{"title":', 100), 'a body that does not go on is waited for');
    t.equal(answer.status, 408, 'the status', answer);
    t.equal(answer.code, 'INVALID_ARGUMENT', 'the code', answer);
    t.equal(answer.header('connection'), 'close', 'the header Connection', answer);
    t.check(performance.now() - begun > 4_000, 'a body is given up within four seconds', answer);
    (await full.verify()).ok('verifyApiKey', 'the next request');
  },
});

rule({
  id: 'ERR-26',
  text: 'Document operations check in the declared order: body, then visibility, then who may, then the participants of a route, then the state; a creation checks its initiator before its type and file.',
  place: 'createDocument, setDocumentRoute, sendDocument, approveDocument, signDocument, rejectDocument',
  decisions: ['D-6', 'D-17', 'D-19'],
  check: async (t) => {
    const who = cast(t);
    const { full, second, restricted } = who;
    const nobody = t.as('no_employee_owner');
    const unknown = { type_id: UNKNOWN_ID, template_id: UNKNOWN_ID, template_values: {} };
    (await create(t, nobody, unknown)).blames(['title', 'type_id', 'template_id'], 'the body before the initiator');
    const initiator = await create(t, nobody, { title: 'x', ...unknown });
    initiator.fails('DOCUMENT_INITIATOR_NOT_FOUND', 'the initiator before type and template');
    (await create(t, nobody, uploadBody(t, UNKNOWN_ID))).fails('DOCUMENT_INITIATOR_NOT_FOUND', 'and before the file');
    const type = await create(t, full.api, uploadBody(t, UNKNOWN_ID, { type_id: UNKNOWN_ID }));
    type.blames('type_id', 'type before file');
    const own = await routed(t, full, [approval(second), signingOfAny(restricted, full)]);
    const wrong = { steps: [{ step_type: 'x', participants: [] }] };
    (await act(second.api, own.id, '_set_route', wrong)).fails('INVALID_ARGUMENT', 'the body before visibility');
    (await act(second.api, own.id, '_send', { x: 1 })).fails('INVALID_ARGUMENT', 'the body before visibility');
    (await act(second.api, own.id, '_reject', {})).fails('INVALID_ARGUMENT', 'the comment before visibility');
    (await act(second.api, own.id, '_send')).fails('DOCUMENT_NOT_FOUND', 'visibility before who may');
    await done(full.api, own.id, '_send');
    (await act(second.api, own.id, '_send', { x: 1 })).fails('INVALID_ARGUMENT', 'the body before who may');
    (await act(second.api, own.id, '_send')).fails('DOCUMENT_ACTION_NOT_ALLOWED', 'who may before the state');
    const unfit = { steps: [signing({ ...second, id: UNKNOWN_ID })] };
    (await act(second.api, own.id, '_set_route', unfit)).fails('DOCUMENT_ACTION_NOT_ALLOWED', 'who may before a route');
    const participant = await act(full.api, own.id, '_set_route', unfit);
    participant.blames('steps[0].participants[0].employee_id', 'an unknown participant before the state');
    await done(second.api, own.id, '_approve', { comment: 'согласовано' });
    (await act(second.api, own.id, '_approve', { participant_id: UNKNOWN_ID })).fails(
      ['DOCUMENT_INVALID_STATUS_TRANSITION', 'INVALID_ARGUMENT'],
      'a foreign slot after one’s own has acted',
    );
    const acted = await act(second.api, own.id, '_approve');
    acted.fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'a slot that has acted before the kind of step');
    const end = await completed(t, who);
    const late = await act(second.api, end.id, '_approve');
    late.fails('DOCUMENT_INVALID_STATUS_TRANSITION', 'a slot that has acted before the document’s status');
  },
});
