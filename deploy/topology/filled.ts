/** The files of `deploy/` that operators use too, with the words of one deployment in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const DEPLOY = join(import.meta.dirname, '..');

/**
 * The text of a file of `deploy/` with each `${NAME}` filled in, as envsubst does it.
 * @throws Error for a name without a value
 */
export function filledFile(file: string, values: Readonly<Record<string, string>>): string {
  return readFileSync(join(DEPLOY, file), 'utf8').replaceAll(/\$\{([A-Z0-9_]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${file}: there is no ${name}`);
    return value;
  });
}
