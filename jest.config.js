import { availableParallelism } from 'node:os';

/** Unit tests stand beside their subject as `*.test.ts`; Node 24 strips the types, so nothing transforms them. */
export default {
  // Node itself loads the tests, as it loads the service: with Jest's own loader its workers need half as much time again.
  runtime: './scripts/kit/jest/runtime.ts',
  testEnvironment: './scripts/kit/jest/environment.ts',
  // Processor seconds that a file may take unless it is long. Those named so need two; a busy machine counts twice as many.
  testEnvironmentOptions: { mostSeconds: 20 },
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  // Milliseconds; only a hang takes so long, however slow and busy the machine is.
  testTimeout: 240_000,
  // Tests wait for processes as often as for the processor: two at a time at least, and no more than a machine has memory for.
  maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
  // What a worker keeps of the files that it has run; a new one goes on when it is more.
  workerIdleMemoryLimit: '1GB',
  // Milliseconds; on a busy machine a process that has nothing left to do ends slowly: only a leak takes so long.
  workerGracefulExitTimeout: 30_000,
  // A real MongoDB that the tests share, where TEST_MONGODB asks for one.
  globalSetup: './scripts/lab/run/database-setup.ts',
  globalTeardown: './scripts/lab/run/database-teardown.ts',
  testSequencer: './scripts/lab/run/sequencer.js',
  testMatch: ['<rootDir>/{client,handlers,scripts,generated,conformance,load,deploy}/**/*.test.ts'],
  // These need programs that are fetched or built: steps of `npm run check` run them.
  testPathIgnorePatterns: [
    '/client/testing/',
    '/s3-server\\.long\\.test\\.ts$',
    '/breaking\\.long\\.test\\.ts$',
    '/node_modules/',
    '/.scratch/',
    '/.data/',
  ],
  modulePathIgnorePatterns: ['<rootDir>/.scratch/', '<rootDir>/.data/', '<rootDir>/(client|conformance)/dist'],
};
