import type { Answer } from '../answer.ts';
import { NoAnswer } from '../client.ts';
import { rule } from '../rule-test.ts';
import type { Trial } from '../trial.ts';
import { all, callOf, idsOf, UNKNOWN_ID } from './calls.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A key of the same form that does not exist, the same for each run with the same key. */
function altered(key: string, at: number): string {
  const next = BASE62[(BASE62.indexOf(key.charAt(at)) + 1) % BASE62.length] ?? 'x';
  return key.slice(0, at) + next + key.slice(at + 1);
}

const withKey = (t: Trial, key: string): Promise<Answer> => t.anonymous().verify({ headers: { 'X-API-Key': key } });

rule('AUTH-1', async (t) => {
  const answer = await t.as('full').verify();
  answer.ok('verifyApiKey');
  t.equal(answer.text.trim(), '{}', 'the body', answer);
});

rule('AUTH-2', async (t) => {
  const answer = (await t.anonymous().verify()).fails('API_KEY_INVALID');
  t.check((answer.header('www-authenticate') ?? '') !== '', 'a 401 needs WWW-Authenticate (RFC 9110)', answer);
});

rule('AUTH-3', async (t) => {
  const key = t.secret('full');
  (await withKey(t, altered(altered(key, key.length - 8), key.length - 20))).fails('API_KEY_INVALID');
  (await withKey(t, `${key.split('_')[0]}_${'A'.repeat(49)}`)).fails('API_KEY_INVALID');
});

rule('AUTH-4', async (t) => void (await t.as('revoked').verify()).fails('API_KEY_INVALID'));
rule('AUTH-5', async (t) => void (await t.as('expired').verify()).fails('API_KEY_INVALID'));
rule('AUTH-6', async (t) => void (await t.as('inactive').verify()).fails('API_KEY_INVALID'));
rule('AUTH-7', async (t) => void (await t.as('owner_removed').verify()).fails('API_KEY_INVALID'));

rule('AUTH-8', async (t) => {
  const pattern = new RegExp(t.values.shown_prefix_pattern);
  for (const name of t.keyNames('disposable')) {
    const key = t.secretOf(name);
    if ((await withKey(t, key)).status !== 200) continue;
    await t.admin('revoke_key', { prefix: pattern.exec(key)?.[0] ?? '' });
    (await withKey(t, key)).fails('API_KEY_INVALID', 'the first request after the revocation');
    (await t.as('full').verify()).ok('verifyApiKey', 'another key after the revocation');
    return;
  }
  t.untested('missing_key', 'all disposable keys are used up; add new ones to the profile');
});

