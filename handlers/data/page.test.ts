import { describe, expect, test } from '@jest/globals';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { ApiError } from '../answers/errors.ts';
import { setClockOffset } from '../process/clock.ts';
import type { PageBinding } from './list.ts';
import type { ListRead } from './list-read.ts';
import { pageTokens, readPage } from './page.ts';
import type { PagedRow } from './visible-row.ts';

const key = new Uint8Array(32).fill(7);
const binding: PageBinding = {
  list: 'listEmployees',
  tenantId: 't1',
  filters: { status: ['B', 'A'], department_id: undefined, updated_since: 1_700_000_000_000 },
};
const position = { createTimeMs: 1_700_000_000_123, id: '3f2b1c9e-7a54-4c1d-9b0e-5d8a6f4e2c10' };

/** The error and the field that it names. */
async function refused(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.errorName} ${error.extras.violations?.[0]?.field}`;
  }
}

describe('page tokens (D-10)', () => {
  const tokens = pageTokens([key]);

  test('open to the position that was sealed', async () => {
    const token = tokens.seal(binding, 100, position);
    expect(await tokens.open(binding, 100, token)).toEqual(position);
  });

  test('compare repeated filters as sets', async () => {
    const token = tokens.seal(binding, 100, position);
    const permuted = { ...binding, filters: { ...binding.filters, status: ['A', 'B', 'A'] } };
    expect(await tokens.open(permuted, 100, token)).toEqual(position);
  });

  test('compare filters by name: their order is free, and one without a value is like none', async () => {
    const token = tokens.seal(binding, 100, position);
    const reordered = { updated_since: 1_700_000_000_000, search: undefined, status: ['A', 'B'] };
    expect(await tokens.open({ ...binding, filters: reordered }, 100, token)).toEqual(position);
  });

  test.each([
    ['another list', { ...binding, list: 'listDocumentTypes' }, 100],
    ['another tenant', { ...binding, tenantId: 't2' }, 100],
    ['another filter value', { ...binding, filters: { ...binding.filters, status: ['A'] } }, 100],
    ['a dropped filter', { ...binding, filters: { status: ['A', 'B'] } }, 100],
    ['an added filter', { ...binding, filters: { ...binding.filters, department_id: ['d'] } }, 100],
    ['another limit', binding, 101],
  ])('are refused with %s', async (_what, other, limit) => {
    const token = tokens.seal(binding, 100, position);
    expect(await refused(tokens.open(other, limit, token))).toBe('INVALID_ARGUMENT page_token');
  });

  test('are refused when any character is altered', async () => {
    const token = tokens.seal(binding, 100, position);
    for (let i = 0; i < token.length; i++) {
      const altered = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      expect([i, await refused(tokens.open(binding, 100, altered))]).toEqual([i, 'INVALID_ARGUMENT page_token']);
    }
  });

  test('are refused when the last character is altered to one that decodes to the same bytes', async () => {
    const token = tokens.seal(binding, 100, position);
    const bytes = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
    const characters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    const alike = characters
      .map((character) => token.slice(0, -1) + character)
      .filter((other) => other !== token && String(bytes(other)) === String(bytes(token)));
    // The last part has 16 bytes, so its last character has four bits that mean nothing.
    expect(alike).toHaveLength(15);
    for (const other of alike) {
      expect(await refused(tokens.open(binding, 100, other))).toBe('INVALID_ARGUMENT page_token');
    }
  });

  test('are refused with the reason', async () => {
    const token = tokens.seal(binding, 100, position);
    const reasonOf = (work: Promise<unknown>) =>
      work.then(
        () => undefined,
        (error: ApiError) => error.extras.violations?.[0]?.description,
      );
    expect(await reasonOf(tokens.open(binding, 100, 'x'))).toContain('not a token');
    expect(await reasonOf(tokens.open(binding, 101, token))).toContain('limit');
    try {
      setClockOffset(25 * 3_600_000);
      expect(await reasonOf(tokens.open(binding, 100, token))).toContain('24 hours');
    } finally {
      setClockOffset(0);
    }
  });

  test('reveal nothing when they are decoded', async () => {
    const token = tokens.seal(binding, 100, position);
    const decoded = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(decoded[0]).toBe('{"alg":"dir","enc":"A256GCM"}');
    for (const part of decoded.slice(1)) expect(part).not.toMatch(/t1|3f2b1c9e|1700000000/);
  });

  test('are valid for 24 hours', async () => {
    const token = tokens.seal(binding, 100, position);
    try {
      setClockOffset(24 * 3_600_000 - 60_000);
      expect(await tokens.open(binding, 100, token)).toEqual(position);
      setClockOffset(24 * 3_600_000 + 1_000);
      expect(await refused(tokens.open(binding, 100, token))).toBe('INVALID_ARGUMENT page_token');
    } finally {
      setClockOffset(0);
    }
  });

  test('stay valid after the key is replaced, as long as the old one is listed', async () => {
    const token = tokens.seal(binding, 100, position);
    const next = new Uint8Array(32).fill(8);
    expect(await pageTokens([next, key]).open(binding, 100, token)).toEqual(position);
    expect(await refused(pageTokens([next]).open(binding, 100, token))).toBe('INVALID_ARGUMENT page_token');
  });

  test.each(['', 'x', '{}', 'a.b.c.d.e', 'eyJhbGciOiJub25lIn0....', 'é'.repeat(40), 'A'.repeat(64 * 1024)])(
    'are refused when this service did not make them (%#)',
    async (text) => {
      expect(await refused(tokens.open(binding, 100, text))).toBe('INVALID_ARGUMENT page_token');
    },
  );

  test('are refused when they use another encryption, even with the right key and content', async () => {
    const { plaintext } = await compactDecrypt(tokens.seal(binding, 100, position), key);
    const encrypted = (alg: string) =>
      new CompactEncrypt(plaintext).setProtectedHeader({ alg, enc: 'A256GCM' }).encrypt(key);
    expect(await tokens.open(binding, 100, await encrypted('dir'))).toEqual(position);
    expect(await refused(tokens.open(binding, 100, await encrypted('A256GCMKW')))).toBe('INVALID_ARGUMENT page_token');
  });

  test('never share an initialization vector: two texts under one would reveal each other, and the key of the tag', () => {
    const many = Array.from({ length: 200 }, () => tokens.seal(binding, 100, position).split('.')[2]);
    expect(new Set(many).size).toBe(many.length);
  });

  test('cannot be made without a key', () => {
    expect(() => pageTokens([])).toThrow('key');
  });
});

describe('a page', () => {
  const tokens = pageTokens([key]);

  /** A collection of rows, newest first, whose finds are noted; all rows match. */
  function listOf(count: number) {
    const rows = Array.from({ length: count }, (_, n): PagedRow => ({ _id: `r${n}`, create_time: new Date(1e12 - n) }));
    const filters: object[] = [];
    const find = (filter: object, { limit }: { limit: number }) => {
      filters.push(filter);
      return { toArray: async () => rows.slice(0, limit) };
    };
    const parts = [{ condition: {}, plan: {} }];
    return { rows, filters, list: { collection: { find }, parts, binding, moving: [] } as unknown as ListRead };
  }

  test('has as many rows as the limit, and a token that leads on after the last of them', async () => {
    const { list, rows, filters } = listOf(8);
    const first = await readPage(list, tokens, { limit: 3 });
    expect(first.rows).toEqual(rows.slice(0, 3));
    const after = { createTimeMs: 1e12 - 2, id: 'r2' };
    expect(await tokens.open(binding, 3, first.nextPageToken)).toEqual(after);
    const query = { limit: 3, page_token: first.nextPageToken };
    await readPage(list, tokens, query);
    expect(filters[0]).toEqual({});
    expect(filters[1]).toMatchObject({ create_time: { $lte: new Date(after.createTimeMs) } });
  });

  test.each([0, 1, 3])('has no token if it is the last, with %i rows of 3', async (count) => {
    const { list, rows } = listOf(count);
    const page = await readPage(list, tokens, { limit: 3, page_token: '' });
    expect(page).toEqual({ rows, nextPageToken: '' });
  });

  test('has at most 1000 rows, and its token is bound to that limit', async () => {
    const { list } = listOf(1_200);
    const page = await readPage(list, tokens, { limit: 5_000 });
    expect(page.rows).toHaveLength(1_000);
    expect(await tokens.open(binding, 1_000, page.nextPageToken)).toMatchObject({ id: 'r999' });
  });
});
