/** How values stand in reasons and exchanges of a report. */
import { isDeepStrictEqual } from 'node:util';

/** How many differences between two values are named. */
const NAMED = 5;

/** A text of at most `most` characters; of a longer one the beginning, and its length. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}

/** Names with the id of a run, ids, hashes and numbers, which differ from exchange to exchange. */
const VARYING = /\b[A-Z]+-\S*[0-9a-f]{8}2?-\d\S*|#?[0-9a-f-]{10,}|\d+/gi;

/** A text without what differs from exchange to exchange. */
export const unvaried = (text: string): string => text.replace(VARYING, '…');

interface Difference {
  /** Where it is, such as `steps[0].rule`; '' for the whole value. */
  at: string;
  expected: unknown;
  actual: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The smallest parts in which two values of JSON differ. Lists of different lengths differ as a whole. */
function differencesOf(actual: unknown, expected: unknown, at = ''): Difference[] {
  if (isDeepStrictEqual(actual, expected)) return [];
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
    return expected.flatMap((item, index) => differencesOf(actual[index], item, `${at}[${index}]`));
  }
  if (isObject(actual) && isObject(expected)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return names.flatMap((name) => differencesOf(actual[name], expected[name], at === '' ? name : `${at}.${name}`));
  }
  return [{ at, expected, actual }];
}

/**
 * Where two values differ, for a reason.
 * @param show a value as text without personal data; it is shortened afterwards
 */
export function differenceText(actual: unknown, expected: unknown, show: (value: unknown) => string): string {
  const all = differencesOf(actual, expected);
  const shown = (value: unknown) => shortened(show(value), 300);
  const named = all.slice(0, NAMED).map((one) => {
    const lead = one.at && `${one.at} `;
    return `${lead}expected ${shown(one.expected)}, got ${shown(one.actual)}`;
  });
  const more = all.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more differences`] : [])].join('; ');
}
