/** Runs the tests of the storage against a real S3-compatible server. */
import { join } from 'node:path';
import { type FoundTool, goTool } from '../../testbed/go-tool.ts';
import type { Step } from './run.ts';
import { runJest } from './unit.ts';

const TESTS = 'handlers/storage/s3-server.test.ts';

/** Runs if the server is installed or can be built. The build runs in the background during the steps before it. */
export function storageStep(root: string, scratch: string): Step {
  let server: Promise<FoundTool> | undefined;
  const find = () => {
    server ??= goTool(join(root, 'scripts/checks/test/versitygw'), (text) => console.log(text), { isPlain: true });
    return server;
  };
  return {
    name: 'storage',
    about: 'the storage against a real S3-compatible server (versitygw, built with Go)',
    // While the server is still being built, the step only waits.
    cores: 0.2,
    isPatient: true,
    prepare: () => void find().catch(() => {}),
    async run({ say }) {
      const found = await find();
      if ('missing' in found) return { passed: 0, failures: [], notRun: found.missing };
      // The unit tests leave this file out, because it needs the server.
      const args = ['--testPathIgnorePatterns', '/node_modules/', '--runTestsByPath', TESTS];
      return runJest(root, { report: join(scratch, 'storage'), say, args, env: { VERSITYGW: found.path } });
    },
  };
}
