/** Remembers when keys were last used, for the settings tool's lists, at one write a minute for all of them. */
import type { Collection } from 'mongodb';
import { now } from './clock.ts';
import type { ApiKeyRow } from './store.ts';

const FLUSH_MS = 60_000;

/** Collects uses between writes. What a crash loses is at most a minute of "last used". */
export interface KeyUse {
  used(keyId: string): void;
  /** Writes what was collected; errors are left for the next time. */
  flush(): Promise<void>;
  stop(): void;
}

export function keyUse(keys: Collection<ApiKeyRow>): KeyUse {
  let seen = new Set<string>();

  async function flush(): Promise<void> {
    if (seen.size === 0) return;
    const ids = [...seen];
    seen = new Set();
    try {
      await keys.updateMany({ _id: { $in: ids } }, { $set: { last_used_at: now() } });
    } catch {
      for (const id of ids) seen.add(id);
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_MS);
  timer.unref();
  return { used: (keyId) => void seen.add(keyId), flush, stop: () => clearInterval(timer) };
}
