/** Rules for which no fault is planted, and why. */
import type { OutOfReach } from './fault.ts';

const because = (reason: string, ...rules: readonly string[]): OutOfReach[] => rules.map((rule) => ({ rule, reason }));

export const outOfReach: readonly OutOfReach[] = [
  ...because('they judge the published description, a file of the suite, and no answer of a target', 'VER-2', 'VER-4'),
];
