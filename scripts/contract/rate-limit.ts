/** The rate limit of a key is data of the contract; whatever says it in words must say the same. */
import type { Finding } from './finding.ts';
import { type Contract, entriesOf, type Json, nodesIn } from './read.ts';

/** A bucket of `burst` tokens, refilled by `perSecond` tokens a second. */
interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** The limit that the contract states, or undefined if it states none in whole numbers. */
export function rateLimitOf(contract: Contract): RateLimit | undefined {
  const { requests_per_second: perSecond, burst } = Object(
    contract.components.securitySchemes.ApiKey?.['x-rate-limit'],
  );
  const isWhole = (value: Json | undefined): value is number => Number.isInteger(value) && Number(value) > 0;
  // The window of RateLimit-Policy is given in whole seconds.
  return isWhole(perSecond) && isWhole(burst) && burst % perSecond === 0 ? { perSecond, burst } : undefined;
}

/** Ways to say the limit, and the numbers that each must name. */
const SAYINGS: readonly (readonly [RegExp, (limit: RateLimit) => readonly number[]])[] = [
  [/(?:may (?:make|send)|limit of|has) (\d+) (?:requests )?a\s+second/g, ({ perSecond }) => [perSecond]],
  [/bursts of (\d+)/g, ({ burst }) => [burst]],
  [/bucket(?: of|:) (\d+)/g, ({ burst }) => [burst]],
  [/refilled\s+(?:continuously )?at (\d+)/g, ({ perSecond }) => [perSecond]],
  [/one every (\d+) ms, burst (\d+)/g, ({ perSecond, burst }) => [1000 / perSecond, burst]],
  [/(\d+) requests in (\d+) seconds/g, ({ perSecond, burst }) => [burst, burst / perSecond]],
  [/q=(\d+);w=(\d+)/g, ({ perSecond, burst }) => [burst, burst / perSecond]],
  [/\b(\d+) \+ (\d+)·t requests/g, ({ perSecond, burst }) => [burst, perSecond]],
];

/** The phrases of a text that state another limit than this one. */
export function otherLimits(text: string, limit: RateLimit): string[] {
  return SAYINGS.flatMap(([form, numbersOf]) =>
    [...text.matchAll(form)]
      .filter(([, ...numbers]) => numbers.map(Number).join() !== numbersOf(limit).join())
      .map(([phrase]) => phrase),
  );
}

/** The security scheme states the limit, and no text of the contract states another one. */
export function rateLimit(contract: Contract): Finding[] {
  const limit = rateLimitOf(contract);
  if (limit === undefined) {
    const message =
      'ApiKey does not state the limit. Write x-rate-limit: {requests_per_second: 10, burst: 20}, burst a multiple of the rate.';
    return [{ place: ['components', 'securitySchemes', 'ApiKey'], message }];
  }
  // What the source description says is its own.
  return [...nodesIn(contract, (key) => key === 'source')].flatMap(([node, place]) =>
    entriesOf<Json>(node).flatMap(([key, text]) =>
      otherLimits(typeof text === 'string' ? text : '', limit).map((phrase) => ({
        place: [...place, key],
        message: `"${phrase}" is not the limit of x-rate-limit. Correct one of them.`,
      })),
    ),
  );
}
