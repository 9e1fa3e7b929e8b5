/** The commands that try a mutation. A test replaces them with quick ones. */
import { nodeScript } from '../../../conformance/processes/program.ts';

/** Which rules of the suite to run; all of them if neither is given. */
export interface Choice {
  readonly sections?: readonly string[];
  readonly only?: readonly string[];
}

/**
 * Each gives an argument list. The suite runs in a copy without the mutation. So a mutation of code that the suite
 * shares with the service does not change the suite. The other commands run in the copy with the mutation.
 */
export interface Commands {
  /** Prints the unit tests whose imports reach the file, one a line. */
  relatedTests(file: string): string[];
  /** Runs unit tests and leaves Jest's results as JSON. */
  tests(files: readonly string[], results: string): string[];
  /** Starts the service; prints a line of JSON with the event `ready`, and leaves a profile in the folder. */
  service(data: string): string[];
  /** Runs the suite and leaves `results.json` in the folder. */
  suite(profile: string, choice: Choice, out: string): string[];
}

const jest = (...rest: string[]) => nodeScript('node_modules/jest/bin/jest.js', ...rest);

export const realCommands: Commands = {
  relatedTests: (file) => jest('--listTests', '--findRelatedTests', file),
  tests: (files, results) =>
    jest('--maxWorkers=2', '--json', '--outputFile', results, '--silent', '--runTestsByPath', ...files),
  service: (data) => nodeScript('scripts/operate/start/main.ts', '--port', '0', '--data', data, '--json'),
  suite(profile, { sections = [], only = [] }, out) {
    const chosen = [
      ...(sections.length > 0 ? ['--section', sections.join()] : []),
      ...(only.length > 0 ? ['--only', only.join()] : []),
    ];
    return nodeScript('conformance/main.ts', '--profile', profile, '--out', out, '--quiet', ...chosen);
  },
};
