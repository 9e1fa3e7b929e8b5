/** A badge: the verdict of a whole run as a small SVG. */

import { escaped } from '../../scripts/kit/page/page.ts';
import type { Results } from './results.ts';
import { percent, verdictText } from './text.ts';

/** Dark enough for white text (contrast at least 4.5). */
const COLOURS: Readonly<Record<Results['verdict'], string>> = {
  conformant: '#1a7f37',
  not_conformant: '#c62828',
  harness_fault: '#6e40c9',
  outdated_baseline: '#9a5b00',
  incomplete: '#9a5b00',
  unfinished: '#6e40c9',
};
const CHAR = 6.6;
const PADDING = 10;
const HEIGHT = 20;

/** @returns the SVG, or undefined for a run of some rules only, or one that ended early: it says nothing of the whole */
export function badge({ whole, verdict, must, counts, unfinished }: Results): string | undefined {
  if (!whole || unfinished) return undefined;
  const label = 'conformance';
  const rest = verdict === 'incomplete' ? ` (${percent(must.exercised, must.selected)}% of MUST)` : '';
  const text = `${verdictText({ verdict, counts }).toLowerCase()}${rest}`;
  const left = Math.ceil(label.length * CHAR + 2 * PADDING);
  const right = Math.ceil(text.length * CHAR + 2 * PADDING);
  const say = (words: string, middle: number, width: number) =>
    `<text x="${middle}" y="14" textLength="${Math.round(width - 2 * PADDING)}" lengthAdjust="spacingAndGlyphs">${escaped(words)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${escaped(`${label}: ${text}`)}">`,
    `<title>${escaped(`${label}: ${text}`)}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="${HEIGHT}" fill="#454d55"/>`,
    `<rect x="${left}" width="${right}" height="${HEIGHT}" fill="${COLOURS[verdict]}"/></g>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">`,
    `${say(label, left / 2, left)}${say(text, left + right / 2, right)}</g></svg>`,
    '',
  ].join('\n');
}
