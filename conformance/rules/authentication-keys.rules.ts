import { NoAnswer } from '../http/client.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import { altered, withKey } from './shared/keys.ts';

rule({
  id: 'AUTH-3',
  level: 'MUST',
  text: 'A key that does not exist gets API_KEY_INVALID.',
  place: 'security',
  check: async (t) => {
    const key = t.secret('full');
    (await withKey(t, altered(altered(key, key.length - 8), key.length - 20))).fails('API_KEY_INVALID');
    (await withKey(t, `${key.split('_')[0]}_${'A'.repeat(49)}`)).fails('API_KEY_INVALID');
  },
});

rule({
  id: 'AUTH-9',
  level: 'MUST',
  text: 'A key sent as a bearer token does not authenticate.',
  place: 'security',
  check: async (t) => {
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
  },
});

rule({
  id: 'AUTH-10',
  level: 'MUST',
  text: 'A bearer token of the web application’s kind does not authenticate.',
  place: 'security',
  check: async (t) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const alg of ['none', 'HS256']) {
      const token = `${part({ alg, typ: 'JWT' })}.${part({ sub: UNKNOWN_ID, exp: 4102444800 })}.${alg === 'none' ? '' : 'c2lnbmF0dXJl'}`;
      (await t.anonymous().verify({ headers: { Authorization: `Bearer ${token}` } })).fails('API_KEY_INVALID', alg);
      (await withKey(t, token)).fails('API_KEY_INVALID', `${alg} as a key`);
    }
  },
});

rule({
  id: 'AUTH-12',
  level: 'MUST',
  text: 'A key in the query, a cookie or the body does not authenticate.',
  place: 'security',
  check: async (t) => {
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
  },
});

rule({
  id: 'AUTH-17',
  level: 'MUST',
  text: 'Empty, huge, altered, truncated and otherwise odd keys get 401 or are refused as HTTP, never anything else.',
  place: 'security',
  check: async (t) => {
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
  },
});

rule({
  id: 'AUTH-18',
  level: 'MUST',
  text: 'The name of the header X-API-Key may be in any case.',
  place: 'security',
  check: async (t) => {
    for (const name of ['x-api-key', 'X-API-KEY', 'x-Api-kEy']) {
      const answer = await t.anonymous().verify({ headers: { [name]: t.secret('full') } });
      answer.ok('verifyApiKey', name);
    }
  },
});

rule({
  id: 'AUTH-19',
  level: 'MUST',
  text: 'Two X-API-Key headers are treated as the target declares.',
  place: 'security',
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
