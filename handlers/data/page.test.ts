import { describe, expect, test } from '@jest/globals';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { ApiError } from '../answers/errors.ts';
import { setClockOffset } from '../runtime/clock.ts';
import type { PageBinding } from './list.ts';
import { pageTokens } from './page.ts';

const key = new Uint8Array(32).fill(7);
const binding: PageBinding = {
  list: 'listEmployees',
  tenantId: 't1',
  filters: { status: ['B', 'A'], department_id: undefined, updated_since: 1_700_000_000_000 },
};
const position = { createTimeMs: 1_700_000_000_123, id: '3f2b1c9e-7a54-4c1d-9b0e-5d8a6f4e2c10' };

/** Why a token is refused. */
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof ApiError)) return undefined;
  const [violation] = error.extras.violations ?? [];
  expect([error.errorName, violation?.field]).toEqual(['INVALID_ARGUMENT', 'page_token']);
  return violation?.description;
}

const [UNKNOWN, BOUND, OLD] = ['not a token of this service', 'another list', 'older than 24 hours'].map((text) =>
  expect.stringContaining(text),
);

describe('page tokens (D-10)', () => {
  const tokens = pageTokens([key]);
  const { filters } = binding;
  const token = tokens.seal(binding, 100, position);

  test.each([
    ['sealed', filters],
    ['in other order and number', { ...filters, status: ['A', 'B', 'A'] }],
    [
      'by other order of names, and one without a value',
      { updated_since: 1.7e12, search: undefined, status: ['A', 'B'] },
    ],
  ])('open to their position for the same filters: %s', async (_what, same) => {
    expect(await tokens.open({ ...binding, filters: same }, 100, token)).toEqual(position);
  });

  test('are refused with another tenant', async () => {
    expect(await refusal(tokens.open({ ...binding, tenantId: 't2' }, 100, token))).toEqual(BOUND);
  });

  test('are refused when the last character is altered to one that decodes to the same bytes', async () => {
    const tag = (text: string) => Buffer.from(text.split('.')[4] ?? '', 'base64url').toString('hex');
    const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    const alike = characters
      .map((character) => token.slice(0, -1) + character)
      .filter((other) => other !== token && tag(other) === tag(token));
    // The last part has 16 bytes, so its last character has four bits that mean nothing.
    expect(alike).toHaveLength(15);
    for (const other of alike) expect(await refusal(tokens.open(binding, 100, other))).toEqual(UNKNOWN);
  });

  test('are valid for 24 hours', async () => {
    try {
      setClockOffset(24 * 3_600_000 - 60_000);
      expect(await tokens.open(binding, 100, token)).toEqual(position);
      setClockOffset(24 * 3_600_000 + 1_000);
      expect(await refusal(tokens.open(binding, 100, token))).toEqual(OLD);
    } finally {
      setClockOffset(0);
    }
  });

  test('are refused when they use another encryption, even with the right key and content', async () => {
    const { plaintext } = await compactDecrypt(token, key);
    const encrypted = (alg: string) =>
      new CompactEncrypt(plaintext).setProtectedHeader({ alg, enc: 'A256GCM' }).encrypt(key);
    expect(await tokens.open(binding, 100, await encrypted('dir'))).toEqual(position);
    expect(await refusal(tokens.open(binding, 100, await encrypted('A256GCMKW')))).toEqual(UNKNOWN);
  });

  test('never share an initialization vector: two texts under one would reveal each other, and the key of the tag', () => {
    const many = Array.from({ length: 200 }, () => tokens.seal(binding, 100, position).split('.')[2]);
    expect(new Set(many).size).toBe(many.length);
  });

  test('cannot be made without a key', () => {
    expect(() => pageTokens([])).toThrow('key');
  });
});
