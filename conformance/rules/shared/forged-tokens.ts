/** Page tokens that nobody issued. */

const B64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens in which one bit is flipped in a byte of a segment, below its base64; every eighth byte in turn. */
export function bitFlips(token: string): [what: string, token: string][] {
  const flips: [string, string][] = [];
  const segments = token.split('.');
  for (const [number, segment] of segments.entries()) {
    const bytes = Buffer.from(segment, 'base64url');
    for (let at = 0; at < bytes.length; at += 8) {
      const turned = Buffer.from(bytes);
      turned[at] = (turned[at] ?? 0) ^ (1 << (at % 7));
      const altered = segments.with(number, turned.toString('base64url')).join('.');
      flips.push([`a bit of byte ${at} of segment ${number} turned`, altered]);
    }
  }
  return flips;
}

/** Tokens that nobody issued. */
export function forgeries(token: string, id: string): [what: string, token: string][] {
  const [header = '', key = '', iv = '', text = '', tag = ''] = token.split('.');
  const claims = {
    list: 'listEmployees',
    limit: 2,
    offset: 0,
    id,
    create_time: '2024-01-01T00:00:00.000Z',
    iat: 1,
    exp: 4102444800,
  };
  const around = (head: unknown) => [part(head), key, iv, text, tag].join('.');
  const last = token.length - 1;
  const other = B64[(B64.indexOf(token.charAt(last)) + 32) % 64] ?? 'A';
  return [
    ['one character', 'x'],
    ['JSON', JSON.stringify(claims)],
    ['base64 of JSON', part(claims)],
    ['a number', '2'],
    ['an id', id],
    ['null', 'null'],
    ['an operator', '{"$gt":""}'],
    ['cut by one', token.slice(0, last)],
    ['cut to half', token.slice(0, token.length >> 1)],
    ['longer by one', `${token}A`],
    ['a segment more', `${token}.AAAA`],
    ['a dot more', `${token}.`],
    ['twice', token + token],
    ['the last character altered', token.slice(0, last) + other],
    ['padded', `${token}=`],
    ['in upper case', token.toUpperCase()],
    ['reversed', [...token].reverse().join('')],
    ['with a blank', `${token} `],
    ['with a NUL', `${token}\0`],
    ['only dots', '....'],
    ['header only', `${header}....`],
    ['unsecured JWT', `${part({ alg: 'none' })}.${part(claims)}.`],
    ['signed JWT', `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`],
    ['JWE alg none', around({ alg: 'none', enc: 'A256GCM' })],
    ['JWE other enc', around({ alg: 'dir', enc: 'A128CBC-HS256' })],
    ['JWE zip', around({ alg: 'dir', enc: 'A256GCM', zip: 'DEF' })],
    ['JWE PBES2', around({ alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 2147483647, p2s: 'AAAA' })],
    ['JWE crit', around({ alg: 'dir', enc: 'A256GCM', crit: ['x'], x: 1 })],
    ['JWE other kid', around({ alg: 'dir', enc: 'A256GCM', kid: 'another' })],
    ['JWE without header', ['', key, iv, text, tag].join('.')],
    ['JWE without tag', [header, key, iv, text, ''].join('.')],
    ['JWE short tag', [header, key, iv, text, tag.slice(0, 6)].join('.')],
    ['JWE with a key', [header, 'AAAA', iv, text, tag].join('.')],
  ];
}