rule('AUTH-9', async (t) => {
  const key = t.secret('full');
  for (const value of [
    `Bearer ${key}`,
    `bearer ${key}`,
    key,
    `ApiKey ${key}`,
    `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
  ]) {
    (await t.anonymous().verify({ headers: { Authorization: value } })).fails(
      'API_KEY_INVALID',
      'key in Authorization',
    );
  }
});

rule('AUTH-10', async (t) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const alg of ['none', 'HS256']) {
    const token = `${part({ alg, typ: 'JWT' })}.${part({ sub: UNKNOWN_ID, exp: 4102444800 })}.${alg === 'none' ? '' : 'c2lnbmF0dXJl'}`;
    (await t.anonymous().verify({ headers: { Authorization: `Bearer ${token}` } })).fails('API_KEY_INVALID', alg);
    (await withKey(t, token)).fails('API_KEY_INVALID', `${alg} as a key`);
  }
});

rule('AUTH-11', async (t) => {
  (await t.as('full').verify({ headers: { Authorization: 'Bearer something' } })).ok('verifyApiKey');
});

rule('AUTH-12', async (t) => {
  const key = t.secret('full');
  const nobody = t.anonymous();
  for (const name of ['X-API-Key', 'x-api-key', 'api_key', 'key']) {
    (await nobody.get('/employees', { [name]: key })).fails('API_KEY_INVALID', `key in the query as ${name}`);
    (await nobody.verify({ headers: { Cookie: `${name}=${key}` } })).fails(
      'API_KEY_INVALID',
      `key in a cookie ${name}`,
    );
  }
  (await nobody.post('/documents', { 'X-API-Key': key, api_key: key })).fails('API_KEY_INVALID', 'key in the body');
});

rule('AUTH-13', async (t) => {
  const full = t.as('full');
  const plain = idsOf((await full.employees({ limit: 20 })).rows);
  for (const tenant of [
    UNKNOWN_ID,
    'x',
    '',
    'a'.repeat(2000),
    '../..',
    '{"$ne":1}',
    t.profile.fixtures.employee_other_tenant_id ?? UNKNOWN_ID,
  ]) {
    const answer = await full.get('/employees', { limit: 20 }, { headers: { 'X-Tenant-ID': tenant } });
    t.equal(
      idsOf(answer.ok('listEmployees').employees),
      plain,
      `the list with X-Tenant-ID ${tenant.slice(0, 20)}`,
      answer,
    );
  }
});

rule('AUTH-14', async (t) => {
  (await t.anonymous().verify({ headers: { 'X-Tenant-ID': UNKNOWN_ID } })).fails('API_KEY_INVALID');
});

rule('AUTH-15', async (t) => {
  for (const operation of all) {
    (await t.anonymous().send(callOf(operation))).fails('API_KEY_INVALID', `${operation.operationId} without a key`);
    const { headers, ...call } = callOf(operation);
    const wrong = { ...(headers as object), 'X-API-Key': 'wrong' };
    (await t.anonymous().send({ ...call, headers: wrong })).fails(
      'API_KEY_INVALID',
      `${operation.operationId} with a wrong key`,
    );
  }
});

rule('AUTH-16', async (t) => {
  const headers = { 'X-API-Key': 'wrong' };
  const nobody = t.anonymous();
  (await nobody.get('/nothing', {}, { headers })).fails('API_KEY_INVALID', 'unknown path');
  (await nobody.send({ method: 'PATCH', path: '/employees', headers })).fails('API_KEY_INVALID', 'method');
  (await nobody.get('/employees', 'limit=0&x=1', { headers })).fails('API_KEY_INVALID', 'bad parameters');
  (await nobody.get('/employees/x', {}, { headers })).fails('API_KEY_INVALID', 'bad id');
  for (const operation of all.filter(({ body }) => body !== 'none')) {
    const { body: _body, ...call } = callOf(operation);
    (await nobody.send({ ...call, headers, raw: '{', contentType: 'text/plain' })).fails(
      'API_KEY_INVALID',
      operation.operationId,
    );
  }
});

rule('AUTH-17', async (t) => {
  const key = t.secret('full');
  const shown = new RegExp(t.values.shown_prefix_pattern).exec(key)?.[0] ?? 'x';
  const last = key.length - 1;
  const odd: [string, string][] = [
    ['empty', ''],
    ['blank', ' '],
    ['null', 'null'],
    ['undefined', 'undefined'],
    ['object', '[object Object]'],
    ['shown prefix', shown],
    ['cut by one', key.slice(0, last)],
    ['longer by one', `${key}A`],
    ['last altered', altered(key, last)],
    ['first altered', altered(key, key.indexOf('_') + 1)],
    ['middle altered', altered(key, key.length >> 1)],
    ['upper case', key.toUpperCase()],
    ['lower case', key.toLowerCase()],
    ['twice', key + key],
    ['joined', `${key},${key}`],
    ['joined with blank', `${key}, ${key}`],
    ['quoted', `"${key}"`],
    ['bearer', `Bearer ${key}`],
    ['encoded', key.replace('_', '%5F')],
    ['operator', '{"$gt":""}'],
    ['wildcard', `${shown}*`],
    ['regular expression', '.*'],
    ['prototype', '__proto__'],
    ['Latin-1', 'k\u00e9y'],
    ['8 kB', 'A'.repeat(8000)],
  ];
  for (const [what, value] of odd) {
    if (value !== key) (await withKey(t, value)).fails('API_KEY_INVALID', what);
  }
  const raw = (value: string) =>
    `GET /developer/v1/api_key/_verify HTTP/1.1\r\nHost: {host}\r\nX-API-Key: ${value}\r\nConnection: close\r\n\r\n`;
  for (const [what, value] of [
    ['NUL', 'a\0b'],
    ['DEL', 'a\x7fb'],
    ['UTF-8', Buffer.from('ключ').toString('latin1')],
    ['20 kB', 'A'.repeat(20_000)],
  ] as const) {
    try {
      const answer = await t.anonymous().wire(raw(value));
      t.check(
        [400, 401, 431].includes(answer.status),
        `${what}: expected 400, 401 or 431, got ${answer.brief}`,
        answer,
      );
    } catch (error) {
      t.check(error instanceof NoAnswer && error.code === 'CLOSED', `${what}: neither an answer nor a close`);
    }
  }
});

rule('AUTH-18', async (t) => {
  for (const name of ['x-api-key', 'X-API-KEY', 'x-Api-kEy']) {
    const answer = await t.anonymous().verify({ headers: { [name]: t.secret('full') } });
    answer.ok('verifyApiKey', name);
  }
});

rule('AUTH-19', async (t) => {
  const key = t.secret('full');
  const accepted = t.values.repeated_key_header === 'accepted';
  const both = async (a: string, b: string) =>
    t.anonymous().verify({
      headers: [
        ['X-API-Key', a],
        ['X-API-Key', b],
      ],
    });
  const same = await both(key, key);
  if (accepted) same.ok('verifyApiKey', 'the same key twice');
  else same.fails('API_KEY_INVALID', 'the same key twice');
  (await both(key, 'wrong')).fails('API_KEY_INVALID', 'a valid and a wrong key');
  (await both('wrong', key)).fails('API_KEY_INVALID', 'a wrong and a valid key');
});

/** An error without what differs from request to request. */
function comparable(answer: Answer): unknown {
  const { details, ...rest } = answer.json as { details: Record<string, unknown>[] };
  return { status: answer.status, ...rest, details: details.map(({ request_id: _id, ...detail }) => detail) };
}

rule('AUTH-20', async (t) => {
  const missing = await t.anonymous().verify();
  missing.fails('API_KEY_INVALID');
  for (const answer of [
    await withKey(t, 'unknown'),
    await withKey(t, altered(t.secret('full'), 12)),
    await t.as('revoked').verify(),
  ]) {
    answer.fails('API_KEY_INVALID');
    t.equal(comparable(answer), comparable(missing), 'the refusal', answer);
    t.equal(answer.header('www-authenticate'), missing.header('www-authenticate'), 'WWW-Authenticate', answer);
  }
});

rule('AUTH-21', async (t) => {
  const full = t.as('full');
  t.check(
    !all.some(({ path }) => /keys?($|\/)/.test(path.replace('/api_key/_verify', ''))),
    'the contract has an operation on keys',
  );
  for (const path of [
    '/keys',
    '/api_keys',
    '/api_key',
    `/api_keys/${UNKNOWN_ID}`,
    '/api_key/_create',
    '/api_key/_revoke',
    '/api_key/_list',
    '/integrations/api_keys',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      (await full.send({ method, path })).fails(['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED'], `${method} ${path}`);
    }
  }
});

rule('AUTH-22', async (t) => void (await t.as('no_scope').verify()).ok('verifyApiKey'));

rule('AUTH-23', async (t) => {
  (await t.as('full').get('/api_key/_verify', 'x=1')).blames('x');
});

rule('AUTH-24', async (t) => {
  const [first, second] = [t.as('full'), t.as('second_key_same_owner')];
  const query = { limit: 100, expand: ['person'] };
  const old = await first.employees(query);
  t.equal((await second.employees(query)).rows, old.rows, 'what the second key sees', old.answer);
  (await first.verify()).ok('verifyApiKey', 'the first key afterwards');
});

rule('AUTH-25', async (t) => {
  const [mine, theirs] = [t.as('full'), t.as('other_tenant')];
  const page = await theirs.employees({ limit: 1000 });
  const own = t.fixture('employee_id');
  t.check(!idsOf(page.rows).includes(own), 'the other tenant lists an employee of ours', page.answer);
  (await theirs.get(`/employees/${own}`)).fails('EMPLOYEE_NOT_FOUND', 'our employee read by the other tenant');
  for (const id of idsOf(page.rows).slice(0, 5))
    (await mine.get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND', 'theirs read by us');
});

rule('AUTH-27', async (t) => {
  const full = t.as('full');
  const sent = async (id: string) =>
    (await full.verify({ headers: { 'X-Request-Id': id } })).header('x-request-id') ?? '';
  for (const id of ['abc', 'A-b_c.9', 'x'.repeat(128)]) {
    t.equal((await sent(id)) === id, t.values.request_id_echo, `whether the id of ${id.length} characters comes back`);
  }
  for (const id of ['x'.repeat(129), 'a b', 'a/b', '"x"', '']) {
    const given = await sent(id);
    t.check(
      given !== id && /^[A-Za-z0-9._-]{1,128}$/.test(given),
      `an ill-formed request id was answered with ${given.slice(0, 40)}`,
    );
  }
  const first = await sent('');
  t.check(first !== (await sent('')), 'two requests have the same id');
});
