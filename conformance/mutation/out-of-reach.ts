/** Rules for which no fault is planted, and why. */
import type { OutOfReach } from './fault.ts';

const because = (reason: string, ...rules: readonly string[]): OutOfReach[] => rules.map((rule) => ({ rule, reason }));

export const outOfReach: readonly OutOfReach[] = [
  ...because('it judges the published description, a file of the suite, and no answer of a target', 'VER-2'),
  ...because(
    'every owner in the tenant for these faults sees all categories, so no token of them can widen rights',
    'PAGE-listDocumentCategories.of-another-owner',
  ),
];
