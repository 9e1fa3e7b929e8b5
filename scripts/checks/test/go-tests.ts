/** Runs tests that need a program which Go builds; the unit tests leave their files out. */
import { join } from 'node:path';
import { goTool } from '../../testbed/go-tool.ts';
import { once, type Step } from './run.ts';
import { runJest } from './unit.ts';

interface GoTest {
  readonly name: string;
  readonly about: string;
  /** The folder that pins the program. */
  readonly pins: string;
  readonly test: string;
  /** The variable in which the test expects the path of the program. */
  readonly variable: string;
}

const TESTS: readonly GoTest[] = [
  {
    name: 'contract:breaking',
    about: 'no release of the contract breaks clients of the one before (oasdiff, built with Go)',
    pins: 'scripts/contract/oasdiff',
    test: 'scripts/contract/breaking.test.ts',
    variable: 'OASDIFF',
  },
  {
    name: 'storage',
    about: 'the storage against a real S3-compatible server (versitygw, built with Go)',
    pins: 'scripts/checks/test/versitygw',
    test: 'handlers/storage/s3-server.test.ts',
    variable: 'VERSITYGW',
  },
];

/** Each runs if its program is installed or can be built. The builds run in the background during the steps before. */
export function goTestSteps(root: string, scratch: string): Step[] {
  return TESTS.map(({ name, about, pins, test, variable }) => {
    const find = once(() => goTool(join(root, pins), (text) => console.log(text), { isPlain: true }));
    return {
      name,
      about,
      // While the program is still being built, the step only waits.
      cores: 0.2,
      isPatient: true,
      prepare: () => void find().catch(() => {}),
      async run({ say }) {
        const found = await find();
        if ('missing' in found) return { passed: 0, failures: [], notRun: found.missing };
        const args = ['--testPathIgnorePatterns', '/node_modules/', '--runTestsByPath', test];
        const report = join(scratch, name.replace(':', '-'));
        return runJest(root, { report, say, args, env: { [variable]: found.path } });
      },
    };
  });
}
