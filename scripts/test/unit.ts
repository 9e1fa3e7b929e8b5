/** The unit tests, which stand beside what they test. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { nodeScript, type Outcome, run, type Say, type Step } from './run.ts';

/** What these hold of a process, its sockets and its files is the same on any database. */
const ANY_DATABASE = ['handlers/main', 'handlers/runtime/(hostile|protocol)', 'handlers/runtime/storage/[^/]+'];

/** Jest's arguments for the tests that touch the store: those that import what starts their database, by whatever way. */
export const STORE_TESTS: readonly string[] = [
  '--findRelatedTests',
  'handlers/runtime/testing/database.ts',
  '--testPathIgnorePatterns',
  '/node_modules/',
  ...ANY_DATABASE.map((path) => `/${path}\\.test\\.ts$`),
];

/** Runs Jest over every `*.test.ts` and counts its tests. */
export function unitTests(root: string, scratch: string): Step {
  return {
    name: 'unit',
    about: 'unit tests (Jest)',
    cores: 2,
    isPatient: true,
    run: ({ say }) => runJest(root, { report: join(scratch, 'unit.json'), say }),
  };
}

interface JestRun {
  /** The file in which it counts. */
  readonly report: string;
  readonly say: Say;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs Jest on what others leave of the processors. */
export async function runJest(root: string, { report, say, args = [], env }: JestRun): Promise<Outcome> {
  const options = '--experimental-vm-modules --disable-warning=ExperimentalWarning';
  const code = await run(
    nodeScript('node_modules/jest/bin/jest.js', '--json', '--outputFile', report, '--silent', ...args),
    { cwd: root, env: { NODE_OPTIONS: options, ...env }, hear: say, isPatient: true },
  );
  if (!existsSync(report)) return { passed: 0, failures: [`Jest ended with ${code} and left no report`] };
  const { numPassedTests, testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  const failures = testResults.flatMap((file) => failuresOf(file, relative(root, file.name)));
  if (failures.length === 0 && code !== 0) failures.push(`Jest ended with ${code}, though no test failed`);
  return { passed: numPassedTests, failures };
}

/** A file of tests in Jest's report. */
interface TestFile {
  readonly name: string;
  readonly status: string;
  /** Why, where the file could not be run. */
  readonly message: string;
  readonly assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly TestFile[];
}

function failuresOf({ status, message, assertionResults }: TestFile, path: string): string[] {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [`${path}\n${message}`];
  return failed.map(({ fullName, failureMessages }) => `${path}: ${fullName}\n${failureMessages.join('\n')}`);
}
