/** Work on a database that may be away for a while. */
import { eventually } from '../kit/eventually.ts';

/** Repeats the work until the database is available, for two minutes at most. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  let last: unknown;
  const tried = async () => {
    try {
      return { value: await work() };
    } catch (error) {
      last = error;
      return undefined;
    }
  };
  const done = await eventually('an answer of the database', tried).catch(() => undefined);
  if (done === undefined) throw last;
  return done.value;
}
