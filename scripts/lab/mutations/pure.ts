/** Stryker on modules that need no database: it makes all small changes that it knows, and runs their unit tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fetchedPackages } from '../../contract/generators/command.ts';
import { temporaryFolder } from '../../kit/leftovers.ts';
import { run } from '../../kit/run-program.ts';
import { removeFolder } from './copy.ts';

const STRYKER = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/jest-runner@9.6.1', 'typescript@6.0.3'];

interface Module {
  readonly name: string;
  readonly file: string;
  /** The unit tests that must find the changes. */
  readonly tests: readonly string[];
  /** Groups of tests that do not run, because a run would take hours with them. */
  readonly without?: readonly string[];
}

/** Below `handlers/`: modules that their own unit tests judge, as they are named there. */
const BESIDE = [
  'documents/workflow/workflow',
  'data/page',
  'access/permissions',
  'data/raw-row',
  'answers/json-bytes',
  'ingest/kedo',
  'ingest/ledger',
  'employees/write/status-by-dates',
  'webhooks/outbound/addresses',
  'http/body-fields',
  'http/json-body',
  'data/canonical-json',
  'runtime/day',
  'employees/write/person-rows',
  'employees/write/employee-rows',
  'ingest/apply/departments',
  'storage/presign',
  'answers/errors',
  'http/violations',
  'documents/workflow/route',
  'storage/aws-signature',
  'webhooks/delivery-signature',
  'employees/view',
  'documents/templates/values',
  'webhooks/outbound/url',
  'data/list',
  'ingest/apply/plan',
];

const module = (file: string, tests = [file]): Module => ({
  name: basename(file),
  file: `handlers/${file}.ts`,
  tests: tests.map((test) => `handlers/${test}.test.ts`),
});

export const modules: readonly Module[] = [
  ...BESIDE.map((file) => module(file)),
  { ...module('documents/signing/cms'), without: ['hostile bytes'] },
  module('http/rate', ['http/rate.long']),
  module('documents/search', ['documents/search-plan']),
  module('http/walk', ['http/json-body']),
  module('http/exact-number', ['http/json-body']),
  module('ingest/records', ['ingest/records.long']),
];

function configOf(root: string, { file, tests, without = [] }: Module, folder: string, out: string) {
  return {
    mutate: [file],
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    testRunnerNodeArgs: ['--disable-warning=ExperimentalWarning'],
    jest: {
      configFile: 'jest.config.js',
      config: {
        testMatch: tests.map((test) => `**/${test}`),
        workerIdleMemoryLimit: undefined,
        ...(without.length > 0 && { testNamePattern: `^(?!${without.join('|')})` }),
        testEnvironment: '<rootDir>/scripts/lab/mutations/until-failure.ts',
        setupFilesAfterEnv: ['<rootDir>/scripts/lab/mutations/active-mutant.ts'],
      },
      enableFindRelatedTests: false,
    },
    coverageAnalysis: 'off',
    concurrency: 2,
    disableTypeChecks: false,
    // A mutation that exceeds this time counts as found, and on a busy machine every run is slow.
    timeoutMS: 60_000,
    tempDirName: join(folder, 'sandbox'),
    ignorePatterns: ['.data', '.scratch*', 'reports'],
    reporters: ['clear-text', 'html'],
    htmlReporter: { fileName: resolve(root, out, `${file.replaceAll('/', '-')}.html`) },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    allowConsoleColors: false,
    logLevel: 'warn',
    cleanTempDir: 'always',
    thresholds: { high: 90, low: 80, break: null },
  };
}

/** @returns the exit code: 0 if Stryker could run, no matter how many changes no test found; a person reads these */
export async function runPure(
  root: string,
  names: readonly string[],
  out: string,
  say: (line: string) => void,
): Promise<number> {
  mkdirSync(resolve(root, out), { recursive: true });
  const packages = await fetchedPackages('stryker', STRYKER, say);
  const chosen = modules.filter(({ name }) => names.length === 0 || names.includes(name));
  let code = 0;
  for (const module of chosen) {
    say(`\n${module.name}: ${module.file}, judged by ${module.tests.join(', ')}`);
    const folder = temporaryFolder('small-mutations-');
    const file = join(folder, 'stryker.json');
    writeFileSync(file, JSON.stringify(configOf(root, module, folder, out)));
    const argv = [process.execPath, join(packages, '@stryker-mutator/core/bin/stryker.js'), 'run', file];
    const ended = await run(argv, { cwd: root, hear: (text) => process.stdout.write(text) }).finally(() =>
      removeFolder(folder),
    );
    code = ended === 0 ? code : 1;
  }
  return code;
}
