import { rulesWith } from './rule.ts';
import { mustAnswerOrClose, UNKNOWN_ID } from './shared/calls.ts';
import { altered, withKey } from './shared/keys.ts';

const rule = rulesWith({ place: 'security' });

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
  },
});
