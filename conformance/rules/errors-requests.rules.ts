import { NoAnswer } from '../http/client.ts';
import { isListedInFront } from '../http/in-front.ts';
import { rule } from './rule.ts';
import { idsOf, reads, UNKNOWN_ID } from './shared/calls.ts';
import { improperRequests } from './shared/improper-requests.ts';
import { need, together } from './shared/needs.ts';

rule({
  id: 'ERR-11',
  level: 'MUST',
  text: 'One condition has one code, in the declared order of precedence.',
  place: 'the catalogue of errors',
  decisions: ['D-6'],
  needs: together(need.ingest, { keys: ['no_scope', 'revoked', 'flag_off'], operations: ['rejectDocument'] }),
  check: async (t) => {
    const broken = { method: 'POST', path: '/ingest/KEDO', raw: '{', contentType: 'text/plain' };
    (await t.as('revoked').send(broken)).fails('API_KEY_INVALID', 'a bad key before all else');
    (await t.as('revoked').get('/nothing')).fails('API_KEY_INVALID', 'a bad key before the path');
    (await t.as('flag_off').send(broken)).fails('FEATURE_FLAG_OFF', 'the flag before scope and body');
    (await t.as('flag_off').get('/nothing')).fails('FEATURE_FLAG_OFF', 'the flag before the path');
    const none = t.as('no_scope');
    (await none.get('/nothing')).fails('PATH_NOT_FOUND', 'the path before the scope');
    (await none.send({ method: 'PATCH', path: '/employees' })).fails(
      'METHOD_NOT_ALLOWED',
      'the method before the scope',
    );
    (await none.send(broken)).fails('SCOPE_INSUFFICIENT', 'the scope before Idempotency-Key and body');
    const full = t.as('full');
    (await full.send(broken)).fails('IDEMPOTENCY_KEY_MISSING', 'Idempotency-Key before media type and body');
    const keyed = { headers: { 'Idempotency-Key': `err-11-${t.run.run_id}` } };
    (await full.send({ ...broken, ...keyed })).fails('UNSUPPORTED_MEDIA_TYPE', 'the media type before the JSON');
    (await full.send({ ...broken, ...keyed, contentType: 'application/json' })).fails('INVALID_ARGUMENT', 'the JSON');
    (await full.post(`/documents/${UNKNOWN_ID}/_reject`, { comment: '' })).fails(
      'INVALID_ARGUMENT',
      'the body before the document',
    );
    (await full.get(`/employees/${UNKNOWN_ID}`, 'expand=nothing')).fails(
      'INVALID_ARGUMENT',
      'parameters before the employee',
    );
  },
});

rule({
  id: 'ERR-17',
  level: 'MUST',
  text: 'HEAD, OPTIONS, TRACE and invented methods are answered as declared.',
  place: 'METHOD_NOT_ALLOWED',
  decisions: ['D-6a'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
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
      try {
        const answer = await full.wire(`${line}\r\nHost: {host}\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n`);
        t.check([400, 404, 405, 501].includes(answer.status), `${line}: got ${answer.brief}`, answer);
      } catch (error) {
        t.check(error instanceof NoAnswer && error.code === 'CLOSED', `${line}: neither an answer nor a close`);
      }
    }
  },
});

rule({
  id: 'ERR-19',
  level: 'MUST',
  text: 'Paths are exact: another case, a trailing, doubled or encoded slash, dots, a suffix or a parameter is 404.',
  place: 'paths',
  decisions: ['D-6a'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
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
  },
});

