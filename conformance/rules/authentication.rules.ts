import { rulesWith } from './rule.ts';
import { whileBodyArrives } from './shared/calls.ts';
import { altered, withKey } from './shared/keys.ts';
import { mustLookTheSame } from './shared/same-answer.ts';

const rule = rulesWith({ place: 'security' });

rule({
  id: 'AUTH-1',
  text: 'A valid key gets 200 and exactly {} from verifyApiKey.',
  place: 'verifyApiKey',
  check: async (t) => {
    const answer = await t.as('full').verify();
    answer.ok('verifyApiKey');
    t.equal(answer.text.trim(), '{}', 'the body', answer);
  },
});

/** Keys that were valid once, with what became of them. */
const DEAD_KEYS = [
  ['AUTH-4', 'revoked', 'A revoked key'],
  ['AUTH-5', 'expired', 'An expired key'],
  ['AUTH-6', 'inactive', 'A key that is switched off'],
  ['AUTH-7', 'owner_removed', 'A key whose owner was removed from the tenant'],
] as const;

for (const [id, name, what] of DEAD_KEYS) {
  rule({
    id,
    family: 'dead keys',
    text: `${what} gets API_KEY_INVALID.`,
    place: 'security, API_KEY_INVALID',
    check: async (t) => void (await t.as(name).verify()).fails('API_KEY_INVALID'),
  });
}

rule({
  id: 'AUTH-8',
  text: 'A key that is being revoked is refused from the very next request on, also one whose body is still under way.',
  holds: ['disposable'],
  check: async (t) => {
    const pattern = new RegExp(t.values.shown_prefix_pattern);
    for (const name of t.keyNames('disposable')) {
      const key = t.secretOf(name);
      if ((await withKey(t, key)).status !== 200) continue;
      const revoke = () => t.admin('revoke_key', { prefix: pattern.exec(key)?.[0] ?? '' });
      const file = { filename: 'late.pdf', content_type: 'application/pdf', size_bytes: 100 };
      const late = await whileBodyArrives(t, revoke, (halfway) =>
        t.anonymous().post('/files', file, { headers: { 'X-API-Key': key }, halfway }),
      );
      late.fails('API_KEY_INVALID', 'a body that ended after the revocation');
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
  check: async (t) => {
    (await t.as('full').verify({ headers: { Authorization: 'Bearer something' } })).ok('verifyApiKey');
  },
});

rule({
  id: 'AUTH-20',
  text: 'Missing, unknown and revoked keys cannot be distinguished by the answer.',
  place: 'API_KEY_INVALID',
  check: async (t) => {
    const missing = await t.anonymous().verify();
    missing.fails('API_KEY_INVALID');
    for (const answer of [
      await withKey(t, 'unknown'),
      await withKey(t, altered(t.secret('full'), 12)),
      await t.as('revoked').verify(),
    ]) {
      answer.fails('API_KEY_INVALID');
      mustLookTheSame(t, answer, missing, 'a refused key');
    }
  },
});

rule({
  id: 'AUTH-27',
  text: 'A caller’s well-formed X-Request-Id comes back; any other is replaced.',
  place: 'X-Request-Id',
  decisions: ['D-8'],
  check: async (t) => {
    const full = t.as('full');
    const sent = async (id: string) =>
      (await full.verify({ headers: { 'X-Request-Id': id } })).header('x-request-id') ?? '';
    for (const id of ['abc', 'A-b_c.9', 'x'.repeat(128)]) {
      const isBack = (await sent(id)) === id;
      t.equal(isBack, t.values.request_id_echo, `whether the id of ${id.length} characters comes back`);
    }
    for (const id of ['x'.repeat(129), 'a b', 'a/b', '"x"', '']) {
      const given = await sent(id);
      const isOwn = given !== id && /^[A-Za-z0-9._-]{1,128}$/.test(given);
      t.check(isOwn, `an ill-formed request id was answered with ${given.slice(0, 40)}`);
    }
    const first = await sent('');
    t.check(first !== (await sent('')), 'two requests have the same id');
  },
});
