/** Runs the unit tests and the suite on one copy of the project. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Results } from '../../../conformance/report/results.ts';
import { type Background, background, run } from '../../testbed/run-program.ts';
import type { Choice, Commands } from './commands.ts';
import { copyProject } from './copy.ts';

/** How long each may take, in milliseconds; only something that hangs takes so long. */
const READY_MS = 10 * 60_000;
const TESTS_MS = 40 * 60_000;
const SUITE_MS = 40 * 60_000;

/** Something that found the mutation: a rule or a test, and what it said. */
export interface Finding {
  readonly name: string;
  /** The file of a test. */
  readonly file?: string;
  readonly reason: string;
}

/** What a run of the suite or of tests found. */
export interface Judgement {
  readonly failed: readonly Finding[];
  /** Rules that only warned. */
  readonly warned: readonly string[];
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

/** The message of a rule that got no answer in time: either the service hangs, or the machine is too busy. */
const NO_ANSWER = /^no answer within /;

const firstLine = (text: string) => text.trim().split('\n')[0]?.slice(0, 300) ?? '';

/** A copy of the project, and the means to run tests and the suite on it. */
export class Bench {
  readonly folder: string;
  readonly #around: string;
  readonly #commands: Commands;
  readonly #judge: string;

  /**
   * @param folder an empty folder, for the copy and for the files that the runs write
   * @param judge the project whose suite judges the service; by default the copy itself
   */
  constructor(root: string, folder: string, commands: Commands, judge?: string) {
    this.folder = join(folder, 'project');
    this.#around = folder;
    this.#commands = commands;
    this.#judge = judge ?? this.folder;
    mkdirSync(this.folder);
    copyProject(root, this.folder);
  }

  /** The unit tests whose imports reach the file, as paths from the root: those of the same room first. */
  async relatedTests(file: string): Promise<{ near: string[]; far: string[] }> {
    let said = '';
    const hear = (text: string) => {
      said += text;
    };
    await run(this.#commands.relatedTests(file), { cwd: this.folder, hear, withinMs: TESTS_MS });
    const found = said
      .split('\n')
      .filter((line) => line.endsWith('.test.ts'))
      .map((line) => (line.startsWith('/') ? relative(this.folder, line) : line));
    const room = file.split('/').slice(0, 2).join('/');
    const isNear = (test: string) => test.startsWith(`${room}/`);
    return { near: found.filter(isNear), far: found.filter((test) => !isNear(test)) };
  }

  async tests(files: readonly string[]): Promise<Judgement> {
    if (files.length === 0) return { failed: [], warned: [] };
    return this.#left('tests.json', async (results) => {
      const argv = this.#commands.tests(files, results);
      const code = await run(argv, { cwd: this.folder, withinMs: TESTS_MS, hear: () => {} });
      return existsSync(results)
        ? this.#ofTests(JSON.parse(readFileSync(results, 'utf8')))
        : { failed: [], warned: [], unclear: `the tests ended with ${code} and left no results` };
    });
  }

  #ofTests({ testResults }: JestResults): Judgement {
    const failed = testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, message, assertionResults }) => {
        const test = assertionResults.find(({ status }) => status === 'failed')?.fullName ?? 'it cannot be run';
        const file = name.startsWith('/') ? relative(this.folder, name) : name;
        return { name: `${file}: ${test}`, file, reason: firstLine(message) };
      });
    return { failed, warned: [] };
  }

  /** Starts the service on new data. @throws Error when it does not start */
  async service(): Promise<Target> {
    const data = mkdtempSync(join(this.#around, 'data-'));
    let said = '';
    const hear = (text: string) => {
      said = (said + text).slice(-500);
    };
    try {
      const started = await background(this.#commands.service(data), {
        cwd: this.folder,
        withinMs: READY_MS,
        hear,
        env: { LOG_LEVEL: 'error' },
      });
      return new Target(data, started, this.#commands, this.#judge);
    } catch {
      rmSync(data, { recursive: true, force: true });
      throw new Error(said.trim());
    }
  }

  async #left(name: string, work: (file: string) => Promise<Judgement>): Promise<Judgement> {
    const folder = mkdtempSync(join(this.#around, 'left-'));
    try {
      return await work(join(folder, name));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** A started service, and the suite against it. */
export class Target {
  readonly #data: string;
  readonly #started: Background;
  readonly #commands: Commands;
  readonly #judge: string;

  constructor(data: string, started: Background, commands: Commands, judge: string) {
    this.#data = data;
    this.#started = started;
    this.#commands = commands;
    this.#judge = judge;
  }

  async suite(choice: Choice): Promise<Judgement> {
    const out = mkdtempSync(join(this.#data, 'report-'));
    const argv = this.#commands.suite(join(this.#data, 'conformance.yaml'), choice, out);
    const code = await run(argv, { cwd: this.#judge, withinMs: SUITE_MS, hear: () => {} });
    const file = join(out, 'results.json');
    if (!existsSync(file)) {
      return { failed: [], warned: [], unclear: `the suite ended with ${code} and left no results` };
    }
    const { rules } = JSON.parse(readFileSync(file, 'utf8')) as Pick<Results, 'rules'>;
    const having = (wanted: string) => rules.filter(({ status }) => status === wanted);
    const failed = having('FAIL').filter(({ reason }) => !NO_ANSWER.test(reason));
    const late = having('FAIL').filter(({ reason }) => NO_ANSWER.test(reason));
    const unclear =
      having('PASS').length + failed.length === 0
        ? 'no rule could be judged'
        : late.length > 0 && `no answer in time: ${late.map(({ rule }) => rule).join(', ')}`;
    return {
      failed: failed.map(({ rule, reason }) => ({ name: rule, reason: firstLine(reason) })),
      warned: having('WARN').map(({ rule }) => rule),
      ...(unclear && { unclear }),
    };
  }

  async stop(): Promise<void> {
    await this.#started.stop();
    rmSync(this.#data, { recursive: true, force: true });
  }
}
