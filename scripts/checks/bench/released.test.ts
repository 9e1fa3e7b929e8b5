import { expect, test } from '@jest/globals';
import { lossesOf, type ReleasedRatios } from './released.ts';
import type { Report } from './report.ts';
import { figure } from './scenario.ts';
import { ratioTo } from './scenarios/requests.ts';

const report = (name: string, ours: number) => {
  const rows = [{ label: 'ours', figures: [figure('p50', 3, 'ms'), figure('of ideal', ours, '×')] }];
  return { engine: 'mongod', scenarios: [{ name, about: '', rows }] } as unknown as Report;
};
const before: ReleasedRatios = { mongod: { list: 1 }, embedded: { list: 0.1, other: 1 } };

test.each([
  ['list', 0.91, []],
  ['list', 0.9, []],
  ['list', 0.89, ['list on mongod: 0.89 of ideal, released with 1.00']],
  ['other', 0.1, []],
])('%s at %d', (name, now, losses) => {
  expect(lossesOf(report(name, now), before)).toEqual(losses);
});

test('the ratio to another service is the median of the ratios of the rounds, which other load shifts together', () => {
  const rounds = (...times: number[]) => times.map((cpuUs) => ({ cpuUs }) as never);
  expect(ratioTo(rounds(50, 500, 400), rounds(100, 1_000, 200))).toBe(0.5);
});
