/** What takes long and many rules tell of is done once in a worker. */
import type { Trial } from '../trial.ts';

/** The story, told by whoever asks first. A rule that meets its failure later shows the exchange that was at fault. */
export function sharedStory<T>(tell: (t: Trial) => Promise<T>): (t: Trial) => Promise<T> {
  let told: { by: Trial; story: Promise<T> } | undefined;
  return async (t) => {
    told ??= { by: t, story: tell(t) };
    try {
      return await told.story;
    } catch (error) {
      t.last = told.by.last;
      throw error;
    }
  };
}
