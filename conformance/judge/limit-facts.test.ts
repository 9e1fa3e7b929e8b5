import { expect, test } from '@jest/globals';
import { indistinguishable, limitFactsOf, type MeasuredLimit } from './limit-facts.ts';

const measured = (tokens: number, p95Ms: number, is_probe = false, requests = 40): MeasuredLimit => ({
  is_probe,
  requests,
  sharpness: { medianMs: 12.345, p95Ms, tokens },
});

test('the resolution of a run is that of its probe, or else the coarsest of its rules', () => {
  const rules = [measured(1, 20), measured(4, 330), measured(2, 140)];
  expect(limitFactsOf('light', [])).toBeUndefined();
  expect(limitFactsOf('light', rules)).toEqual({
    probe: 'light',
    requests: 120,
    round_trip_ms: { median: 12.3, p95: 330 },
    resolution_tokens: 4,
    not_told_apart: 'a bucket of 17 to 23 tokens cannot be distinguished from one of 20',
  });
  expect(limitFactsOf('full', [...rules, measured(1, 30.06, true, 447)])).toEqual({
    probe: 'full',
    requests: 567,
    round_trip_ms: { median: 12.3, p95: 30.1 },
    resolution_tokens: 1,
    not_told_apart: '',
  });
});

test('at a resolution of one token every wrong limit is found', () => {
  expect([1, 2, 25].map(indistinguishable)).toEqual([
    '',
    'a bucket of 19 to 21 tokens cannot be distinguished from one of 20',
    'a bucket of 0 to 44 tokens cannot be distinguished from one of 20',
  ]);
});
