/** `conformance plant`: creates what rules need that take hours, writes it to the state file, and listens. */
import { existsSync } from 'node:fs';
import type { LoadedProfile } from '../profile.ts';
import { openField } from './field.ts';
import { plots } from './plots.ts';
import { readState, type State, writeState } from './state.ts';

const SAVE_MS = 5_000;

export interface PlantOptions {
  loaded: LoadedProfile;
  profilePath: string;
  stateFile: string;
  /** Milliseconds; 0 means not to listen at all. */
  listenMs: number;
  say: (text: string) => void;
  /** Stops the listening. */
  signal: AbortSignal;
}

/**
 * Plants, unless the file says that it was already done. Then it only listens again, as after a restart of the suite.
 * @throws BadState
 */
export async function plant(options: PlantOptions): Promise<void> {
  const { loaded, profilePath, stateFile, say } = options;
  const field = await openField(loaded, profilePath, true);
  const { receiver, facts } = field.callbacks;
  try {
    const begun = Date.now();
    const state: State = existsSync(stateFile)
      ? readState(stateFile)
      : {
          format_version: 1,
          base_url: loaded.profile.base_url,
          run_id: field.runId,
          seeds: {},
          deliveries: [],
          listened: [],
        };
    const { route } = state.seeds.retries?.data ?? {};
    if (typeof route === 'string') receiver?.react(route, [{ answer: 500 }]);
    for (const { name, sow, reap } of plots) {
      if (state.seeds[name]?.problem === '') continue;
      const trial = field.trial(Object.keys(reap)[0] ?? '');
      const planted_at = Date.now();
      const seed = await sow(trial).then(
        (data) => ({ planted_at, problem: '', data }),
        (error: unknown) => ({ planted_at, problem: error instanceof Error ? error.message : String(error), data: {} }),
      );
      state.seeds[name] = seed;
      say(
        `${seed.problem === '' ? 'planted    ' : 'NOT planted'} ${name}: ${seed.problem || Object.keys(reap).join(', ')}`,
      );
    }
    const heard = [...state.deliveries];
    const span = { from: begun, to: Date.now() };
    state.listened.push(span);
    const save = () => {
      span.to = Date.now();
      state.deliveries = [...heard, ...(receiver?.deliveries ?? [])];
      writeState(stateFile, state);
    };
    save();
    if (receiver === undefined || options.listenMs === 0) return;
    say(
      `Listening at ${facts.url} for ${Math.round(options.listenMs / 3_600_000)} hours; Ctrl-C ends it, plant goes on.`,
    );
    const end = Date.now() + options.listenMs;
    while (Date.now() < end && !options.signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          options.signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, Math.min(SAVE_MS, Math.max(0, end - Date.now())));
        options.signal.addEventListener('abort', done, { once: true });
      });
      save();
    }
  } finally {
    await field.close();
  }
}
