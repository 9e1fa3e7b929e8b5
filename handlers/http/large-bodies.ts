/**
 * Limits the bytes of large bodies that a process holds at once (D-33). Bytes are counted as they arrive, so a body
 * that is only announced keeps nobody out; while bytes are scarce, the tenants take turns. A tenant's bodies are read
 * at the same time only as long as their largest possible sizes fit into its share: with more, none might ever be
 * complete.
 */
import { Shares } from '../fairness/shares.ts';

const MIB = 1024 * 1024;
/** Four of the largest bodies. */
const BUDGET_BYTES = 128 * MIB;
/** The most that the bodies of one tenant may grow to together: two of the largest. */
const SHARE_BYTES = 64 * MIB;
/** How many bytes a body is given at a time. */
const STEP_BYTES = MIB;

/** The memory granted to one body as it grows. */
export interface BodyRoom {
  /** How many bytes it may have now. */
  readonly bytes: number;
  /** Gets room for at least `bytes` in all. @throws ApiError UNAVAILABLE when it takes too long */
  grow(bytes: number): Promise<void>;
  /** Gives all of it back, once the body is no longer needed. A second call does nothing. */
  release(): void;
}

/** The room of ordinary bodies, whose bytes are not counted. */
export const anyRoom: BodyRoom = { bytes: Number.POSITIVE_INFINITY, grow: async () => {}, release: () => {} };

/** `shares` counts the largest possible sizes of bodies, `bytes` their present sizes. A body that waits is not read. */
export interface Budgets {
  readonly shares: Shares;
  readonly bytes: Shares;
}

const usual: Budgets = {
  shares: new Shares({ inAll: Number.POSITIVE_INFINITY, ofTenant: SHARE_BYTES }),
  bytes: new Shares({ inAll: BUDGET_BYTES, ofTenant: Number.POSITIVE_INFINITY }),
};

/**
 * Makes the room for a large body. Its first step is free, since ordinary bodies are not counted either.
 * @param mostBytes its largest possible size
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
      // The client may have gone while this waited; then the room is given back at once.
      if (isOver) give();
    },
    release() {
      isOver = true;
      give();
    },
  };
}
