/** Checks of a deployment on a machine that stands still at times. */
import { eventually } from './eventually.ts';

/** What a check says that got no answer within its seconds. */
const NO_TURN =
  /database is not reached|(bucket|interface) does not answer|no answer (within|in time)|did not answer in time/;

/** Makes a check again while it says that it got no answer. */
export function undisturbed(check: () => Promise<string>): Promise<string> {
  return eventually('a check that gets its answers', async () => {
    const says = await check();
    return NO_TURN.test(says) ? undefined : says;
  });
}
