/** Whether rendered docs are made from what is there now. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../redocly.ts';

/** What the docs are made from, beside the contract: too much rather than too little. */
const FOLDERS = ['docs/guide', 'scripts/contract'];
const FILES = ['CHANGELOG.md', 'package-lock.json', 'package.json', 'redocly.yaml'];

/** An element that names the sources of a page by their digest. A source that is not there counts as empty. */
export async function markOfSources(contractPath: string): Promise<string> {
  const within = await Promise.all(FOLDERS.map((folder) => filesIn(join(ROOT, folder))));
  const paths = [contractPath, ...FILES.map((file) => join(ROOT, file)), ...within.flat().sort()];
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(await readFile(path).catch(() => ''));
  return `<meta name="sources" content="${hash.digest('hex')}">`;
}

/** Whether the page exists and was made from these sources. */
export async function isFresh(contractPath: string, outPath: string): Promise<boolean> {
  const page = await readFile(outPath, 'utf8').catch(() => '');
  return page !== '' && page.includes(await markOfSources(contractPath));
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
