/** Unit tests stand beside their subject as `*.test.ts`; Node 24 strips the types, so nothing transforms them. */
export default {
  testEnvironment: 'node',
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  // Milliseconds; only a hang takes so long, however slow and busy the machine is.
  testTimeout: 240_000,
  testMatch: ['<rootDir>/{handlers,scripts,generated,conformance,load}/**/*.test.ts'],
  // s3-server.test.ts needs a server: the step `storage` of `npm test` runs it.
  testPathIgnorePatterns: ['/s3-server\\.test\\.ts$', '/node_modules/', '/.scratch/', '/.data/'],
  modulePathIgnorePatterns: ['<rootDir>/.scratch/', '<rootDir>/.data/'],
};
