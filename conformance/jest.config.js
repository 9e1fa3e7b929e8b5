/** Jest's configuration for the rules; `npm run conformance` runs it, the unit tests have their own. */
const here = import.meta.dirname;

export default {
  rootDir: here,
  runtime: `${here}/jest/runtime.ts`,
  setupFilesAfterEnv: [`${here}/engine/declare-tests.ts`],
  testEnvironment: `${here}/engine/environment.ts`,
  testSequencer: `${here}/engine/sequencer.ts`,
  reporters: [`${here}/engine/reporter.ts`],
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/*.rules.ts'],
  testTimeout: 240_000,
};
