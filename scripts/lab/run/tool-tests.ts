/** Runs tests that need programs which are fetched or built once; the unit tests leave their files out. */
import { dirname, join } from 'node:path';
import { fetchedPackages } from '../../contract/generators/command.ts';
import { type FoundTool, goTool } from '../../kit/tools.ts';
import { needing, once, type Step } from './run.ts';
import { runJest } from './unit.ts';

interface ToolTest {
  readonly name: string;
  readonly about: string;
  readonly test: string;
  /** The variable in which the test expects the path of what is found. */
  readonly variable: string;
  readonly find: (root: string) => Promise<FoundTool>;
  readonly cores: number;
}

/** Finds a program, or builds it with Go. @param pins the folder that pins it */
const built = (pins: string) => (root: string) => goTool(join(root, pins), console.log, { isPlain: true });

/** What an integrator of the client may have. */
const CLIENT_TOOLS = [
  `node-${process.platform}-${process.arch}@20.20.2`,
  'deno@2.9.6',
  'bun@1.4.5',
  'workerd@1.20261117.1',
  'typescript@5.9.3',
  'fastify@5.12.8',
  '@arethetypeswrong/cli@0.18.5',
  'publint@0.3.25',
  'undici@7.30.2',
];

async function clientTools(): Promise<FoundTool> {
  try {
    return { path: dirname(await fetchedPackages('client-tools', CLIENT_TOOLS, console.log)) };
  } catch (error) {
    return { missing: `npm could not fetch its tools: ${(error as Error).message}` };
  }
}

const TESTS: readonly ToolTest[] = [
  {
    name: 'client',
    about:
      'the client packed, compiled and run against the service (Node 20, Deno, Bun, workerd and TypeScript 5 are fetched with npm)',
    test: 'client/testing/package.long.test.ts',
    variable: 'CLIENT_TOOLS',
    find: clientTools,
    cores: 0.8,
  },
  {
    name: 'contract:breaking',
    about: 'no release of the contract breaks clients of the one before (oasdiff, built with Go)',
    test: 'scripts/contract/breaking.long.test.ts',
    variable: 'OASDIFF',
    find: built('scripts/contract/oasdiff'),
    // While the program is still being built, the step only waits.
    cores: 0.2,
  },
  {
    name: 'storage',
    about: 'the storage against a real S3-compatible server (versitygw, built with Go)',
    test: 'handlers/storage/s3-server.long.test.ts',
    variable: 'VERSITYGW',
    find: built('scripts/lab/run/versitygw'),
    cores: 0.2,
  },
];

/** Each runs if what it needs is there or can be had. Fetching and building go on during the steps before. */
export function toolTestSteps(root: string, scratch: string): Step[] {
  return TESTS.map(({ name, about, test, variable, find: findTool, cores }) => {
    const find = once(() => findTool(root));
    return {
      name,
      about,
      cores,
      isPatient: true,
      prepare: () => void find().catch(() => {}),
      run: needing(find, ({ say }, path) => {
        const args = ['--testPathIgnorePatterns', '/node_modules/', '--runTestsByPath', test];
        const report = join(scratch, name.replace(':', '-'));
        return runJest(root, { report, say, args, env: { [variable]: path } });
      }),
    };
  });
}
