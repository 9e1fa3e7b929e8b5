/** All rules: every `*.rules.ts` of this folder is read (`*.rules.js` of the package), so there is no list to keep. */
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { declaredRules, type Rule, SECTIONS } from './rule.ts';

export const rulesDirectory = import.meta.dirname;

const place = ({ section, id }: Rule): number =>
  (SECTIONS as readonly string[]).indexOf(section) * 10_000 + Number(id.slice(section.length + 1));

const RULES = `.rules${extname(import.meta.filename)}`;
const fileOf = new Map<string, string>();
for (const file of readdirSync(rulesDirectory).filter((name) => name.endsWith(RULES))) {
  const known = declaredRules.length;
  await import(join(rulesDirectory, file));
  for (const { id } of declaredRules.slice(known)) fileOf.set(id, file);
}

/** In the order of reports. */
export const rules: readonly Rule[] = declaredRules.toSorted((a, b) => place(a) - place(b));

/** The file that holds a rule, or undefined if no rule has this id. */
export const fileOfRule = (id: string): string | undefined => fileOf.get(id);
