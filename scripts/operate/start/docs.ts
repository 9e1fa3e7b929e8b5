/** The rendered contract for /docs. It is made if it is missing or older than the contract. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { buildDocs, DOCS_PATH } from '../../contract/docs/main.ts';
import { hasRedocly } from '../../contract/redocly.ts';
import { ROOT } from './conformance.ts';

/** Whether the file exists and is not older than its source. */
export function isFresh(made: string, source: string): boolean {
  return existsSync(made) && statSync(made).mtimeMs >= statSync(source).mtimeMs;
}

/** @param say called before slow work, and with a reason @returns the file; null: the service runs without it */
export async function ensureDocs(say: (text: string) => void): Promise<string | null> {
  const contract = path.join(ROOT, 'openapi.yaml');
  if (isFresh(DOCS_PATH, contract)) return DOCS_PATH;
  if (!hasRedocly()) {
    say('The docs are not rendered, because Redocly, a development package, is not installed.');
    return existsSync(DOCS_PATH) ? DOCS_PATH : null;
  }
  say('Rendering the docs …');
  try {
    await buildDocs(contract, DOCS_PATH);
  } catch (error) {
    say(`The docs could not be rendered: ${(error as Error).message}`);
  }
  return existsSync(DOCS_PATH) ? DOCS_PATH : null;
}
