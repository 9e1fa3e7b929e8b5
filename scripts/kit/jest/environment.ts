/** The environment of a test file is the process itself. What the file changed of it is put back at the end. */
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Circus, Config } from '@jest/types';
import { ModuleMocker } from 'jest-mock';
import { processorSeconds } from '../processor-time.ts';

/** What Jest asks of a `testEnvironment`. */
export default class NativeEnvironment {
  readonly global = globalThis;
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  /** What tests import as `jest`: the part of it that they use. */
  readonly jest: Readonly<Record<string, unknown>>;
  readonly #mocks = new ModuleMocker(globalThis);
  readonly #exit = process.exit;
  readonly #env = { ...process.env };
  readonly #exitListeners = process.rawListeners('exit');

  readonly #path: string;
  readonly #mostSeconds: number;
  readonly #before = processorSeconds();

  constructor(
    { projectConfig }: { readonly projectConfig: Config.ProjectConfig },
    { testPath }: { readonly testPath: string },
  ) {
    this.#path = testPath;
    this.#mostSeconds = Number(projectConfig.testEnvironmentOptions.mostSeconds);
    const timers = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    const mocks = this.#mocks;
    this.fakeTimersModern = timers;
    this.jest = {
      fn: mocks.fn.bind(mocks),
      spyOn: mocks.spyOn.bind(mocks),
      restoreAllMocks: mocks.restoreAllMocks.bind(mocks),
      useFakeTimers: timers.useFakeTimers.bind(timers),
      useRealTimers: timers.useRealTimers.bind(timers),
      setSystemTime: timers.setSystemTime.bind(timers),
      advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
      advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
    };
  }

  /** There is none; Jest asks for it all the same. */
  getVmContext(): null {
    return null;
  }

  async setup(): Promise<void> {}

  /** A file that runs for every change may not be dear. */
  handleTestEvent({ name }: Circus.Event, { unhandledErrors }: Circus.State): void {
    if (name !== 'run_finish' || this.#path.endsWith('.long.test.ts')) return;
    const seconds = processorSeconds() - this.#before;
    if (seconds <= this.#mostSeconds) return;
    const toDo = 'make it cheaper, or call it NAME.long.test.ts, so that only npm run check runs it';
    const taken = `${seconds.toFixed(1)} s of processor time, more than ${this.#mostSeconds}`;
    unhandledErrors.push(new Error(`The file took ${taken}: ${toDo}.`));
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.useRealTimers();
    this.#mocks.restoreAllMocks();
    process.exit = this.#exit;
    // The process goes on, so what the file wanted done at its end is done now.
    for (const listener of process.rawListeners('exit')) {
      if (this.#exitListeners.includes(listener)) continue;
      process.off('exit', listener as () => void);
      listener.call(process, 0);
    }
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }
}
