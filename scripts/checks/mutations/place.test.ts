import { describe, expect, test } from '@jest/globals';
import { mutated } from './mutation.ts';
import { placeOf } from './place.ts';

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
/** Three local variables have other names. */
const RENAMED = REFORMATTED.replaceAll('left', 'rest').replaceAll('row', 'bucket').replaceAll('most', 'wanted');

const in_ = (source: string, find: string, replace: string) =>
  mutated(source, { id: 'x', file: 'y.ts', find, replace, effect: 'It is wrong.' }).replace(/\s+/g, ' ');

describe('code is found', () => {
  test('whatever its layout is, and is replaced there', () => {
    const find = "if (left < 0) return refuse('limit', { field: 'limit', left });";
    for (const source of [SOURCE, REFORMATTED]) {
      expect(in_(source, find, 'if (left < -1) return [];')).toContain('const left = row.limit - most; if (left < -1)');
    }
  });

  test('when local variables have got other names, which the replacement gets too', () => {
    const changed = in_(RENAMED, 'left === 0 ? row.ids : row.ids.slice(left)', 'left > 0 ? row.ids : row.left(left)');
    expect(changed).toContain('return rest > 0 ? bucket.ids : bucket.left(rest);');
    expect(in_(RENAMED, 'const left = row.limit - most;', 'const left = most;')).toContain('const rest = wanted;');
  });

  test('with the comma after it, where there is one', () => {
    expect(in_('f({ a: 1, b: 2 })', 'a: 1,', '')).toBe('f({ b: 2 })');
    expect(in_('f({ a: 1, b: 2 })', 'b: 2,', 'b: 3,')).toBe('f({ a: 1, b: 3, })');
  });
});

describe('code is not found', () => {
  test('where a property, a function, a text or a keyword differs', () => {
    for (const find of ['row.most - most', 'accept(', "'limits'", 'else return left']) {
      expect(placeOf(SOURCE, find, '')).toBe(0);
    }
  });

  test('where one variable would have two names, or two variables one', () => {
    expect(placeOf('a + b', 'c + c', '')).toBe(0);
    expect(placeOf('a + a', 'c + d', '')).toBe(0);
    expect(placeOf('a + b', 'a + a', '')).toBe(0);
    expect(placeOf('a + a', 'a + b', '')).toBe(0);
    expect(placeOf('a + a', 'b + a', '')).toBe(0);
  });

  test('if it is there twice: then it is said how often', () => {
    expect(placeOf('f(a); f(a);', 'f(a)', '')).toBe(2);
    expect(() => in_('f(a); f(b);', 'f(c)', '')).toThrow('x: its code is 2 times in y.ts, not once');
  });
});
