/** Stryker on modules that need no database: it makes all small changes that it knows, and runs their unit tests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { fetchedPackages } from '../../contract/generators/command.ts';
import { run } from '../../testbed/run-program.ts';
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

const beside = (file: string, ...tests: string[]): Pick<Module, 'file' | 'tests'> => ({
  file: `handlers/${file}.ts`,
  tests: (tests.length > 0 ? tests : [file]).map((test) => `handlers/${test}.test.ts`),
});

export const modules: readonly Module[] = [
  { name: 'workflow', ...beside('documents/workflow/workflow') },
  { name: 'page', ...beside('data/page') },
  { name: 'rate', ...beside('http/rate', 'http/rate.long') },
  { name: 'webhook-signature', ...beside('webhooks/delivery-signature') },
  { name: 'cms', ...beside('documents/signing/cms'), without: ['hostile bytes'] },
  { name: 'permissions', ...beside('access/permissions') },
  { name: 'redaction', ...beside('employees/view') },
  { name: 'raw-row', ...beside('data/raw-row') },
  { name: 'json-bytes', ...beside('answers/json-bytes') },
  { name: 'template-values', ...beside('documents/templates/values') },
  { name: 'kedo', ...beside('ingest/kedo') },
  { name: 'ledger', ...beside('ingest/ledger') },
  { name: 'status-by-dates', ...beside('employees/write/status-by-dates') },
  { name: 'addresses', ...beside('webhooks/outbound/addresses') },
  { name: 'search', ...beside('documents/search', 'documents/search-plan') },
  { name: 'query', ...beside('http/query') },
  { name: 'body-fields', ...beside('http/body-fields') },
  { name: 'json-body', ...beside('http/json-body') },
  { name: 'walk', ...beside('http/walk', 'http/json-body') },
  { name: 'exact-number', ...beside('http/exact-number', 'http/json-body') },
  { name: 'filters', ...beside('data/list') },
  { name: 'canonical-json', ...beside('data/canonical-json') },
  { name: 'day', ...beside('runtime/day') },
  { name: 'person-rows', ...beside('employees/write/person-rows') },
  { name: 'employee-rows', ...beside('employees/write/employee-rows') },
  { name: 'records', ...beside('ingest/records', 'ingest/records.long') },
  { name: 'plan', ...beside('ingest/apply/plan', 'ingest/apply/plan', 'ingest/apply/plan-departments') },
  { name: 'departments', ...beside('ingest/apply/departments') },
  { name: 'presign', ...beside('storage/presign') },
  { name: 'webhook-url', ...beside('webhooks/outbound/url') },
  { name: 'errors', ...beside('answers/errors') },
  { name: 'violations', ...beside('http/violations') },
  { name: 'route', ...beside('documents/workflow/route') },
  { name: 'aws-signature', ...beside('storage/aws-signature') },
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
        testEnvironment: '<rootDir>/scripts/checks/mutations/until-failure.ts',
        setupFilesAfterEnv: ['<rootDir>/scripts/checks/mutations/active-mutant.ts'],
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
  stop: AbortSignal,
): Promise<number> {
  mkdirSync(resolve(root, out), { recursive: true });
  const packages = await fetchedPackages('stryker', STRYKER, say);
  const chosen = modules.filter(({ name }) => names.length === 0 || names.includes(name));
  let code = 0;
  for (const module of chosen) {
    if (stop.aborted) break;
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
