/** Whether deliveries of this target reach the suite at all, found out once in a run. */
import type { Trial } from '../trial.ts';
import { deleteHook, makeHook, received, testHook } from './hooks.ts';

/** A status that no receiver gives by chance. */
const UNUSUAL = 218;

let verdict: Promise<string> | undefined;

/** @throws Untested when nothing of the target's arrives */
export async function mustBeReachable(t: Trial): Promise<void> {
  const { url, problem } = t.run.callbacks;
  if (url === '') t.untested('missing_callbacks', problem);
  verdict ??= t.link.holding('callbacks', 'exclusive', async () => {
    const known = await t.link.callbacks<string | undefined>({ do: 'note', name: 'reach' });
    if (known !== undefined) return known;
    const found = await reach(t);
    await t.link.callbacks({ do: 'note', name: 'reach', value: found });
    return found;
  });
  const reason = await verdict;
  if (reason !== '') t.untested('missing_callbacks', reason);
}

/** @returns '' when a test event arrived */
async function reach(t: Trial): Promise<string> {
  try {
    const hook = await makeHook(t, { reactions: [{ answer: UNUSUAL }] });
    const answer = await testHook(t, hook);
    await deleteHook(t, hook);
    if ((await received(t, hook)).length > 0) return '';
    return `a test event does not arrive at ${t.run.callbacks.url}; _test answered ${answer.text.slice(0, 200)}`;
  } catch (error) {
    if (error instanceof Error && error.name === 'Violation') return `no endpoint can be made: ${error.message}`;
    throw error;
  }
}
