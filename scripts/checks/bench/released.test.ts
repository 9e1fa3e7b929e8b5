import { expect, test } from '@jest/globals';
import { lossesOf, type Released } from './released.ts';
import { type BenchReport, type Figures, figuresOf } from './results.ts';

const figures = (of_ideal: number) => ({ of_ideal }) as Figures;
const report = (name: string, ours: number) =>
  ({ engine: 'mongod', scenarios: [{ name, services: { ours: figures(ours) } }] }) as unknown as BenchReport;
const before: Released = { mongod: { list: 1 }, embedded: { list: 0.1, other: 1 } };

test.each([
  ['list', 0.91, []],
  ['list', 0.9, []],
  ['list', 0.89, ['list on mongod: 0.89 of ideal, released with 1.00']],
  ['other', 0.1, []],
])('%s at %d', (name, now, losses) => {
  expect(lossesOf(report(name, now), before)).toEqual(losses);
});

test('the ratio to ideal is the median of the ratios of the rounds, which other load shifts together', () => {
  const rounds = (...times: number[]) => times.map((cpuUs) => ({ cpuUs, statuses: new Map() }) as never);
  expect(figuresOf(rounds(100, 1_000, 200), rounds(50, 500, 400)).of_ideal).toBe(0.5);
  expect(figuresOf(rounds(100), undefined).of_ideal).toBeNull();
});
