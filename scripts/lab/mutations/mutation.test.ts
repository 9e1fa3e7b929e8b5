import { describe, expect, test } from '@jest/globals';
import { mutated } from './mutation.ts';

const SOURCE = `
export function taken(row: Row, most: number) {
  const left = row.limit - most;
  if (left < 0) return refuse('limit', { field: 'limit', left });
  return left === 0 ? row.ids : row.ids.slice(left);
}
`;
const REFORMATTED = `
export function taken(
  row: Row,
  most: number,
) {
  const left = row.limit - most;
  if (left < 0)
    return refuse('limit', {
      field: 'limit',
      left,
    });
  return left === 0
    ? row.ids
    : row.ids.slice(left);
}
`;

const in_ = (source: string, find: string, replace: string) =>
  mutated(source, { id: 'x', file: 'y.ts', find, replace }).replace(/\s+/g, ' ');

describe('code is found', () => {
  test('whatever its layout is, and is replaced there', () => {
    const find = "if (left < 0) return refuse('limit', { field: 'limit', left });";
    for (const source of [SOURCE, REFORMATTED]) {
      expect(in_(source, find, 'if (left < -1) return [];')).toContain('const left = row.limit - most; if (left < -1)');
    }
  });

  test('with the comma after it, where there is one', () => {
    expect(in_('f({ a: 1, b: 2 })', 'a: 1,', '')).toBe('f({ b: 2 })');
    expect(in_('f({ a: 1, b: 2 })', 'b: 2,', 'b: 3,')).toBe('f({ a: 1, b: 3, })');
  });
});

test.each([
  ['a name differs', SOURCE, 'row.most - most', 0],
  ['a text differs', SOURCE, "'limits'", 0],
  ['it is a part of a longer word', 'const leftover = theleft;', 'left', 0],
  ['it is there twice', 'f(a); f(a);', 'f(a)', 2],
])('code is not found where %s: then it is said how often', (_, source, find, times) => {
  expect(() => in_(source, find, '')).toThrow(`x: its code is ${times} times in y.ts, not once`);
});
