/** Which names of the contract the rules of the suite leave out. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './redocly.ts';

/** The names that no rule of the suite has, although each should have one. */
export function unruled(names: readonly string[]): string[] {
  const files = globSync('conformance/rules/*.rules.ts', { cwd: ROOT });
  const rules = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  return names.filter((name) => !rules.includes(`'${name}'`));
}
