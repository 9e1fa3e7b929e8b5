import { describe, expect, test } from '@jest/globals';
import { CompactEncrypt } from 'jose';
import { operations } from '../../generated/operations.ts';
import { ApiError } from '../http/errors.ts';
import { setClockOffset } from '../process/clock.ts';
import { bindingOf, type PageBinding, pageTokens } from './page.ts';
import { allOf } from './ways.ts';

const key = new Uint8Array(32).fill(7);
const binding: PageBinding = {
  list: 'listEmployees',
  tenantId: 't1',
  filters: { status: ['B', 'A'], department_id: undefined, updated_since: 1_700_000_000_000 },
};
const position = { createTimeMs: 1_700_000_000_123, id: '3f2b1c9e-7a54-4c1d-9b0e-5d8a6f4e2c10' };

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
    const token = await tokens.seal(binding, 100, position);
    expect(await tokens.open(binding, 100, token)).toEqual(position);
  });

  test('compare repeated filters as sets', async () => {
    const token = await tokens.seal(binding, 100, position);
    const permuted = { ...binding, filters: { ...binding.filters, status: ['A', 'B', 'A'] } };
    expect(await tokens.open(permuted, 100, token)).toEqual(position);
  });

  test.each([
    ['another list', { ...binding, list: 'listDocumentTypes' }, 100],
    ['another tenant', { ...binding, tenantId: 't2' }, 100],
    ['another filter value', { ...binding, filters: { ...binding.filters, status: ['A'] } }, 100],
    ['a dropped filter', { ...binding, filters: { status: ['A', 'B'] } }, 100],
    ['an added filter', { ...binding, filters: { ...binding.filters, department_id: ['d'] } }, 100],
    ['another limit', binding, 101],
  ])('are refused with %s', async (_what, other, limit) => {
    const token = await tokens.seal(binding, 100, position);
    expect(await refused(tokens.open(other, limit, token))).toBe('INVALID_ARGUMENT page_token');
  });

  test('are refused when any character is altered, also to one that decodes to the same bytes', async () => {
    const token = await tokens.seal(binding, 100, position);
    for (let i = 0; i < token.length; i++) {
      const altered = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      expect([i, await refused(tokens.open(binding, 100, altered))]).toEqual([i, 'INVALID_ARGUMENT page_token']);
    }
  });

  test('reveal nothing when they are decoded', async () => {
    const token = await tokens.seal(binding, 100, position);
    const decoded = token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(decoded[0]).toBe('{"alg":"dir","enc":"A256GCM"}');
    for (const part of decoded.slice(1)) expect(part).not.toMatch(/t1|3f2b1c9e|1700000000/);
  });

  test('are valid for 24 hours', async () => {
    const token = await tokens.seal(binding, 100, position);
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
    const token = await tokens.seal(binding, 100, position);
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

  test('are refused when they use another encryption, even with the right key', async () => {
    const claims = new TextEncoder().encode('[]');
    const short = await new CompactEncrypt(claims)
      .setProtectedHeader({ alg: 'A256GCMKW', enc: 'A256GCM' })
      .encrypt(key);
    expect(await refused(tokens.open(binding, 100, short))).toBe('INVALID_ARGUMENT page_token');
  });
});

test('tokens of a list are bound to all of its filters, and to nothing else of its query (D-10)', () => {
  const lists = Object.values(operations).filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'page_token'),
  );
  const bound = lists.map(({ operationId, parameters }) => {
    const query = Object.fromEntries(parameters.map(({ name }) => [name, name]));
    return [operationId, Object.entries(bindingOf(operationId, 't1', query).filters).map(([name]) => name)];
  });
  expect(Object.fromEntries(bound)).toEqual({
    listEmployees: ['status', 'department_id', 'updated_since'],
    listDocuments: ['type_id', 'created_after', 'search'],
    listDocumentTypes: ['category_id'],
    listDocumentCategories: [],
    listDocumentTemplates: ['type_id'],
  });
});

describe('allOf', () => {
  test('keeps conditions on the same field apart', () => {
    expect(allOf({ a: 1 }, { b: 2 })).toEqual({ a: 1, b: 2 });
    expect(allOf({ a: 1 }, { a: 2 }, { b: 3 })).toEqual({ $and: [{ a: 1, b: 3 }, { a: 2 }] });
  });
});
