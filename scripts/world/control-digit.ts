/** The control digit of a Kazakh identification number (IIN): by it, an invented number is told from one that a person may have. */

const FIRST = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const SECOND = [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2];

function weigh(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits.charAt(i)), 0) % 11;
}

/** The control digit for the first eleven digits, or null if these digits have none. */
export function controlDigit(digits: string): number | null {
  const first = weigh(digits, FIRST);
  const control = first === 10 ? weigh(digits, SECOND) : first;
  return control === 10 ? null : control;
}
