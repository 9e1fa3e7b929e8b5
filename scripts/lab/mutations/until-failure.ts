/**
 * The environment of test files under Stryker: the first failure ends a file. One failed test has found a mutation, and
 * the others would only take time.
 */
import type { Circus } from '@jest/types';
import NativeEnvironment from '../../kit/jest/environment.ts';

/** Jest calls `handleTestEvent` for every event of a test. */
export default class UntilFailure extends NativeEnvironment {
  #hasFailed = false;

  override handleTestEvent(event: Circus.Event): void {
    if (event.name === 'test_fn_failure') this.#hasFailed = true;
    if (event.name === 'test_start' && this.#hasFailed) event.test.mode = 'skip';
  }
}
