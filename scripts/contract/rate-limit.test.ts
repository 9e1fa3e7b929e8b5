import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { rateLimit } from '../../generated/contract.ts';
import { projectFiles } from '../kit/project-copy.ts';
import { otherLimits } from './rate-limit.ts';
import { ROOT } from './redocly.ts';

describe('texts that state the limit', () => {
  test.each([
    'A key may make 9 requests a second.',
    'the limit of 10 requests a second with bursts of 30',
    'a bucket of 15 tokens',
    'refilled continuously at 20 per second',
    'one every 90 ms, burst 20',
    '"key";q=20;w=1',
    '15 + 10·t requests',
  ])('%s: is not the limit of 10 and 20', (text) => {
    expect(otherLimits(text, { perSecond: 10, burst: 20 })).toHaveLength(1);
  });

  test('the limit itself, and other numbers, are no fault', () => {
    const text = 'A key has 10 requests a second, bursts of 20: one every 100 ms, burst 20. 200 creations a second.';
    expect(otherLimits(text, { perSecond: 10, burst: 20 })).toEqual([]);
  });

  test('pages and the example profile agree with the contract', () => {
    const wrong = projectFiles(ROOT, '*.md', 'conformance/*.yaml').flatMap((file) =>
      otherLimits(readFileSync(join(ROOT, file), 'utf8'), rateLimit).map((one) => `${file}: ${one}`),
    );
    expect(wrong).toEqual([]);
  });
});
