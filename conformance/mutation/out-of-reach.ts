/** Rules for which no fault is planted, and why. */
import type { OutOfReach } from './fault.ts';

export const outOfReach: readonly OutOfReach[] = [
  { rule: 'VER-2', reason: 'it judges the published description, a file of the suite, and no answer of a target' },
];

/** Kinds of faults, by rule, that a rule does not promise to find although its exchanges look like it. */
export const unpromised: readonly string[] = [
  // It says that nothing is there, and not how that is said.
  'another-error-GEN-1',
  // It says of operations that they do not read the key.
  'unread-IDEM-16',
  // Documents do not show it.
  'unread-DOC-given.template_version',
];
