import { afterEach, expect, jest, test } from '@jest/globals';
import { runWith } from '../testing/small-target.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test('permits that come late because this process stood still are spread over time again', async () => {
  const real = performance.now.bind(performance);
  let stoodStillMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => real() + stoodStillMs);
  const run = runWith({}, {});
  for (let n = 0; n < 16; n++) await run.permit(['A']);
  const began = real();
  // 125 ms lie between permits, so these two come in time after 250 ms.
  const waiting = [run.permit(['A']), run.permit(['A'])];
  stoodStillMs = 5_000;
  await Promise.all(waiting);
  expect(real() - began).toBeGreaterThanOrEqual(360);
  await run.close();
});
