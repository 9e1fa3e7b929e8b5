/** Notes when keys were last used, for the settings tool's lists: one write a minute for each ten thousand keys. */
import type { Collection } from 'mongodb';
import type { ApiKeyRow } from '../data/collections/api_keys.ts';
import { now } from '../runtime/clock.ts';

const FLUSH_MS = 60_000;
/** Keys in one write, which must not exceed the largest size of a command. */
const AT_ONCE = 10_000;

/** Collects uses between writes. A crash loses at most one minute of them. */
export interface KeyUse {
  used(keyId: string): void;
  /** Writes what was collected; what fails is written the next time. */
  flush(): Promise<void>;
  stop(): void;
}

export function keyUse(keys: Collection<ApiKeyRow>): KeyUse {
  let seen = new Set<string>();

  async function flush(): Promise<void> {
    if (seen.size === 0) return;
    const ids = [...seen];
    seen = new Set();
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const part = ids.slice(from, from + AT_ONCE);
      try {
        await keys.updateMany({ _id: { $in: part } }, { $set: { last_used_at: now() } });
      } catch {
        for (const id of part) seen.add(id);
      }
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();
  return { used: (keyId) => void seen.add(keyId), flush, stop: () => clearInterval(timer) };
}
