/** The places that a tenant has for endpoints: a unique index over them makes the limit exact (D-24). */

/** How many endpoints a tenant may have. */
export const MAX_ENDPOINTS = 50;

/**
 * A random free place; undefined if there is none. Random, since simultaneous creations would all try the first one.
 * @param random from 0 to below 1
 */
export function freeSlot(taken: Iterable<number>, random: number): number | undefined {
  const used = new Set(taken);
  const free = Array.from({ length: MAX_ENDPOINTS }, (_, slot) => slot).filter((slot) => !used.has(slot));
  return free[Math.floor(random * free.length)];
}
