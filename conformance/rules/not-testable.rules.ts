/** Promises that no black box can test; they stay visible, with the reason. */
import { rule } from './rule.ts';

rule({
  id: 'X-1',
  level: 'MUST',
  text: 'Permissions are computed on every request.',
  place: 'description',
  excluded: 'internal; what can be seen of it is SCOPE-24',
});

rule({
  id: 'X-2',
  level: 'MUST',
  text: 'A key’s secret is shown once, and lists show its prefix.',
  place: 'description',
  excluded: 'belongs to the settings, which are no part of the interface',
});

rule({
  id: 'X-3',
  level: 'MUST',
  text: 'Receivers deduplicate and reject old signatures.',
  place: 'description',
  excluded: 'binds clients, not the service',
});

rule({
  id: 'X-4',
  level: 'MUST',
  text: 'Transitions between employee statuses.',
  place: 'description',
  excluded: 'the source does not say which exist',
});

rule({
  id: 'X-5',
  level: 'MUST',
  text: 'The owner sees exactly what an interactive session shows.',
  place: 'description',
  excluded: 'needs the web application',
});

rule({
  id: 'X-6',
  level: 'MUST',
  text: 'A slug binds an external person to an identity.',
  place: 'description',
  excluded: 'belongs to another product',
});

rule({
  id: 'X-7',
  level: 'MUST',
  text: 'A new release removes, renames and tightens nothing of the last one (VER-5).',
  place: 'description',
  excluded:
    'compares two descriptions, not a running instance; `npm run contract:breaking` does it, and the checks run it',
});
