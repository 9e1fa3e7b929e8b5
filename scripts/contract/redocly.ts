import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RunningProgram } from '../kit/program.ts';

/** The repository's root, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLI = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/** Whether Redocly is installed: it is a development package. */
export const hasRedocly = (): boolean => existsSync(CLI);

/**
 * Runs Redocly with the repository's configuration, without telemetry and without looking for a newer version.
 * @param show true prints the output as it arrives; otherwise the output is only collected.
 * @returns its output, and its log: progress, and why it failed
 */
export async function redocly(args: readonly string[], show = false) {
  const program = new RunningProgram([process.execPath, CLI, ...args], {
    name: 'Redocly',
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      ...(show && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    },
    onOutput: (text, from) => show && process[from].write(text),
  });
  const code = await program.ended;
  return { code, output: program.stdout, log: program.stderr };
}
