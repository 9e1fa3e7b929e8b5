/** `conformance deferred begin`: creates what rules need that take hours, writes it to the state file, and listens. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../scripts/kit/command-line.ts';
import type { LoadedProfile } from '../profile/profile.ts';
import { replaceFile } from '../report/replace-file.ts';
import { deferredChecks } from './check-list.ts';
import { openSession, type Session } from './session.ts';
import { readState, type State } from './state.ts';

const SAVE_MS = 5_000;

interface BeginOptions {
  loaded: LoadedProfile;
  stateFile: string;
  /** Milliseconds; 0 means not to listen at all. */
  listenMs: number;
  say: (text: string) => void;
  /** Stops the listening. */
  signal: AbortSignal;
}

/**
 * Begins all deferred checks, unless the file says that it was already done. Then it only listens again, as after a restart of the suite.
 * @throws Failure
 */
export async function beginDeferred(options: BeginOptions): Promise<void> {
  const { loaded, stateFile, say } = options;
  const session = await openSession(loaded, true);
  const { receiver, facts } = session.callbacks;
  try {
    const begun = Date.now();
    const state: State = existsSync(stateFile)
      ? readState(stateFile)
      : {
          format_version: 2,
          base_url: loaded.profile.base_url,
          kept: {},
          deliveries: [],
          listened: [],
        };
    const { route } = state.kept.retries?.data ?? {};
    if (typeof route === 'string') receiver?.react(route, [{ answer: 500 }]);
    await beginChecks(session, state, say);
    const earlier = [...state.deliveries];
    const span = { from: begun, to: Date.now() };
    state.listened.push(span);
    const save = () => {
      span.to = Date.now();
      state.deliveries = [...earlier, ...(receiver?.deliveries ?? [])];
      replaceFile(stateFile, `${JSON.stringify(state)}\n`, 0o600);
    };
    save();
    if (receiver === undefined || options.listenMs === 0) return;
    say(
      `Listening at ${facts.url} for ${Math.round(options.listenMs / 3_600_000)} hours; Ctrl-C ends it, the same command goes on.`,
    );
    const end = Date.now() + options.listenMs;
    while (Date.now() < end && !options.signal.aborted) {
      const waitMs = Math.min(SAVE_MS, Math.max(0, end - Date.now()));
      await sleep(waitMs, undefined, { signal: options.signal }).catch(() => {});
      await continueChecks(session, state);
      save();
    }
  } finally {
    await session.close();
  }
}

/** Begins each check that was not begun yet; the state keeps what it created, or why it could not begin. */
async function beginChecks(session: Session, state: State, say: BeginOptions['say']): Promise<void> {
  for (const { name, begin, judges } of deferredChecks) {
    if (state.kept[name]?.problem === '') continue;
    const context = session.context(Object.keys(judges)[0] ?? '');
    const began_at = Date.now();
    const kept = await begin(context).then(
      (data) => ({ began_at, problem: '', data }),
      (error: unknown) => ({ began_at, problem: messageOf(error), data: {} }),
    );
    state.kept[name] = kept;
    say(
      `${kept.problem === '' ? 'begun    ' : 'NOT begun'} ${name}: ${kept.problem || Object.keys(judges).join(', ')}`,
    );
  }
}

/** Does what checks that were begun want done while the suite listens. */
async function continueChecks(session: Session, state: State): Promise<void> {
  for (const { name, meanwhile, judges } of deferredChecks) {
    const kept = state.kept[name];
    if (meanwhile === undefined || kept?.problem !== '') continue;
    // What fails is tried again a few seconds later.
    const more = await meanwhile(session.context(Object.keys(judges)[0] ?? ''), kept.data).catch(() => ({}));
    Object.assign(kept.data, more);
  }
}
