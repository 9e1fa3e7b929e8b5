/** Jest's configuration for the rules; `npm run conformance` runs it, the unit tests have their own. */
const here = import.meta.dirname;

export default {
  rootDir: here,
  testEnvironment: `${here}/environment.ts`,
  testSequencer: `${here}/sequencer.ts`,
  reporters: [`${here}/reporter.ts`],
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/*.rules.ts'],
  testTimeout: 240_000,
};
