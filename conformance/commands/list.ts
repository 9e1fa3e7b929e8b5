/** `npm run conformance -- --list`. */
import { needsText } from '../engine/needs.ts';
import { selectRules } from '../engine/selection.ts';
import { rules } from '../rules/all-rules.ts';

/** Every rule with its level, text, place and needs. @throws BadSelection */
export function listed(only: readonly string[], sections: readonly string[]): string[] {
  const chosen = new Set(selectRules(only, sections));
  const all = only.length + sections.length === 0;
  const indent = ' '.repeat(17);
  const lines = rules
    .filter((rule) => chosen.has(rule) || all)
    .flatMap(({ id, level, text, place, decisions, needs, excluded }) => [
      `${id.padEnd(9)} ${level.padEnd(6)} ${text}`,
      `${indent}${place}${decisions.length > 0 ? ` · rests on ${decisions.join(', ')}` : ''} · needs ${needsText(needs)}`,
      ...(excluded === undefined ? [] : [`${indent}never run: ${excluded}`]),
    ]);
  return [...lines, `${chosen.size} rules`];
}
