/** Which rules run, and which file holds the test of each. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from '../rules/rule.ts';
import { rules } from '../rules/table/rules.ts';

export const testsDirectory = join(import.meta.dirname, '../rules');

/** The command line asks for something that does not exist. */
export class BadSelection extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadSelection';
  }
}

/** Rule ids by test file, read from the literal `rule('ID', …)` calls. */
export function testFiles(): Map<string, string[]> {
  const files = readdirSync(testsDirectory).filter((name) => name.endsWith('.rules.ts'));
  return new Map(
    files.map((name) => {
      const text = readFileSync(join(testsDirectory, name), 'utf8');
      return [name, [...text.matchAll(/\brule\(\s*'([A-Z]+-\d+)'/g)].map((match) => match[1] ?? '')];
    }),
  );
}

/**
 * The rows that a run covers, in the order of the table.
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
