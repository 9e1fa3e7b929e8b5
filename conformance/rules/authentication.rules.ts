import type { Answer } from '../http/answer.ts';
import { rule } from './rule.ts';
import { all, callOf, idsOf, UNKNOWN_ID } from './shared/calls.ts';
import { altered, withKey } from './shared/keys.ts';
import { mustLookTheSame } from './shared/same-answer.ts';

rule({
  id: 'AUTH-1',
  level: 'MUST',
  text: 'A valid key gets 200 and exactly {} from verifyApiKey.',
  place: 'verifyApiKey',
  check: async (t) => {
    const answer = await t.as('full').verify();
    answer.ok('verifyApiKey');
    t.equal(answer.text.trim(), '{}', 'the body', answer);
  },
});

rule({
  id: 'AUTH-2',
  level: 'MUST',
  text: 'Without the header X-API-Key the answer is 401 API_KEY_INVALID.',
  place: 'security',
  check: async (t) => {
    const answer = (await t.anonymous().verify()).fails('API_KEY_INVALID');
    t.check((answer.header('www-authenticate') ?? '') !== '', 'a 401 needs WWW-Authenticate (RFC 9110)', answer);
  },
});

rule({
  id: 'AUTH-4',
  level: 'MUST',
  text: 'A revoked key gets API_KEY_INVALID.',
  place: 'security, API_KEY_INVALID',
  needs: { keys: ['revoked'] },
  check: async (t) => void (await t.as('revoked').verify()).fails('API_KEY_INVALID'),
});
rule({
  id: 'AUTH-5',
  level: 'MUST',
  text: 'An expired key gets API_KEY_INVALID.',
  place: 'security, API_KEY_INVALID',
  needs: { keys: ['expired'] },
  check: async (t) => void (await t.as('expired').verify()).fails('API_KEY_INVALID'),
});
rule({
  id: 'AUTH-6',
  level: 'MUST',
  text: 'A key that is switched off gets API_KEY_INVALID.',
  place: 'security, API_KEY_INVALID',
  needs: { keys: ['inactive'] },
  check: async (t) => void (await t.as('inactive').verify()).fails('API_KEY_INVALID'),
});
rule({
  id: 'AUTH-7',
  level: 'MUST',
  text: 'A key whose owner was removed from the tenant gets API_KEY_INVALID.',
  place: 'security, API_KEY_INVALID',
  needs: { keys: ['owner_removed'] },
  check: async (t) => void (await t.as('owner_removed').verify()).fails('API_KEY_INVALID'),
});

rule({
  id: 'AUTH-8',
  level: 'MUST',
  text: 'A key that is being revoked is refused from the very next request on.',
  place: 'security',
  needs: { keys: ['disposable'], admin: ['revoke_key'] },
  check: async (t) => {
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
  },
});

rule({
  id: 'AUTH-11',
  level: 'SHOULD',
  text: 'An Authorization header beside a valid key changes nothing.',
  place: 'security',
  check: async (t) => {
    (await t.as('full').verify({ headers: { Authorization: 'Bearer something' } })).ok('verifyApiKey');
  },
});

rule({
  id: 'AUTH-13',
  level: 'MUST',
  text: 'X-Tenant-ID is ignored, whatever it holds: the key alone decides the tenant.',
  place: 'security',
  needs: { keys: ['other_tenant'] },
  runs: 'quiet',
  check: async (t) => {
    const [full, other] = [t.as('full'), t.as('other_tenant')];
    const plain = idsOf((await full.employees({ limit: 20 })).rows);
    const theirs = idsOf((await other.employees({ limit: 20 })).rows);
    const named = await other.get('/employees', { limit: 20 }, { headers: { 'X-Tenant-ID': t.profile.tenant.tag } });
    t.equal(idsOf(named.ok('listEmployees').employees), theirs, 'the list of another tenant that names ours', named);
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
  },
});

rule({
  id: 'AUTH-14',
  level: 'MUST',
  text: 'X-Tenant-ID does not stand in for a key.',
  place: 'security',
  check: async (t) => {
    (await t.anonymous().verify({ headers: { 'X-Tenant-ID': UNKNOWN_ID } })).fails('API_KEY_INVALID');
  },
});

rule({
  id: 'AUTH-15',
  level: 'MUST',
  text: 'Every operation of the contract answers 401 without a key.',
  place: 'all operations',
  check: async (t) => {
    for (const operation of all) {
      (await t.anonymous().send(callOf(operation))).fails('API_KEY_INVALID', `${operation.operationId} without a key`);
      const { headers, ...call } = callOf(operation);
      const wrong = { ...(headers as object), 'X-API-Key': 'wrong' };
      (await t.anonymous().send({ ...call, headers: wrong })).fails(
        'API_KEY_INVALID',
        `${operation.operationId} with a wrong key`,
      );
    }
  },
});

