/** Whether rendered docs are made from what is there now. */
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../redocly.ts';

/** Where the docs are written by default. They are made from the contract, so they are not under version control. */
export const DOCS_PATH = join(ROOT, '.data/docs/index.html');

/** What the docs are made from, beside the contract: too much rather than too little. */
const SOURCES = [
  'conformance/report/*',
  'conformance/rules/**/*.*',
  'conformance/statements.yaml',
  'docs/guide/*',
  'scripts/contract/**/*.*',
  'CHANGELOG.md',
  'package-lock.json',
  'package.json',
  'redocly.yaml',
];

/** An element that names the sources of a page by their digest. A source that is not there counts as empty. */
export async function markOfSources(contractPath: string): Promise<string> {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts'] }).sort();
  const hash = createHash('sha256');
  for (const path of [contractPath, ...files.map((file) => join(ROOT, file))]) {
    hash.update(path).update(await readFile(path).catch(() => ''));
  }
  return `<meta name="sources" content="${hash.digest('hex')}">`;
}

/** Whether the page exists and was made from these sources. */
export async function isFresh(contractPath: string, outPath: string): Promise<boolean> {
  const page = await readFile(outPath, 'utf8').catch(() => '');
  return page.includes(await markOfSources(contractPath));
}
