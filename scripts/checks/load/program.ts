/** Finds the k6 that runs the scenarios. */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { type FoundTool, goTool } from '../../testbed/go-tool.ts';

const OLDEST = 2;
const root = resolve(import.meta.dirname, '../../..');

/** The version in k6's own text, such as `k6 v2.2.0 (go1.26, linux/amd64)`, in two words. */
export function versionIn(output: string): { readonly text: string; readonly major: number } {
  const [version = '', major = '0'] = /\bv(\d+)\.[\w.-]+/.exec(output) ?? [];
  return { text: `k6 ${version}`.trim(), major: Number(major) };
}

/** @returns its version, in two words */
export function k6Version(path: string): { readonly text: string; readonly major: number } {
  return versionIn(execFileSync(path, ['version'], { encoding: 'utf8' }));
}

/** The k6 on the PATH, or the pinned one, built once. @param say is called before something slow */
export async function findK6(say: (text: string) => void): Promise<FoundTool> {
  const found = await goTool(join(root, 'scripts/checks/test/k6'), say);
  if ('missing' in found) return found;
  const { text, major } = k6Version(found.path);
  // Older versions do not know TypeScript, or write a different summary.
  return major >= OLDEST ? found : { missing: `${found.path} is ${text}, and the scenarios need k6 ${OLDEST}` };
}
