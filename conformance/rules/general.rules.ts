import type { Operation } from '../../generated/operations.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { callOf, claimed, idsOf, UNKNOWN_ID, writes } from './shared/calls.ts';

/** Operations for bulk loading and for webhooks, which a target may implement last. */
const isOutward = ({ path }: Operation) => /\/(ingest|webhook_endpoints)\b/.test(path);

/** Checks that each of these exists with the prefix, and not without it. */
const served = (concerned: (operation: Operation) => boolean) => async (t: TestContext) => {
  const full = t.as('full', { spread: true });
  for (const operation of claimed(t).filter(concerned)) {
    const call = callOf(operation);
    const answer = await full.send(call);
    const lost = ['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(answer.code ?? '');
    t.check(!lost && answer.status !== 501, `${operation.operationId} is not served: ${answer.brief}`, answer);
    const bare = await full.send({ ...call, path: call.path.replace('/developer/v1', '') });
    // Something else may be there, such as pages for people. But a JSON answer must say that there is no such path.
    const other = !/json/i.test(bare.header('content-type') ?? '') && bare.status < 500;
    t.check(
      bare.status === 404 || other,
      `${operation.operationId} without the prefix: expected 404, got ${bare.brief}`,
      bare,
    );
  }
};

rule({
  id: 'GEN-1',
  level: 'MUST',
  text: 'Every operation on employees, catalogues, documents and files is served under /developer/v1, and the same path without that prefix is not.',
  place: 'paths',
  check: served((operation) => !isOutward(operation)),
});
rule({
  id: 'GEN-17',
  level: 'MUST',
  text: 'Every operation on ingest and webhook endpoints is served under /developer/v1, and the same path without that prefix is not.',
  place: 'paths',
  check: served(isOutward),
});

rule({
  id: 'GEN-4',
  level: 'MUST',
  text: 'A POST whose body is of another media type, is no JSON, is empty where fields are required, or is no object is refused in the error shape.',
  place: 'requestBody',
  decisions: ['D-6a'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (const operation of writes(t)) {
      const { method, path, headers } = callOf(operation);
      const send = (more: object) =>
        full.send({ method: method ?? 'POST', path, absolute: true, headers: headers ?? {}, ...more });
      const what = operation.operationId;
      for (const contentType of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
        'application/json; charset=utf-16',
        'application/jsonp',
      ]) {
        (await send({ raw: '{}', contentType })).fails('UNSUPPORTED_MEDIA_TYPE', `${what} with ${contentType}`);
      }
      for (const raw of ['{', '{"a":1,}', "{'a':1}", '{"a":NaN}', '// x\n{}', '[]', 'null', '1', '"x"', 'true']) {
        (await send({ raw })).fails('INVALID_ARGUMENT', `${what} with the body ${raw}`);
      }
      if (operation.body === 'required') {
        (await send({ raw: '' })).fails('INVALID_ARGUMENT', `${what} with an empty body`);
        (await send({})).fails('INVALID_ARGUMENT', `${what} without a body`);
      }
    }
  },
});

rule({
  id: 'GEN-9',
  level: 'MUST',
  text: 'A call runs as the owner of its key: keys of two owners see different employees.',
  place: 'listEmployees',
  decisions: ['D-31'],
  needs: { keys: ['restricted_owner'] },
  check: async (t) => {
    const everybody = await t.as('full').employees({ limit: 1000 });
    const some = await t.as('restricted_owner').employees({ limit: 1000 });
    const seen = new Set(idsOf(some.rows));
    t.check(seen.size > 0, 'the restricted owner sees nobody', some.answer);
    t.check(
      everybody.rows.some(({ id }) => !seen.has(id)),
      'both owners see the same employees',
      some.answer,
    );
  },
});

rule({
  id: 'GEN-10',
  level: 'MUST',
  text: 'What a key may do is the intersection of its scopes and its owner’s permissions, in all four combinations.',
  place: 'security, listEmployees',
  decisions: ['D-31'],
  needs: { keys: ['employees_read', 'no_scope', 'restricted_owner'], fixtures: ['employee_hidden_from_restricted_id'] },
  check: async (t) => {
    const hidden = t.fixture('employee_hidden_from_restricted_id');
    await t.as('employees_read').employee(hidden);
    (await t.as('no_scope').get(`/employees/${hidden}`)).fails('SCOPE_INSUFFICIENT', 'permission without scope');
    (await t.as('restricted_owner').get(`/employees/${hidden}`)).fails(
      'EMPLOYEE_NOT_FOUND',
      'scope without permission',
    );
    (await t.as('no_scope').get(`/employees/${UNKNOWN_ID}`)).fails('SCOPE_INSUFFICIENT', 'neither');
  },
});

