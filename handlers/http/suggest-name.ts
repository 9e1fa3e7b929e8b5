/** Suggests the name that a caller may have meant by an unknown one: most unknown names are slips of the pen. */

/** The most wrong, missing or extra letters: as a number, and as a share of the name's length. */
const MOST = 3;
const SHARE = 0.4;

/**
 * Suggests the known name that is nearest to an unknown one. Letter case makes no difference.
 * @returns the end of a sentence that reports the unknown name; `''` if no known name is near
 */
export function suggestionFor(name: string, known: Iterable<string>): string {
  let best = '';
  let least = Math.min(MOST, Math.floor(name.length * SHARE)) + 1;
  for (const one of known) {
    if (Math.abs(one.length - name.length) >= least) continue;
    const far = distance(name.toLowerCase(), one.toLowerCase());
    if (far < least) [best, least] = [one, far];
  }
  return best === '' ? '' : `; is ${best} meant?`;
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
