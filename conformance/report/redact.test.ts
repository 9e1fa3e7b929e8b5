import { describe, expect, test } from '@jest/globals';
import { Redactor } from './redact.ts';

// In the form of our keys; not a real key.
const KEY = 'dapi_Ab3dE6gH9jKlMn0pQrStUvWxYz1234567890aBcDeFgHiJkLmN';
const OTHER = 'dapi_Zz9yX8wV7uT6sR5qP4oN3mL2kJ1iH0gF9eD8cB7aA6zY5xW4vU';
const redactor = new Redactor('salt', { CONF_KEY_FULL_1: KEY, CONF_KEY_LOAD: OTHER }, '^dapi_.{6}');
const replaced = (at: number) => `${KEY.slice(0, at)}y${KEY.slice(at + 1)}`;

/** All parts of four of the characters that the key hides. */
const hidden = KEY.slice('dapi_Ab3dE6'.length).toLowerCase();
const parts = Array.from({ length: hidden.length - 3 }, (_, at) => hidden.slice(at, at + 4));

describe('a report', () => {
  test('shows the prefix of a key and the name of its variable', () => {
    expect(redactor.text(`X-API-Key: ${KEY}`)).toBe('X-API-Key: dapi_Ab3dE6…(CONF_KEY_FULL_1)');
  });

  test.each([
    ['one character other, at the end', replaced(KEY.length - 1)],
    ['one character other, in the middle', replaced(30)],
    ['two characters other', replaced(26).slice(0, 40) + replaced(40).slice(40)],
    ['one character less', KEY.slice(0, -1)],
    ['one character more', `${KEY}x`],
    ['without its first characters', KEY.slice(8)],
    ['in upper case', KEY.toUpperCase()],
    ['in base64, for Basic', Buffer.from(`${KEY}:`).toString('base64')],
    ['in base64, behind a name', Buffer.from(`user:${KEY}`).toString('base64')],
    ['as a part of a path', `/employees/${KEY.slice(0, 40)}/x`],
  ])('shows nothing of a key with %s', (_name, made) => {
    const shown = redactor.text(`X-API-Key: ${made}`);
    expect(shown).toMatch(/…\((made of )?CONF_KEY_FULL_1\)/);
    expect(parts.filter((part) => shown.toLowerCase().includes(part))).toEqual([]);
    expect(shown).not.toContain(Buffer.from(KEY.slice(12, 24)).toString('base64').slice(4, 12));
  });

  test('shows words that are not part of a key unchanged', () => {
    const text = `employee 3f0c9a52-3d1e-4b67-9c84-0a5be1d2f3c6, dapi_${'0'.repeat(43)}, ${'a'.repeat(500)}, INTEGRATION.API_KEY_INVALID`;
    expect(redactor.text(text)).toBe(text);
  });
});
