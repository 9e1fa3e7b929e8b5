import { describe, expect, test } from '@jest/globals';
import { randomOf } from './random.ts';

describe('randomOf', () => {
  test('numbers are in [0, 1) and evenly distributed', () => {
    const random = randomOf('even');
    const tenths = new Array(10).fill(0);
    for (let i = 0; i < 20_000; i++) tenths[Math.floor(random.next() * 10)]++;
    for (const count of tenths) expect(Math.abs(count - 2_000)).toBeLessThan(200);
  });

  test('UUIDs have the form of version 4, differ, and are evenly distributed', () => {
    const random = randomOf('ids');
    const ids = Array.from({ length: 16_000 }, () => random.uuid());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const first = Map.groupBy(ids, (id) => id.charAt(0));
    expect(first.size).toBe(16);
    for (const share of first.values()) expect(Math.abs(share.length - 1_000)).toBeLessThan(150);
  });

  test('between includes both ends', () => {
    const random = randomOf('ends');
    const seen = new Set(Array.from({ length: 200 }, () => random.between(3, 5)));
    expect([...seen].sort()).toEqual([3, 4, 5]);
  });

  test('nothing can be picked from nothing', () => {
    expect(() => randomOf('x').pick([])).toThrow(RangeError);
    expect(() => randomOf('x').weighted([])).toThrow(RangeError);
  });
});
