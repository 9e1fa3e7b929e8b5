/**
 * How many bytes of large bodies a process holds at once (D-33). They are counted as they come, so that what is only
 * announced keeps nobody out, and where they are short the tenants take turns. Of each tenant so many bodies are read at
 * once as may become its share: with more of them, none might ever be whole.
 */
import { Shares } from '../fairness/shares.ts';

const MIB = 1024 * 1024;
/** Four of the largest bodies. */
const BUDGET_BYTES = 128 * MIB;
/** What the bodies of one tenant may become: two of the largest. */
const SHARE_BYTES = 64 * MIB;
/** Bytes that a body gets at a time. */
const STEP_BYTES = MIB;

/** The bytes of one body, as it grows. */
export interface BodyRoom {
  /** How many bytes it may have now. */
  readonly bytes: number;
  /** Gets room for so many bytes in all, and some more. @throws ApiError UNAVAILABLE when it takes too long */
  grow(bytes: number): Promise<void>;
  /** Gives all of it back, once the body is no longer needed. A second call does nothing. */
  release(): void;
}

/** Of ordinary bodies nobody counts the bytes. */
export const anyRoom: BodyRoom = { bytes: Number.POSITIVE_INFINITY, grow: async () => {}, release: () => {} };

/** What bodies may become, and what they are; nothing of a body is read while it waits for either. */
export interface Budgets {
  readonly shares: Shares;
  readonly bytes: Shares;
}

const usual: Budgets = {
  shares: new Shares({ inAll: Number.POSITIVE_INFINITY, ofTenant: SHARE_BYTES }),
  bytes: new Shares({ inAll: BUDGET_BYTES, ofTenant: Number.POSITIVE_INFINITY }),
};

/**
 * The room for a large body. Its first step is free, since ordinary bodies are not counted either.
 * @param mostBytes what it may become
 */
export function roomFor(tenantId: string, mostBytes: number, { shares, bytes: held }: Budgets = usual): BodyRoom {
  let [share, taken] = [0, 0];
  let isOver = false;
  const give = () => {
    if (taken > 0) held.release(tenantId, taken);
    if (share > 0) shares.release(tenantId, share);
    [share, taken] = [0, 0];
  };
  return {
    get bytes() {
      return STEP_BYTES + taken;
    },
    async grow(bytes) {
      const more = Math.ceil((bytes - STEP_BYTES - taken) / STEP_BYTES) * STEP_BYTES;
      if (more <= 0) return;
      if (share === 0) {
        await shares.take(tenantId, mostBytes);
        share = mostBytes;
      }
      if (!isOver) {
        await held.take(tenantId, more);
        taken += more;
      }
      // Whoever sent it may be gone by now.
      if (isOver) give();
    },
    release() {
      isOver = true;
      give();
    },
  };
}
