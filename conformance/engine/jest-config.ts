/** Jest's configuration for the rules; the unit tests have their own. */
import { extname, join } from 'node:path';

const ENDING = extname(import.meta.filename);
const FOLDER = join(import.meta.dirname, '..');
const file = (name: string) => join(FOLDER, `${name}${ENDING}`);

export const jestConfig = {
  rootDir: FOLDER,
  runtime: file('jest/runtime'),
  setupFilesAfterEnv: [file('engine/declare-tests')],
  testEnvironment: file('engine/environment'),
  testSequencer: file('engine/sequencer'),
  reporters: [file('engine/reporter')],
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: [`**/*.rules${ENDING}`],
  // An installed package is below `node_modules`, where Jest otherwise looks for no tests.
  testPathIgnorePatterns: [],
  // In the project, that package may be built while a run goes on.
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  // Milliseconds; only a hang takes so long.
  testTimeout: 240_000,
};
