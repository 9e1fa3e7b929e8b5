/** The shell blocks of a page that a check runs as they are written: those after a line `<!-- MARKER: NAME KIND -->`. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { saidBy } from './run-program.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export interface PageBlock {
  readonly name: string;
  /** What the check does with it; empty if the marker does not say. */
  readonly kind: string;
  readonly script: string;
}

/** The blocks in their order. @param page from the root @throws Error if the page has none */
export function pageBlocks(page: string, marker: string): PageBlock[] {
  const block = new RegExp(`<!-- ${marker}: ([\\w-]+)(?: ([\\w-]+))? -->\\n+\`\`\`sh\\n([\\s\\S]*?)\`\`\``, 'g');
  const found = [...readFileSync(resolve(ROOT, page), 'utf8').matchAll(block)];
  if (found.length === 0) throw new Error(`${page} has no block of ${marker}.`);
  return found.map(([, name = '', kind = '', script = '']) => ({ name, kind, script }));
}

/** What runs a script in one shell that stops at the first failure. */
export const shellArgv = (script: string): string[] => ['bash', '-euo', 'pipefail', '-c', script];

type Variables = Readonly<Record<string, string>>;

/** Runs a block in the root. @returns what it wrote to its outputs @throws Error with the end of that, if it fails */
export function runBlock({ name, script }: PageBlock, env: Variables): Promise<string> {
  return saidBy(`${script}The block of ${name}`, shellArgv(script), { cwd: ROOT, env });
}

/** The variables that a block sets. @param env what it may use */
export async function settingsOf(block: PageBlock, env: Variables): Promise<Record<string, string>> {
  const names = [...block.script.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name);
  const shown = names.map((name) => `printf '%s\\0' "$${name}"`).join('\n');
  const values = (await runBlock({ ...block, script: `${block.script}\n${shown}` }, env)).split('\0');
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}
