import { expect, test } from '@jest/globals';
import { together } from './processes.ts';

test('processes together: rates add up, times are of a request, and the database worked for all of them', () => {
  const one = { requests: 100, perSecond: 50, cpuUs: 300, databaseCpuUs: 400 };
  const other = { requests: 300, perSecond: 150, cpuUs: 100, databaseCpuUs: 400 / 3 };
  const { perSecond, cpuUs, databaseCpuUs } = together([one, other]);
  expect(perSecond).toBe(200);
  expect(cpuUs).toBe(150);
  // 40 ms for 400 requests.
  expect(databaseCpuUs).toBeCloseTo(100);
  expect(together([one]).databaseCpuUs).toBe(400);
  expect(together([{ ...one, databaseCpuUs: undefined }]).databaseCpuUs).toBeNaN();
});
