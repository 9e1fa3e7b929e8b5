/** Passes the time of a test instance's control clock on to its other processes. */

/** The header of a request by which a process passes its clock on. */
export const FROM_PEER = 'x-control-peer';
/** A peer that is gone refuses at once; one on a busy machine may answer seconds later. */
const PEER_MS = 10_000;

/** Sets the control clocks of other processes, at their addresses. @returns those that were not set */
export async function unsetPeers(peers: readonly string[], offsetMs: number): Promise<string[]> {
  const headers = { 'Content-Type': 'application/json', [FROM_PEER]: 'true' };
  const body = JSON.stringify({ offset_ms: offsetMs });
  const asked = peers.map(async (peer) => {
    const signal = AbortSignal.timeout(PEER_MS);
    const { ok } = await fetch(`${peer}/clock`, { method: 'POST', headers, body, signal });
    return ok;
  });
  const answers = await Promise.allSettled(asked);
  return peers.filter((_, i) => answers[i]?.status !== 'fulfilled' || !answers[i].value);
}
