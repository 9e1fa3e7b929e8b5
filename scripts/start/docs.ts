/** Renders the contract for /docs when that is missing or older than the contract. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './conformance.ts';

const BUILDER = new URL('../contract/docs.ts', import.meta.url);

/** Whether `made` is there and no older than any of its sources. */
export function isFresh(made: string, sources: readonly string[]): boolean {
  if (!existsSync(made)) return false;
  const { mtimeMs } = statSync(made);
  return sources.every((source) => !existsSync(source) || statSync(source).mtimeMs <= mtimeMs);
}

/**
 * @param say told what takes a while
 * @returns the file to serve, or null when it cannot be rendered; the service runs without it
 */
export async function ensureDocs(dataDir: string, say: (text: string) => void): Promise<string | null> {
  const contract = path.join(ROOT, 'openapi.yaml');
  const file = path.resolve(dataDir, 'docs.html');
  if (!existsSync(contract) || !existsSync(BUILDER)) return existsSync(file) ? file : null;
  if (isFresh(file, [contract])) return file;
  say('Rendering the docs …');
  try {
    const { buildDocs } = await import(BUILDER.href);
    await buildDocs({ contractFile: contract, outFile: file });
    return file;
  } catch (error) {
    say(`The docs could not be rendered, so /docs is not served: ${(error as Error).message}`);
    return existsSync(file) ? file : null;
  }
}