rule({
  id: 'ERR-34',
  level: 'MUST',
  text: 'A target in absolute-form is served as its path and query, whatever its scheme and host are; user information, another scheme, an asterisk and CONNECT are refused.',
  place: 'paths',
  decisions: ['D-6a'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
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

rule({
  id: 'ERR-20',
  level: 'MUST',
  text: 'Names that mean something to a database or to JavaScript are treated as any unknown name or literal value.',
  place: 'query',
  decisions: ['D-12'],
  needs: { operations: ['createDocument'] },
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const queries = [
      'status[$ne]=x',
      'status%5B%24ne%5D=x',
      'department_id[$gt]=',
      'department_id[$regex]=.*',
      'department_id[]=x',
      'department_id[0]=x',
      'department_id[__proto__]=x',
      '__proto__=x',
      '__proto__[limit]=5',
      'constructor=x',
      'constructor[prototype][limit]=5',
      'prototype=x',
      'toString=x',
      'hasOwnProperty=x',
      '$where=1',
      '%24where=sleep(1000)',
      '$expr=1',
      'limit[$gt]=0',
      'page_token[$ne]=x',
      'expand[$in]=person',
      'a.b=1',
      'status.$ne=x',
    ];
    for (const query of queries) (await full.get('/employees', query)).fails('INVALID_ARGUMENT', query);
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
    for (const raw of [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"$where":"1"}',
      '{"title":{"$gt":""}}',
      '{"":1}',
      '{"a.b":1}',
      '{"_bsontype":"ObjectId"}',
    ]) {
      (await full.send({ method: 'POST', path: '/documents', raw })).fails('INVALID_ARGUMENT', raw);
    }
    const answer = await full.verify();
    t.equal(answer.text.trim(), '{}', 'verifyApiKey after all that', answer);
  },
});

rule({
  id: 'ERR-21',
  level: 'MUST',
  text: 'Requests that are no proper HTTP are refused with the headers of every answer, and the connection does not mix them with what follows.',
  place: 'HEADERS_TOO_LARGE',
  decisions: ['D-6'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (const [what, bytes] of improperRequests()) {
      try {
        const answer = await full.wire(bytes, isListedInFront('ERR-21', what) ? what : undefined);
        const refused = answer.status >= 400 && answer.status < 500;
        t.check(refused || answer.mayBeInFront, `${what}: expected a refusal, got ${answer.brief}`, answer);
        if (what.includes('20 kB')) answer.fails('HEADERS_TOO_LARGE', what);
        if (answer.mayBeInFront) continue;
        const [caching, sniffing] = ['cache-control', 'x-content-type-options'].map((name) => answer.header(name));
        t.equal(
          [caching, sniffing],
          ['no-store', 'nosniff'],
          `the headers against caching and sniffing: ${what}`,
          answer,
        );
      } catch (error) {
        t.check(
          error instanceof NoAnswer && error.code === 'CLOSED',
          `${what}: ${error instanceof Error ? error.message : ''}`,
        );
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
  level: 'MUST',
  text: 'Headers about forwarding, method override, acceptance and conditions change nothing.',
  place: 'parameters',
  decisions: ['D-6a'],
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    const plain = idsOf((await full.employees({ limit: 10 })).rows);
    const headers: Record<string, string>[] = [
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
    for (const sent of headers) {
      const answer = await full.get('/employees', { limit: 10 }, { headers: sent });
      const what = Object.keys(sent).join(', ');
      t.equal(idsOf(answer.ok('listEmployees', what).employees), plain, `the list with ${what}`, answer);
      t.check(answer.header('etag') === undefined, `an ETag came with ${what}`, answer);
    }
    const host = await full.wire(
      'GET /developer/v1/api_key/_verify HTTP/1.1\r\nHost: other.example\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n',
    );
    t.check(host.status === 200 || host.status === 404 || host.status === 421, `another Host: got ${host.brief}`, host);
  },
});

rule({
  id: 'ERR-25',
  level: 'MUST',
  text: 'No answer invites a browser of another origin in, and none may be cached.',
  place: 'Cache-Control',
  decisions: ['D-6a', 'D-8'],
  check: async (t) => {
    const full = t.as('full');
    const headers = {
      Origin: 'https://evil.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-api-key',
    };
    const answers = [
      await full.verify({ headers }),
      await full.get('/employees', { limit: 1 }, { headers }),
      await full.send({ method: 'OPTIONS', path: '/employees', headers }),
      await t.anonymous().send({ method: 'OPTIONS', path: '/employees', headers }),
      await full.get('/nothing', {}, { headers }),
    ];
    for (const answer of answers) {
      const cors = answer.exchange.headers.find(([name]) => /^access-control-/i.test(name));
      t.check(cors === undefined, `${cors?.[0]} came`, answer);
      t.check(/no-store/.test(answer.header('cache-control') ?? ''), 'Cache-Control is not no-store', answer);
    }
  },
});

rule({
  id: 'ERR-32',
  level: 'MUST',
  text: 'What is wrong with the form of a text is said: each cause has a description of its own.',
  place: 'BadRequest.field_violations',
  decisions: ['D-4'],
  needs: { operations: ['createWebhookEndpoint', 'reserveFile', 'rejectDocument'] },
  check: async (t) => {
    const full = t.as('full', { spread: true });
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
