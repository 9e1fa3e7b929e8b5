/** Finds the name that somebody meant who wrote another one. */

/**
 * The known name that is nearest to an unknown one, whatever the case of letters; the first of several.
 * @param most how many letters may be wrong, missing or extra @returns undefined if no known name is that near
 */
export function nearestName(name: string, known: Iterable<string>, most: number): string | undefined {
  let best: string | undefined;
  let least = most + 1;
  for (const one of known) {
    if (Math.abs(one.length - name.length) >= least) continue;
    const far = distance(name.toLowerCase(), one.toLowerCase());
    if (far < least) [best, least] = [one, far];
  }
  return best;
}

/** How many letters must be inserted, removed or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const exchanged = (row[j] as number) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
