/** Removes what a run must not leave behind. */

import { setTimeout as pause } from 'node:timers/promises';
import type { OpenEndpoint } from '../engine/open-endpoints.ts';
import { exchangeOverHttp } from '../http/client.ts';
import type { LoadedProfile } from '../profile/profile.ts';

/** Keeps the deletions below the limit of a key, which the run may just have reached. */
const PAUSE_MS = 150;
/** Repeats of all deletions together: a target that answers none of them does not hold up the end of the run. */
const REPEATS = 10;
/** Answers after which the same request may succeed. */
const LATER = [408, 429, 503];

/** Deletes the endpoints. Those that cannot be deleted stay, since the run is over. */
export async function deleteEndpoints(
  endpoints: readonly OpenEndpoint[],
  { profile, secrets }: LoadedProfile,
): Promise<void> {
  let repeats = 0;
  for (const { id, key } of endpoints) {
    let again: boolean;
    do {
      const answer = await exchangeOverHttp({
        baseUrl: profile.base_url,
        method: 'DELETE',
        target: `/developer/v1/webhook_endpoints/${id}`,
        headers: [['X-API-Key', secrets[key] ?? '']],
      }).catch(() => undefined);
      again = LATER.includes(answer?.status ?? 0) && repeats++ < REPEATS;
      await pause(PAUSE_MS);
    } while (again);
  }
}
