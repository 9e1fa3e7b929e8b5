/** Unit tests stand beside their subject as `*.test.ts`; Node 24 strips the types, so nothing transforms them. */
export default {
  testEnvironment: 'node',
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  // Milliseconds. What a busy machine needs is no failure; files whose tests take longer by nature say so themselves.
  testTimeout: 60_000,
  testMatch: ['<rootDir>/{handlers,scripts,generated,conformance,load}/**/*.test.ts'],
  // s3-server.test.ts needs a server: the step `storage` of `npm test` runs it.
  testPathIgnorePatterns: ['/s3-server\\.test\\.ts$', '/node_modules/', '/.scratch/', '/.data/'],
  modulePathIgnorePatterns: ['<rootDir>/.scratch/', '<rootDir>/.data/'],
};
