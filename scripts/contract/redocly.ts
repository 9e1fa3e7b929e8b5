import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's root, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLI = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/** The result of a run of Redocly's command line. */
export interface Run {
  code: number;
  /** What it wrote to the standard output. */
  output: string;
  /** What it wrote to the standard error: progress, and why it failed. */
  log: string;
}

/**
 * Runs Redocly with the repository's configuration, without telemetry and without looking for a newer version.
 * @param show true prints the output as it arrives; otherwise the output is only collected.
 */
export function redocly(args: readonly string[], show = false): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        ...(show && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const run: Run = { code: 1, output: '', log: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      run.output += text;
      if (show) process.stdout.write(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      run.log += text;
      if (show) process.stderr.write(text);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...run, code: code ?? 1 }));
  });
}