rule({
  id: 'AUTH-16',
  level: 'MUST',
  text: 'A bad key is refused before path, scope, parameters or body are looked at.',
  place: 'API_KEY_INVALID',
  decisions: ['D-6'],
  check: async (t) => {
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
  },
});

/** An error without the parts that differ from request to request. */
function comparable(answer: Answer): unknown {
  const { details, ...rest } = answer.json as { details: Record<string, unknown>[] };
  return { status: answer.status, ...rest, details: details.map(({ request_id: _id, ...detail }) => detail) };
}

rule({
  id: 'AUTH-20',
  level: 'SHOULD',
  text: 'Missing, unknown and revoked keys cannot be distinguished by the answer.',
  place: 'API_KEY_INVALID',
  needs: { keys: ['revoked'] },
  check: async (t) => {
    const missing = await t.anonymous().verify();
    missing.fails('API_KEY_INVALID');
    for (const answer of [
      await withKey(t, 'unknown'),
      await withKey(t, altered(t.secret('full'), 12)),
      await t.as('revoked').verify(),
    ]) {
      answer.fails('API_KEY_INVALID');
      t.equal(comparable(answer), comparable(missing), 'the refusal', answer);
      mustLookTheSame(t, answer, missing, 'a refused key');
    }
  },
});

rule({
  id: 'AUTH-21',
  level: 'MUST',
  text: 'No operation makes, lists or revokes keys.',
  place: 'paths',
  check: async (t) => {
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
  },
});

rule({
  id: 'AUTH-22',
  level: 'MUST',
  text: 'verifyApiKey needs no scope.',
  place: 'verifyApiKey',
  needs: { keys: ['no_scope'] },
  check: async (t) => void (await t.as('no_scope').verify()).ok('verifyApiKey'),
});

rule({
  id: 'AUTH-23',
  level: 'SHOULD',
  text: 'verifyApiKey takes no parameters: one that is sent is INVALID_ARGUMENT.',
  place: 'verifyApiKey',
  decisions: ['D-12'],
  check: async (t) => {
    (await t.as('full').get('/api_key/_verify', 'x=1')).blames('x');
  },
});

rule({
  id: 'AUTH-24',
  level: 'MUST',
  text: 'Keys can be rotated: a second key of the same owner sees the same, and both work side by side.',
  place: 'security',
  needs: { keys: ['second_key_same_owner'] },
  runs: 'quiet',
  check: async (t) => {
    const [first, second] = [t.as('full'), t.as('second_key_same_owner')];
    const query = { limit: 100, expand: ['person'] };
    const old = await first.employees(query);
    t.equal((await second.employees(query)).rows, old.rows, 'what the second key sees', old.answer);
    (await first.verify()).ok('verifyApiKey', 'the first key afterwards');
  },
});

rule({
  id: 'AUTH-25',
  level: 'MUST',
  text: 'A key shows nothing of another tenant, in lists or by id.',
  place: 'security',
  needs: {
    keys: ['other_tenant'],
    operations: ['listDocuments', 'listDocumentTypes'],
    fixtures: ['employee_id', 'employee_other_tenant_id'],
  },
  check: async (t) => {
    const [mine, theirs] = [t.as('full'), t.as('other_tenant')];
    const page = await theirs.employees({ limit: 1000 });
    const own = t.fixture('employee_id');
    t.check(page.rows.length > 0, 'the other tenant lists nobody', page.answer);
    t.check(!idsOf(page.rows).includes(own), 'the other tenant lists an employee of ours', page.answer);
    (await theirs.get(`/employees/${own}`)).fails('EMPLOYEE_NOT_FOUND', 'our employee read by the other tenant');
    for (const id of [t.fixture('employee_other_tenant_id'), ...idsOf(page.rows).slice(0, 5)])
      (await mine.get(`/employees/${id}`)).fails('EMPLOYEE_NOT_FOUND', 'theirs read by us');
    for (const list of ['listDocuments', 'listDocumentTypes'] as const) {
      const { rows, answer } = await theirs.list(list, { limit: 1000 });
      const ours = new Set(idsOf((await mine.list(list, { limit: 1000 })).rows));
      t.check(!idsOf(rows).some((id) => ours.has(id)), `both tenants see the same row of ${list}`, answer);
    }
  },
});

rule({
  id: 'AUTH-27',
  level: 'SHOULD',
  text: 'A caller’s well-formed X-Request-Id comes back; any other is replaced.',
  place: 'X-Request-Id',
  decisions: ['D-8'],
  check: async (t) => {
    const full = t.as('full');
    const sent = async (id: string) =>
      (await full.verify({ headers: { 'X-Request-Id': id } })).header('x-request-id') ?? '';
    for (const id of ['abc', 'A-b_c.9', 'x'.repeat(128)]) {
      t.equal(
        (await sent(id)) === id,
        t.values.request_id_echo,
        `whether the id of ${id.length} characters comes back`,
      );
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
  },
});
