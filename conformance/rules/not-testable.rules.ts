/** Promises that no black box can test; they stay visible, with the reason. */
import { rule } from './rule.ts';

const NOT_TESTABLE = [
  ['Permissions are computed on every request.', 'internal; what can be seen of it is SCOPE-24'],
  [
    'A key’s secret is shown once, and lists show its prefix.',
    'belongs to the settings, which are no part of the interface',
  ],
  ['Receivers deduplicate and reject old signatures.', 'binds clients, not the service'],
  ['Transitions between employee statuses.', 'the source does not say which exist'],
  ['The owner sees exactly what an interactive session shows.', 'needs the web application'],
  ['A slug binds an external person to an identity.', 'belongs to another product'],
  [
    'A new release removes, renames and tightens nothing of the last one (VER-5).',
    'compares two descriptions, not a running instance; `npm run contract:breaking` does it, and the checks run it',
  ],
] as const;

for (const [nth, [text, why]] of NOT_TESTABLE.entries())
  rule({ id: `X-${nth + 1}`, family: 'not testable', text, place: 'description', check: why });
