import { describe, expect, test } from '@jest/globals';
import { checkUrl, hostOf, isSpecialName, MAX_URL_LENGTH } from './url.ts';

const OWN_PORT = 8_080;
const isOwnPort = (port: number) => port === OWN_PORT || port === 443;
const check = (text: string) => {
  const checked = checkUrl(text, isOwnPort);
  return typeof checked === 'string' ? { problem: checked } : { href: checked.href, host: hostOf(checked) };
};

const long = (length: number) => `https://a.example/${'x'.repeat(length - 'https://a.example/'.length)}`;

describe('accepted URLs, in canonical form', () => {
  test.each([
    ['https://hooks.example.com', 'https://hooks.example.com/', 'hooks.example.com'],
    ['HTTPS://Hooks.Example.COM:443/A?b=c', 'https://hooks.example.com/A?b=c', 'hooks.example.com'],
    ['https://hooks.example.com:8443/', 'https://hooks.example.com:8443/', 'hooks.example.com'],
    ['https://hooks.example.com:1024/', 'https://hooks.example.com:1024/', 'hooks.example.com'],
    ['https://hooks.example.com./a', 'https://hooks.example.com/a', 'hooks.example.com'],
    ['https://пример.example/путь', 'https://xn--e1afmkfd.example/%D0%BF%D1%83%D1%82%D1%8C', 'xn--e1afmkfd.example'],
    ['https://xn--e1afmkfd.example/', 'https://xn--e1afmkfd.example/', 'xn--e1afmkfd.example'],
    ['https://аpple.example/', 'https://xn--pple-43d.example/', 'xn--pple-43d.example'],
    ['https://a.example/?q=%0d%0aX-Evil:1', 'https://a.example/?q=%0d%0aX-Evil:1', 'a.example'],
    ['https://a.example/@b', 'https://a.example/@b', 'a.example'],
    ['https://8.8.8.8/', 'https://8.8.8.8/', '8.8.8.8'],
    ['https://127.0.0.1/', 'https://127.0.0.1/', '127.0.0.1'],
    ['https://[2606:4700:0:0::1111]/', 'https://[2606:4700::1111]/', '2606:4700::1111'],
    ['https://[::ffff:127.0.0.1]:8443/', 'https://[::ffff:7f00:1]:8443/', '::ffff:7f00:1'],
    [long(MAX_URL_LENGTH), long(MAX_URL_LENGTH), 'a.example'],
  ])('%s', (text, href, host) => {
    expect(check(text)).toEqual({ href, host });
    // The stored URL is checked again each time something is sent.
    expect(check(href)).toEqual({ href, host });
  });
});

const odd = /^must name its host plainly/;

describe('refused URLs, with the reason', () => {
  test.each([
    '',
    'http://a.example/',
    'https://[fe80::1%eth0]/',
    'blob:https://a.example/x',
    'xhttps://a.example/',
    'https:///a.example/',
    'https://a b.example/'.replace(' ', '%20'),
    'https://1.2.3.4.5/',
    'https://256.1.1.1/',
  ])('not https: %j', (text) => expect(check(text).problem).toBe('must be an https URL'));

  test.each([
    'https://u:p@a.example/',
    'https://u@a.example/',
    'https://:p@a.example/',
    'https://a.example:443@127.0.0.1/',
  ])('user information: %j', (text) => expect(check(text).problem).toBe('must have no user information'));

  test.each(['https://a.example/#x', 'https://a.example/#', 'https://a.example#@b.example/'])(
    'a fragment: %j',
    (text) => expect(check(text).problem).toBe('must have no fragment'),
  );

  test.each([
    'https://0x7f.1/',
    'https://0300.0250.0.1/',
    'https://134744072/',
    'https://8.8.2056/',
    'https://0/',
    'https://0.0/',
    'https://ｅxample.com/',
    'https://example。com/',
    'https://a①.example/',
    'https://１27.0.0.1/',
    'https://%65xample.com/',
    'https://exam%70le.com/',
    'https://a\u00adb.example/',
    'https://a.example../',
    'https://./',
  ])('a host with a hidden meaning: %j', (text) => expect(check(text).problem).toMatch(odd));

  test.each([
    'https://a.example/\u0000',
    'https://a.example/\r\nX-Evil: 1',
    'https:\\\\a.example\\',
    'https://a.example/\u2028',
    'https://a.example/\u00a0',
    'https://a.example/\u007f',
    'https://a.example/\u0085',
  ])('blanks, control characters, backslashes: %j', (text) =>
    expect(check(text).problem).toBe('must hold no blanks, control characters or backslashes'),
  );

  test.each([442, 1023])('port %i', (port) =>
    expect(check(`https://a.example:${port}/`).problem).toBe('must be on port 443 or from 1024 up'),
  );

  test('a port of this service, except 443, which other machines have too', () => {
    expect(check(`https://a.example:${OWN_PORT}/`).problem).toBe('must not be on a port of this service');
    expect(check('https://a.example/').problem).toBeUndefined();
  });

  test('more than 2,048 characters, before or after making it canonical', () => {
    expect(check(long(MAX_URL_LENGTH + 1)).problem).toBe('must be at most 2048 characters long');
    expect(check(`https://a.example/${'./'.repeat(1_100)}`).problem).toBe('must be at most 2048 characters long');
    expect(check(long(100_000)).problem).toMatch(/at most 2048 characters/);
    expect(check(`https://a.example/${'ы'.repeat(1_000)}`).problem).toMatch(/at most 2048 characters .*canonical/);
  });

  test('the reason quotes nothing of the URL', () => {
    const words = ['https://u:secret@a.example/', 'https://secret/#', 'https://secret:1/', 'https://0x7f.1/?secret'];
    for (const text of words) expect(check(text).problem).not.toMatch(/secret|0x7f/);
  });
});

describe('names of special use', () => {
  test.each([
    'test',
    'localhost',
    'invalid',
    'example',
    'example.com',
    'example.net',
    'example.org',
    'in-addr.arpa',
    'ip6.arpa',
    'local',
    'onion',
    'home.arpa',
    'alt',
    'internal',
  ])('%s, and what is below it, but not what only ends alike', (name) => {
    const names = [name, `hooks.${name}`, `a.b.${name}`, `hooks.a${name}`, `${name}.hooks.kz`];
    expect(names.map(isSpecialName)).toEqual([true, true, true, false, false]);
  });

  test('one label alone', () => expect(['intranet', 'hooks.kz'].map(isSpecialName)).toEqual([true, false]));
});
