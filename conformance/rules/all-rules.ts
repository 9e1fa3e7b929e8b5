/** All rules: every `*.rules.ts` of this folder is read (`*.rules.js` of the package), so there is no list to keep. */
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { declaredRules, type Rule, SECTIONS } from './rule.ts';

export const rulesDirectory = import.meta.dirname;

/** Rules with a number come in its order; those that are named after what they are about follow, as they are declared. */
const place = ({ section, id }: Rule): number => {
  const number = Number(id.slice(section.length + 1));
  return (SECTIONS as readonly string[]).indexOf(section) * 10_000 + (Number.isNaN(number) ? 9_999 : number);
};

const RULES = `.rules${extname(import.meta.filename)}`;
const fileOf = new Map<string, string>();
for (const file of readdirSync(rulesDirectory).filter((name) => name.endsWith(RULES))) {
  const known = declaredRules.length;
  await import(join(rulesDirectory, file));
  for (const { id } of declaredRules.slice(known)) fileOf.set(id, file);
}

/** In the order of reports. */
export const rules: readonly Rule[] = declaredRules.toSorted((a, b) => place(a) - place(b));

const byId = new Map<string, Rule>();
for (const rule of rules) for (const id of rule.replaces ?? []) byId.set(id, rule);
for (const rule of rules) byId.set(rule.id, rule);

/** The rule of this id, or the one that took the place of a rule of an earlier release that had it. */
export const ruleOf = (id: string): Rule | undefined => byId.get(id);

/** The file that holds a rule, or undefined if no rule has this id. */
export const fileOfRule = (id: string): string | undefined => fileOf.get(id);
