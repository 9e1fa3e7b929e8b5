import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rateLimit } from '../../generated/contract.ts';
import { Pacer } from './pacer.ts';

// A fixed seed gives the same examples each time: a failure comes from the change, not from a rare example.
fc.configureGlobal({ seed: 20_260_302 });

describe('the pacer', () => {
  test('never lets a key come near the limit, no matter how requests arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 }), (gaps) => {
        const pacer = new Pacer(100);
        let now = 0;
        const sent: number[] = [];
        for (const gap of gaps) {
          now += gap;
          sent.push(now + pacer.reserve('K', now));
        }
        // The target's own bucket, fed with the times of sending, always has a token left.
        let tokens: number = rateLimit.burst;
        let at = 0;
        for (const time of sent) {
          tokens = Math.min(rateLimit.burst, tokens + ((time - at) * rateLimit.perSecond) / 1000) - 1;
          at = time;
          if (tokens < 0) return false;
        }
        return true;
      }),
    );
  });

  test('chooses the one of several equivalent keys that has the most room', () => {
    const pacer = new Pacer(100);
    pacer.reserve('A', 0);
    expect(pacer.freest(['A', 'B'], 0)).toBe('B');
    pacer.reserve('B', 0);
    pacer.reserve('B', 0);
    expect(pacer.freest(['A', 'B'], 0)).toBe('A');
  });

  test('sends a burst of 16 with each key at once, then one each eighth of a second, as after draining', () => {
    const pacer = new Pacer(0);
    for (let n = 0; n < 16; n++) expect(pacer.reserve('A', 0)).toBe(0);
    expect(pacer.reserve('A', 0)).toBeCloseTo(125);
    expect(pacer.reserve('A', 0)).toBeCloseTo(250);
    expect(pacer.reserve('B', 0)).toBe(0);
    pacer.drainAll(0);
    expect(pacer.reserve('C', 0)).toBe(0);
    expect(pacer.reserve('B', 0)).toBeCloseTo(125);
  });
});