rule({
  id: 'GEN-13',
  level: 'MUST',
  text: 'A path segment that begins with an underscore is an action and is never looked up as an id.',
  place: 'paths',
  check: async (t) => {
    const full = t.as('full');
    for (const path of [
      '/employees/_verify',
      '/employees/_send',
      '/documents/_send',
      '/documents/_download',
      '/document_templates/_verify',
    ]) {
      const answer = await full.get(path);
      t.check(
        answer.status === 400 || answer.status === 404,
        `GET ${path}: expected 400 or 404, got ${answer.brief}`,
        answer,
      );
      answer.fails(
        [
          'INVALID_ARGUMENT',
          'PATH_NOT_FOUND',
          'EMPLOYEE_NOT_FOUND',
          'DOCUMENT_NOT_FOUND',
          'DOCUMENT_TEMPLATE_NOT_FOUND',
        ],
        path,
      );
    }
  },
});

rule({
  id: 'GEN-14',
  level: 'MUST',
  text: 'A path that the contract does not know is answered with PATH_NOT_FOUND in the error shape.',
  place: 'PATH_NOT_FOUND',
  decisions: ['D-5'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (const path of [
      '/',
      '/nothing',
      '/employees/a/b',
      '/documents/a/_explode',
      '/persons',
      '/keys',
      '/api_key',
      '/ingest',
      '/ingest/KEDO/x',
      '/webhook_endpoints/a/_enable',
      '/openapi.yaml',
      '/openapi.json',
      '/docs',
      '/healthz',
    ]) {
      for (const method of ['GET', 'POST'])
        (await full.send({ method, path })).fails('PATH_NOT_FOUND', `${method} ${path}`);
    }
  },
});

rule({
  id: 'GEN-15',
  level: 'MUST',
  text: 'A method that a path does not have is METHOD_NOT_ALLOWED, and Allow names those it has, HEAD beside GET, and no other.',
  place: 'METHOD_NOT_ALLOWED',
  decisions: ['D-5', 'D-6a'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const byPath = Map.groupBy(claimed(t), ({ path }) => path);
    for (const [path, served] of byPath) {
      const methods = served.map(({ method }) => method.toUpperCase());
      const hasHead = methods.includes('GET') && t.values.head_requests === 'as_get';
      const wanted = [...methods, ...(hasHead ? ['HEAD'] : [])].sort();
      const target = path.replace('{source_type}', 'KEDO').replace(/\{[^}]+\}/g, UNKNOWN_ID);
      const odd = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !methods.includes(method));
      for (const method of odd) {
        const answer = (await full.send({ method, path: target, absolute: true })).fails(
          'METHOD_NOT_ALLOWED',
          `${method} ${path}`,
        );
        const allowed = (answer.header('allow') ?? '').split(',').map((name) => name.trim());
        t.equal(allowed.sort(), wanted, `${method} ${path}: Allow`, answer);
      }
    }
  },
});

rule({
  id: 'GEN-16',
  level: 'MUST',
  text: 'Nothing can be written through the paths of employees; what they show stays as it was.',
  place: 'listEmployees, getEmployee',
  needs: { fixtures: ['employee_id'] },
  runs: 'quiet',
  check: async (t) => {
    const full = t.as('full');
    const id = t.fixture('employee_id');
    const expand = ['person', 'department', 'job_title', 'manager'];
    const before = await full.employee(id, { expand });
    for (const [method, path] of [
      ['POST', '/employees'],
      ['PUT', `/employees/${id}`],
      ['PATCH', `/employees/${id}`],
      ['POST', `/employees/${id}`],
      ['DELETE', `/employees/${id}`],
    ] as const) {
      const answer = await full.send({ method, path, body: { employee_number: 'X', person: { first_name: 'X' } } });
      answer.fails(['METHOD_NOT_ALLOWED', 'PATH_NOT_FOUND'], `${method} ${path}`);
    }
    t.equal(await full.employee(id, { expand }), before, 'the employee after attempts to write');
  },
});

rule({
  id: 'PRIV-7',
  level: 'MUST',
  text: 'Document types, categories and templates hold no personal value of an employee.',
  place: 'listDocumentTypes, listDocumentCategories, listDocumentTemplates',
  needs: { fixtures: ['employee_id'] },
  check: async (t) => {
    const full = t.as('full');
    const person = t.present((await full.employee(t.fixture('employee_id'), { expand: 'person' })).person, 'no person');
    // A single given name may be part of any title.
    const { full_name, iin, phone, personal_email } = person;
    const hidden = [full_name, iin, phone, personal_email].filter(
      (value) => value !== undefined && value.length > 5,
    ) as string[];
    if (hidden.length < 3) t.untested('no_such_data', 'the fixture employee_id has hardly any personal values');
    for (const path of ['/document_types', '/document_categories', '/document_templates']) {
      const answer = await full.get(path, { limit: 1000 });
      t.check(answer.status === 200, `${path}: expected 200, got ${answer.brief}`, answer);
      for (const value of hidden) t.check(!answer.text.includes(value), `${path} holds a personal value`, answer);
    }
  },
});
