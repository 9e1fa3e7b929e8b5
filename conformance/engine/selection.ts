/** Which rules run. */
import { rules } from '../rules/all-rules.ts';
import type { Rule } from '../rules/rule.ts';

/** The command line asks for something that does not exist. */
export class BadSelection extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadSelection';
  }
}

/**
 * The rules that a run covers, in the order of reports.
 * @throws BadSelection naming what is unknown
 */
export function selectRules(only: readonly string[], sections: readonly string[]): Rule[] {
  const unknown = only.filter((id) => !rules.some((rule) => rule.id === id));
  const strange = sections.filter((name) => !rules.some((rule) => rule.section === name));
  if (unknown.length > 0) throw new BadSelection(`unknown rule ${unknown.join(', ')}; --list shows all`);
  if (strange.length > 0) throw new BadSelection(`unknown section ${strange.join(', ')}; --list shows all`);
  const all = only.length === 0 && sections.length === 0;
  return rules.filter((rule) => {
    if (rule.excluded !== undefined) return false;
    return all || only.includes(rule.id) || sections.includes(rule.section);
  });
}
