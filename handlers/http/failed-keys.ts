/**
 * The limit on failed authentications (D-7): 100 a second for each peer address, over all processes of a deployment. It
 * does not concern requests with a valid key.
 *
 * Each process keeps a bucket of its own for each peer. From a row that all processes share it takes as many attempts
 * as wait for an answer, at least ten. So a flood costs the database at most one write for ten attempts that are let
 * through, and none for refused ones; and no attempt waits for more than a few writes, however slow the database is. So
 *
 * - in any t seconds, all processes together let through at most 100 + 100·t attempts of a peer, plus ten for each
 *   process: those that it has taken and not used yet;
 * - after a second without any attempt, they refuse none of the next 100;
 * - each process by itself lets through at most 100 + 100·t. Only this bound holds while the database is away; a
 *   process asks it again after a second.
 */
import ipaddr from 'ipaddr.js';
import type { Collection } from 'mongodb';
import type { RateLimitRow } from '../data/collections/rate_limits.ts';
import { isStoreAway } from '../data/database-unavailable.ts';
import { monotonicMs } from '../runtime/clock.ts';
import { type Bucket, takeTokens } from './rate.ts';

const PER_SECOND = 100;
const INTERVAL_MS = 1000 / PER_SECOND;
const CAPACITY_MS = 1000;
const BUCKET: Bucket = { intervalMs: INTERVAL_MS, capacityMs: CAPACITY_MS };
/** One attempt is left while TAT is at most this far ahead. */
const TOLERANCE_MS = CAPACITY_MS - INTERVAL_MS;
/** How many attempts a process takes from the shared bucket, if no more wait. It grants itself as many for a new peer. */
const LEASE = 10;
const MAX_PEERS = 10_000;
/** How long a process counts alone after it found the database away. */
const ALONE_MS = 1_000;

/** Takes all attempts that a peer has left in the shared bucket. @param id of its row */
export const useUp = (rows: Collection<RateLimitRow>, id: string) => takeTokens(rows, id, PER_SECOND, BUCKET);

/** Counts failed authentications. */
export interface FailureThrottle {
  /** Counts one attempt. @returns true if it exceeds the limit of that address; then it is not counted */
  exceeded(address: string): Promise<boolean>;
}

/** What a process knows of a peer. */
interface Peer {
  /** The theoretical arrival time (GCRA) of the process's own bucket. */
  tat: number;
  /** Attempts taken from the shared bucket and not used yet. */
  leased: number;
  /** When the shared bucket may have attempts again. */
  emptyUntil: number;
  /** The call to the shared bucket that is under way; all attempts wait for the same one. */
  taking: Promise<void> | undefined;
  /** How many attempts wait for that call. */
  waiting: number;
}

/** The IPv4 address, or the /64 network of an IPv6 address: a client usually controls the whole network. */
function peerOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

/**
 * Makes the throttle of a process. Its map is bounded: beyond 10,000 peers it forgets the one that failed longest ago.
 * @param rows shared by the processes of a deployment; absent where there is only one
 */
export function failureThrottle(
  rows: Collection<RateLimitRow> | undefined,
  now: () => number = monotonicMs,
): FailureThrottle {
  const peers = new Map<string, Peer>();
  let aloneUntil = rows === undefined ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;

  /** Takes from the shared bucket; if the database is away, lets the process count alone for a while. */
  async function lease(id: string, peer: Peer): Promise<void> {
    const wanted = Math.max(LEASE, peer.waiting);
    try {
      const { granted } = await takeTokens(rows as Collection<RateLimitRow>, id, wanted, BUCKET);
      peer.leased += granted;
      if (granted < wanted) peer.emptyUntil = now() + LEASE * INTERVAL_MS;
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      aloneUntil = now() + ALONE_MS;
    }
  }

  /** Whether all processes together have an attempt left. */
  async function isLeft(id: string, peer: Peer): Promise<boolean> {
    while (peer.leased === 0 && now() >= aloneUntil) {
      if (now() < peer.emptyUntil) return false;
      peer.waiting++;
      peer.taking ??= lease(id, peer).finally(() => {
        peer.taking = undefined;
      });
      try {
        await peer.taking;
      } finally {
        // One by one, so that the first who gets none knows how many others get none.
        peer.waiting--;
      }
    }
    peer.leased = Math.max(0, peer.leased - 1);
    return true;
  }

  return {
    async exceeded(address) {
      const id = `peer:${peerOf(address)}`;
      const peer = peerIn(peers, id);
      const at = now();
      const tat = Math.max(peer.tat, at);
      if (tat - at > TOLERANCE_MS) return true;
      // Counted before waiting, so that no more attempts wait for the database than the limit allows.
      peer.tat = tat + INTERVAL_MS;
      if (await isLeft(id, peer)) return false;
      peer.tat -= INTERVAL_MS;
      return true;
    },
  };
}

/** The peer, which becomes the one that failed last. */
function peerIn(peers: Map<string, Peer>, id: string): Peer {
  const peer = peers.get(id) ?? { tat: 0, leased: LEASE, emptyUntil: 0, taking: undefined, waiting: 0 };
  peers.delete(id);
  peers.set(id, peer);
  const [oldest = ''] = peers.keys();
  if (peers.size > MAX_PEERS) peers.delete(oldest);
  return peer;
}
