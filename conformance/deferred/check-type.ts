/** What a deferred check is. */
import type { TestContext } from '../engine/test-context.ts';
import type { KeptState, State } from './state.ts';

export interface DeferredCheck {
  name: string;
  begin: (t: TestContext) => Promise<Record<string, unknown>>;
  /** Called every few seconds while the suite listens. @returns what is to be kept beside the data so far */
  meanwhile?: (t: TestContext, data: KeptState['data']) => Promise<Record<string, unknown>>;
  /** The rules that it can judge later, each with its judgement. */
  judges: Readonly<Record<string, (t: TestContext, begun: BegunCheck) => Promise<void>>>;
}

export interface BegunCheck {
  kept: KeptState;
  state: State;
  /** Milliseconds since it began. */
  age: number;
}

export const hours = (ms: number) => `${Math.max(0, ms / 3_600_000).toFixed(1)} hours`;
