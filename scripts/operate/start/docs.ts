/** The rendered contract for /docs. It is made if it is missing or its sources have changed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DOCS_PATH, isFresh } from '../../contract/docs/sources.ts';
import { hasRedocly } from '../../contract/redocly.ts';
import { ROOT } from '../suite/profile.ts';

/** @param say called before slow work, and with a reason @returns the file; null: the service runs without it */
export async function ensureDocs(say: (text: string) => void): Promise<string | null> {
  const contract = path.join(ROOT, 'openapi.yaml');
  if (await isFresh(contract, DOCS_PATH)) return DOCS_PATH;
  if (!hasRedocly()) {
    say('The docs are not rendered, because Redocly, a development package, is not installed.');
  } else {
    say('Rendering the docs …');
    // It loads every rule of the suite.
    await import('../../contract/docs/main.ts')
      .then(({ buildDocs }) => buildDocs(contract, DOCS_PATH))
      .catch((error: Error) => say(`The docs could not be rendered: ${error.message}`));
  }
  return existsSync(DOCS_PATH) ? DOCS_PATH : null;
}
