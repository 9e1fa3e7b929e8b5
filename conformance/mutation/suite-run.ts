/** Runs the suite, as a user would, through a proxy that plants faults. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { nodeScript, RunningProgram } from '../../scripts/kit/program.ts';
import type { Results } from '../report/results.ts';

const SUITE = join(import.meta.dirname, '../main.ts');
const KEPT_OUTPUT = 4_000;

export interface SuiteRun {
  exitCode: number | string;
  results: Results | undefined;
  /** The end of its output, to explain a failure. */
  said: string;
}

/**
 * @param env overrides of the profile, e.g. `CONF_BASE_URL`
 * @param suite the program of another copy of the suite
 */
export async function runSuite(
  profile: string,
  selection: { only?: readonly string[]; section?: readonly string[] },
  env: Readonly<Record<string, string>>,
  suite = SUITE,
): Promise<SuiteRun> {
  const out = mkdtempSync(join(tmpdir(), 'mutation-'));
  try {
    const args = ['--profile', resolve(profile), '--out', out];
    if (selection.only) args.push('--only', selection.only.join(','));
    if (selection.section) args.push('--section', selection.section.join(','));
    const child = new RunningProgram(nodeScript(suite, ...args), {
      name: 'The suite',
      cwd: join(suite, '../..'),
      env: { ...process.env, ...env },
      keptOutput: KEPT_OUTPUT,
    });
    const exitCode = await child.ended;
    const file = join(out, 'results.json');
    const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
    return { exitCode, results, said: `${child.stdout}${child.stderr}` };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
