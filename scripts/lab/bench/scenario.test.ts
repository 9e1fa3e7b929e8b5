import { describe, expect, test } from '@jest/globals';
import { growth, steadyGrowth } from '../../kit/statistics.ts';
import { tableLines } from '../report.ts';
import { figure, finding } from '../scenario.ts';

describe('a value beside its bound', () => {
  test.each([
    [25, { most: 25 }, true],
    [25.1, { most: 25 }, false],
    [1_000, { least: 1_000 }, true],
    [999, { least: 1_000 }, false],
    [Number.NaN, { most: 20 }, false],
    [5, {}, null],
  ])('%d with %o: %s', (value, aim, met) => {
    expect(figure('x', value, 'ms', aim).met).toBe(met);
  });

  test('is shown with the bound and the verdict, and a row of several figures with their names', () => {
    const rows = [
      finding('x', 12.34, 'ms', { most: 12 }),
      finding('y', 0.5, 'µs'),
      { label: 'ours', figures: [figure('p50', 3, 'ms'), figure('of ideal', 1.26, '×')] },
    ];
    expect(tableLines(rows).map((line) => line.split(/ {2,}/))).toEqual([
      ['', 'x', '12.3 ms', '≤ 12', 'NOT MET'],
      ['', 'y', '0.50 µs'],
      ['', 'ours', 'p50 3 ms', 'of ideal 1.26 ×'],
    ]);
  });
});

test('growth is in percent of the value before, and unknown if there was none', () => {
  expect(growth(10, 12)).toBe(20);
  expect(growth(10, 9)).toBe(-10);
  expect(growth(0, 9)).toBeNaN();
});

describe('steady growth', () => {
  const readings = (...values: number[]) => values.map((value, nth) => ({ requests: 10 * nth, value }));

  test('is what a value gains with each request', () => {
    expect(steadyGrowth(readings(100, 120, 140, 160))).toBe(2);
    expect(steadyGrowth(readings(7, 7, 7))).toBe(0);
    expect(steadyGrowth([])).toBeNaN();
    expect(steadyGrowth(readings(1))).toBeNaN();
  });

  test('is not a step, up or down, nor a reading that stands out', () => {
    expect(steadyGrowth(readings(100, 100, 100, 100, 100, 100, 114))).toBe(0);
    expect(steadyGrowth(readings(114, 100, 100, 100, 100, 100, 100))).toBe(0);
    expect(steadyGrowth(readings(100, 120, 140, 900, 180, 200, 220))).toBe(2);
  });
});
