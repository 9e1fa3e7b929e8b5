/** Runs the suite, as a user would, through a proxy that plants faults. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Results } from '../report/results.ts';

const suite = join(import.meta.dirname, '../main.ts');

export interface SuiteRun {
  exitCode: number;
  results: Results | undefined;
  /** The end of its output, to explain a failure. */
  said: string;
}

/** @param env overrides of the profile, e.g. `CONF_BASE_URL` */
export async function runSuite(
  profile: string,
  selection: { only?: readonly string[]; section?: readonly string[] },
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void = () => {},
): Promise<SuiteRun> {
  const out = mkdtempSync(join(tmpdir(), 'mutation-'));
  try {
    const args = [suite, '--profile', profile, '--out', out];
    if (selection.only) args.push('--only', selection.only.join(','));
    if (selection.section) args.push('--section', selection.section.join(','));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = () => child.kill('SIGTERM');
    process.once('exit', stop);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => {
        for (const line of part.toString('utf8').split('\n')) if (/^\[ *\d+\/\d+\]/.test(line)) onLine(line);
        said = (said + part.toString('utf8')).slice(-4000);
      });
    }
    const exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
    process.off('exit', stop);
    const file = join(out, 'results.json');
    const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : undefined;
    return { exitCode, results, said };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
