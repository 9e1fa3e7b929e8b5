/** The unit tests. Each is next to the code that it tests. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { nodeScript } from '../../kit/program.ts';
import { run, saidBy } from '../../kit/run-program.ts';
import type { Outcome, Say, Step } from './run.ts';

const JEST = 'node_modules/jest/bin/jest.js';

/** Paths whose tests these runs leave out. They repeat `jest.config.js`, because the argument replaces that setting. */
const LEFT_ALONE = [
  '/client/testing/',
  '/s3-server\\.long\\.test\\.ts$',
  '/breaking\\.long\\.test\\.ts$',
  '/node_modules/',
  '/.scratch/',
  '/.data/',
];

const tests = (path: string) => `/${path}(\\.long)?\\.test\\.ts$`;

/**
 * Tests about a process, its sockets, its files and the order of its writes: their results are the same on any
 * database.
 */
const ANY_DATABASE = [
  'handlers/main',
  'handlers/ingest/apply/crash',
  'handlers/http/(hostile|protocol)',
  'handlers/storage/[^/]+',
];

/** Tests whose results depend on the engine, so they run on the embedded database and on a real one. */
const EACH_ENGINE = [
  'handlers/data/(bulk|engine|steady-read|list-read)',
  'handlers/http/(rate|failed-keys)',
  'handlers/jobs/scheduler',
  'handlers/prepare-store',
  'scripts/lab/plans/queries',
];

const without = (patterns: readonly string[]) => ['--testPathIgnorePatterns', ...LEFT_ALONE, ...patterns];

/**
 * On the processors that the steps which judge by time leave free. The tests of both databases and one step that only
 * reads files run side by side on two cores: the tests often wait.
 */
export const UNIT_DEMAND = { cores: 0.8, isPatient: true } as const;

/**
 * Jest's arguments for the tests that touch the store: all that import, directly or not, the code that starts their
 * database.
 */
export const STORE_TESTS: readonly string[] = [
  '--findRelatedTests',
  'scripts/world/database.ts',
  ...without(ANY_DATABASE.map(tests)),
];

/** Files that need much processor time: `NAME.long.test.ts`. */
const LONG = '\\.long\\.test\\.ts$';

interface UnitChoice {
  /** Whether the long files run, too. */
  readonly isAll: boolean;
  /**
   * Whether the tests that touch the store also run on a real database. If so, of these only the tests that depend on
   * the engine run here.
   */
  hasReal(): Promise<boolean>;
}

/** Runs Jest over every `*.test.ts`, or over those that are not long, and counts the tests. */
export function unitTests(root: string, scratch: string, { isAll, hasReal }: UnitChoice): Step {
  return {
    name: 'unit',
    about: 'unit tests (Jest); those that use the store on one database, or on both if the engine matters',
    isQuick: true,
    ...UNIT_DEMAND,
    async run({ say, niceness }) {
      const args = without([...(isAll ? [] : [LONG]), ...((await hasReal()) ? await onRealOnly(root) : [])]);
      return runJest(root, { report: join(scratch, 'unit'), say, args, niceness });
    },
  };
}

/** The patterns of the tests that need to pass only on a real database. */
async function onRealOnly(root: string): Promise<string[]> {
  const argv = nodeScript(JEST, '--listTests', ...STORE_TESTS);
  const listed = await saidBy('the list of the tests', argv, { cwd: root });
  const each = new RegExp(EACH_ENGINE.map(tests).join('|'));
  const files = listed.split('\n').filter((line) => line.startsWith(root) && !each.test(line));
  return files.map((file) => `${relative(root, file).replaceAll('.', '\\.')}$`);
}

interface JestRun {
  /** The path of the report file, without its ending. */
  readonly report: string;
  readonly say: Say;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly niceness?: number;
}

export async function runJest(root: string, { report: name, say, args, env, niceness = 0 }: JestRun): Promise<Outcome> {
  const report = `${name}.json`;
  const code = await run(nodeScript(JEST, '--json', '--outputFile', report, '--silent', ...args), {
    cwd: root,
    // Modules that are loaded for one test file would fill the compile cache. `jest/runtime.ts` undoes this for
    // children.
    env: { NODE_OPTIONS: '--disable-warning=ExperimentalWarning', NODE_DISABLE_COMPILE_CACHE: '1', ...env },
    hear: say,
    niceness,
  });
  if (!existsSync(report)) return { passed: 0, failures: [`Jest ended with ${code} and left no report`] };
  const { numPassedTests, testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  const failures = testResults.flatMap((file) => failuresOf(file, relative(root, file.name)));
  if (failures.length === 0 && code !== 0) failures.push(`Jest ended with ${code}, though no test failed`);
  const skipped = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title }) => title));
  return { passed: numPassedTests, failures, notRun: skipped.filter((title) => title.startsWith(DID_NOT_RUN)) };
}

/** How the title of a test begins that is skipped because a program is not there. */
const DID_NOT_RUN = 'DID NOT RUN';

/** One test file in Jest's report. */
interface TestFile {
  readonly name: string;
  readonly status: string;
  /** Why the file could not be run, if so. */
  readonly message: string;
  readonly assertionResults: readonly {
    status: string;
    title: string;
    fullName: string;
    failureMessages: readonly string[];
  }[];
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
