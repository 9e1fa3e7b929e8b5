/** Requests that no HTTP library would send: bytes over a bare socket. */
import { connected, exchangeOverHttp, NoAnswer, type WireAnswer } from './client.ts';

/** How long a target may say nothing, so that a machine may stand still meanwhile. */
const SILENT_MS = 30_000;

/**
 * Sends bytes and reads one answer.
 * @throws NoAnswer with code `CLOSED` if the target closes without one, `TIMEOUT` if it says nothing
 */
export async function exchangeOverWire(baseUrl: string, bytes: Buffer, timeoutMs = SILENT_MS): Promise<WireAnswer> {
  try {
    return await exchangeOverHttp({ baseUrl, method: 'GET', target: '/', headers: [], bytes, timeoutMs });
  } catch (error) {
    if (!(error instanceof NoAnswer) || error.code === 'TIMEOUT') throw error;
    throw new NoAnswer('the connection was closed without an answer', 'CLOSED');
  }
}

/**
 * Sends bytes and reads until the target closes.
 * @param withinMs after the last byte
 * @returns how many final answers arrived, and whether the connection was closed within the time
 */
export function answersOverWire(
  baseUrl: string,
  bytes: Buffer,
  withinMs = 3000,
): Promise<{ answers: number; closed: boolean }> {
  return new Promise((resolve) => {
    const socket = connected(baseUrl).setTimeout(SILENT_MS, () => finish(false));
    let got = '';
    const finish = (closed: boolean) => {
      socket.destroy();
      resolve({ answers: got.match(/HTTP\/1\.[01] [2-5]\d\d\b/g)?.length ?? 0, closed });
    };
    socket.on('data', (part) => {
      got += part.toString('latin1');
      socket.setTimeout(withinMs);
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
    socket.write(bytes);
  });
}
