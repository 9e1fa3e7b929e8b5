import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import type { Circus, Config } from '@jest/types';
import NativeEnvironment from './environment.ts';

/** What fails a file that starts a program, which takes more than a hundredth of a second. */
function failures(testPath: string, mostSeconds: number): string[] {
  const projectConfig = { testEnvironmentOptions: { mostSeconds } } as Partial<Config.ProjectConfig>;
  const environment = new NativeEnvironment({ projectConfig: projectConfig as Config.ProjectConfig }, { testPath });
  execFileSync(process.execPath, ['-e', '']);
  const state = { unhandledErrors: [] } as Partial<Circus.State>;
  environment.handleTestEvent({ name: 'run_finish' }, state as Circus.State);
  return (state.unhandledErrors ?? []).map(String);
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a file that takes more processor time than one that is not long may take fails, with what to do', () => {
  expect(failures('/a.test.ts', 0.01)).toEqual([
    expect.stringMatching(/The file took [\d.]+ s of processor time, more than 0.01: .* NAME\.long\.test\.ts/),
  ]);
  expect(failures('/a.long.test.ts', 0.01)).toEqual([]);
  expect(failures('/a.test.ts', 60)).toEqual([]);
});
