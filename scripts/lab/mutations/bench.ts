/** Runs the unit tests and the suite on one copy of the project. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runSuite } from '../../../conformance/mutation/suite-run.ts';
import { nodeScript } from '../../kit/program.ts';
import { copyProject } from '../../kit/project-copy.ts';
import { background, run, saidBy } from '../../kit/run-program.ts';

/** How long each may take, in milliseconds; only something that hangs takes so long. */
const READY_MS = 10 * 60_000;
const TESTS_MS = 40 * 60_000;

/** A rule, or a file of unit tests, that failed, and what it said. */
export interface Finding {
  readonly name: string;
  readonly reason: string;
  /** The rules during which a rule that judges the whole run found it. */
  readonly during?: readonly string[];
}

/** What a run of the suite or of tests found. */
export interface Judgement {
  readonly failed: readonly Finding[];
  /** Rules without a verdict, such as those that got no answer in time. */
  readonly undecided: readonly string[];
  /** Why the run gave no result. */
  readonly unclear?: string;
}

/** The part of Jest's results that is read. */
interface JestResults {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** The service hangs, or the machine is too busy. */
const NO_ANSWER = /^no answer within /;
/** As rules that judge every exchange of a run name the rules that sent them. */
const OTHER_RULE = /(?:during|also|,|;) ([A-Z]+-[\w.-]+):/g;

const jest = (...rest: string[]) => nodeScript('node_modules/jest/bin/jest.js', ...rest);

const firstLine = (text: string) => text.trim().split('\n')[0]?.slice(0, 300) ?? '';

/** Who can find a mutation: the rules of the suite against a service, or the unit tests. */
export type JudgeName = 'suite' | 'unit';

/** A copy of the project that can be asked what fails in it. */
export interface OpenedCopy {
  /** @param names rules or test files; by default all that could find the mutation */
  ask(names?: readonly string[]): Promise<Judgement>;
  close(): Promise<void>;
}

/** A copy of the project, and the means to run tests and the suite on it. */
export class Bench {
  readonly folder: string;
  readonly #around: string;
  readonly #judge: string;

  /**
   * @param folder an empty folder, for the copy and for the files that the runs write
   * @param judge a copy without a mutation, whose suite judges the service, since it shares code with it; by default this
   * one
   */
  constructor(root: string, folder: string, judge?: string) {
    this.folder = join(folder, 'project');
    this.#around = folder;
    this.#judge = judge ?? this.folder;
    mkdirSync(this.folder, { recursive: true });
    copyProject(root, this.folder);
  }

  /**
   * @param files what is mutated in the copy; none means no mutation
   * @throws Error if the service does not start, or no unit test is found
   */
  async open(judge: JudgeName, files: readonly string[]): Promise<OpenedCopy> {
    if (judge === 'suite') return this.#service();
    const related = files.length === 0 ? undefined : await this.#relatedTests(files);
    return {
      ask: (names = related ?? []) => this.#tests(names.filter((name) => related?.includes(name) ?? true)),
      close: async () => {},
    };
  }

  /** The unit tests whose imports reach one of the files, and that of the process, which starts it; paths from the root. */
  async #relatedTests(files: readonly string[]): Promise<string[]> {
    const argv = jest('--listTests', '--findRelatedTests', ...files, 'handlers/main.long.test.ts');
    const said = await saidBy('the list of the tests', argv, { cwd: this.folder, withinMs: TESTS_MS });
    const tests = said.split('\n').filter((line) => line.endsWith('.test.ts'));
    if (tests.length === 0) throw new Error(`no test is listed: ${firstLine(said)}`);
    return tests.map((file) => this.#below(file));
  }

  /** A path from the root of the copy. */
  readonly #below = (path: string): string => (path.startsWith('/') ? relative(this.folder, path) : path);

  async #tests(files: readonly string[]): Promise<Judgement> {
    if (files.length === 0) return { failed: [], undecided: [] };
    const folder = mkdtempSync(join(this.#around, 'left-'));
    const results = join(folder, 'tests.json');
    try {
      const argv = jest('--maxWorkers=2', '--json', '--outputFile', results, '--silent', '--runTestsByPath', ...files);
      const code = await run(argv, { cwd: this.folder, withinMs: TESTS_MS, hear: () => {} });
      if (existsSync(results)) return this.#ofTests(JSON.parse(readFileSync(results, 'utf8')));
      return { failed: [], undecided: [], unclear: `the tests ended with ${code} and left no results` };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  #ofTests({ testResults }: JestResults): Judgement {
    const failed = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, message, assertionResults }) => {
        const test = assertionResults.find(({ status }) => status === 'failed')?.fullName ?? 'it cannot be run';
        return { name: this.#below(name), reason: `${test}: ${firstLine(message)}` };
      });
    return { failed, undecided: [] };
  }

  /** Starts the service on new data. */
  async #service(): Promise<OpenedCopy> {
    const data = mkdtempSync(join(this.#around, 'data-'));
    const argv = nodeScript('scripts/operate/start/main.ts', '--port', '0', '--data', data, '--json');
    const started = await background(argv, { cwd: this.folder, withinMs: READY_MS });
    return {
      ask: (rules) => this.#suite(join(data, 'conformance.yaml'), rules),
      close: async () => {
        await started.stop();
        rmSync(data, { recursive: true, force: true });
      },
    };
  }

  /** Runs the suite against a service. @param rules all by default */
  async #suite(profile: string, rules: readonly string[] | undefined): Promise<Judgement> {
    const suite = join(this.#judge, 'conformance/main.ts');
    const { exitCode, results } = await runSuite(profile, rules ? { only: rules } : {}, {}, suite);
    if (results === undefined) {
      return { failed: [], undecided: [], unclear: `the suite ended with ${exitCode} and left no results` };
    }
    const judged = results.rules;
    const undecided = judged.filter(
      ({ status, code, reason }) => status === 'ERROR' || code === 'timed_out' || NO_ANSWER.test(reason),
    );
    const failed = judged.filter((one) => one.status === 'FAIL' && !undecided.includes(one));
    const passed = judged.filter(({ status }) => status === 'PASS').length;
    return {
      failed: failed.map(({ rule, reason }) => ({
        name: rule,
        reason: firstLine(reason),
        during: [...reason.matchAll(OTHER_RULE)].map(([, other = '']) => other),
      })),
      undecided: undecided.map(({ rule }) => rule),
      ...(passed + failed.length === 0 && { unclear: 'no rule could be judged' }),
    };
  }
}
