import { rulesWith } from './rule.ts';
import { mustAnswerOrClose, UNKNOWN_ID, whileBodyArrives } from './shared/calls.ts';
import { altered, withKey } from './shared/keys.ts';
import { mustLookTheSame } from './shared/same-answer.ts';

const rule = rulesWith({ place: 'security' });

rule({
  id: 'AUTH-1',
  text: 'A valid key gets 200 and exactly {} from verifyApiKey.',
  place: 'verifyApiKey',
  check: async (t, full) => {
    const answer = await full.verify();
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
  check: async (t, full) => {
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
      (await full.verify()).ok('verifyApiKey', 'another key after the revocation');
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
  check: async (t, full) => {
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

/** A token of the web application, as nobody has issued it. */
function webToken(alg: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signature = alg === 'none' ? '' : 'c2lnbmF0dXJl';
  return `${part({ alg, typ: 'JWT' })}.${part({ sub: UNKNOWN_ID, exp: 4102444800 })}.${signature}`;
}

rule({
  id: 'AUTH-9',
  text: 'A key in the header Authorization, the query, a cookie or the body does not authenticate, and neither does a token of the web application.',
  check: async (t) => {
    const [key, nobody] = [t.secret('full'), t.anonymous()];
    const tokens = ['none', 'HS256'].map(webToken);
    const basic = Buffer.from(`${key}:`).toString('base64');
    const ofKey = [key, `Bearer ${key}`, `bearer ${key}`, `ApiKey ${key}`, `Basic ${basic}`];
    for (const value of [...ofKey, ...tokens.map((token) => `Bearer ${token}`)]) {
      const answer = await nobody.verify({ headers: { Authorization: value } });
      answer.fails('API_KEY_INVALID', `${value.split(' ')[0]?.slice(0, 6)} in Authorization`);
    }
    for (const token of tokens) (await withKey(t, token)).fails('API_KEY_INVALID', 'a web token as a key');
    for (const name of ['X-API-Key', 'x-api-key', 'api_key', 'key']) {
      (await nobody.get('/employees', { [name]: key })).fails('API_KEY_INVALID', `key in the query as ${name}`);
      const inCookie = await nobody.verify({ headers: { Cookie: `${name}=${key}` } });
      inCookie.fails('API_KEY_INVALID', `key in a cookie ${name}`);
    }
    (await nobody.post('/documents', { 'X-API-Key': key, api_key: key })).fails('API_KEY_INVALID', 'key in the body');
  },
});

/** Keys that are almost the right one, and others that nobody has. */
function oddKeys(key: string, prefix: RegExp): [what: string, value: string][] {
  const shown = prefix.exec(key)?.[0] ?? 'x';
  const last = key.length - 1;
  return [
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
    ['altered twice', altered(altered(key, key.length - 8), key.length - 20)],
    ['one of the same form', `${key.split('_')[0]}_${'A'.repeat(49)}`],
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
}

/** Keys that may be refused as HTTP. */
const IMPROPER = [
  ['NUL', 'a\0b'],
  ['DEL', 'a\x7fb'],
  ['UTF-8', Buffer.from('ключ').toString('latin1')],
  ['20 kB', 'A'.repeat(20_000)],
] as const;

rule({
  id: 'AUTH-17',
  text: 'Unknown, empty, huge, altered, truncated and otherwise odd keys get 401 or are refused as HTTP, never anything else.',
  check: async (t) => {
    const key = t.secret('full');
    for (const [what, value] of oddKeys(key, new RegExp(t.values.shown_prefix_pattern)))
      if (value !== key) (await withKey(t, value)).fails('API_KEY_INVALID', what);
    const raw = (value: string) =>
      `GET /developer/v1/api_key/_verify HTTP/1.1\r\nHost: {host}\r\nX-API-Key: ${value}\r\nConnection: close\r\n\r\n`;
    for (const [what, value] of IMPROPER)
      await mustAnswerOrClose(t, what, [400, 401, 431], () => t.anonymous().wire(raw(value)));
  },
});

rule({
  id: 'AUTH-18',
  text: 'The name of the header X-API-Key may be in any case.',
  check: async (t) => {
    for (const name of ['x-api-key', 'X-API-KEY', 'x-Api-kEy']) {
      const answer = await t.anonymous().verify({ headers: { [name]: t.secret('full') } });
      answer.ok('verifyApiKey', name);
    }
  },
});

rule({
  id: 'AUTH-19',
  text: 'Two X-API-Key headers are treated as the target declares.',
  decisions: ['D-5'],
  check: async (t) => {
    const key = t.secret('full');
    const accepted = t.values.repeated_key_header === 'accepted';
    const both = (a: string, b: string) =>
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
  },
});

const ROUNDS = 120;

/**
 * Share of pairs in which the key that is wrong at its end is slower; near 0.5 if the two groups cannot be told apart.
 */
const INDISTINGUISHABLE = { from: 0.35, to: 0.65 };

rule({
  id: 'AUTH-26',
  level: 'SHOULD',
  text: 'The time of a refusal does not tell how much of a key was right.',
  place: 'security',
  runs: 'alone',
  because: 'It compares times of answers.',
  check: async (t) => {
    const key = t.secret('full');
    const start = key.indexOf('_') + 1;
    const timed = async (value: string) => (await withKey(t, value)).fails('API_KEY_INVALID').tookMs;
    const [early, late]: [number[], number[]] = [[], []];
    const groups = [
      { times: early, wrong: altered(key, start) },
      { times: late, wrong: altered(key, key.length - 1) },
    ];
    for (let n = 0; n < ROUNDS; n++) {
      // What happens at every second request on either side must not always meet the same group.
      for (const { times, wrong } of n % 2 === 0 ? groups : groups.toReversed()) times.push(await timed(wrong));
    }
    let slower = 0;
    for (const a of late) for (const b of early) slower += a > b ? 1 : a === b ? 0.5 : 0;
    const share = slower / (ROUNDS * ROUNDS);
    t.check(
      share > INDISTINGUISHABLE.from && share < INDISTINGUISHABLE.to,
      `keys wrong at the end are slower than keys wrong at the start in ${(100 * share).toFixed(0)} % of pairs`,
    );
  },
});
