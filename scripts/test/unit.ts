/** The unit tests, which stand beside what they test. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeScript, type Outcome, run, type Step } from './run.ts';

/** Runs Jest over every `*.test.ts` and counts its tests. */
export function unitTests(root: string, scratch: string): Step {
  return {
    name: 'unit',
    about: 'unit tests (Jest)',
    run: () => runJest(root, join(scratch, 'unit.json'), [], {}),
  };
}

/** Runs Jest. @param report where it writes what it counted */
export async function runJest(
  root: string,
  report: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const code = await run(
    nodeScript('node_modules/jest/bin/jest.js', '--json', '--outputFile', report, '--silent', ...args),
    { cwd: root, env: { NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning', ...env } },
  );
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = numFailedTests === 0 && code !== 0 ? 1 : numFailedTests;
  return { passed: numPassedTests, failed };
}
