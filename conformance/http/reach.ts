/** Whether a target is there at all. */
import { exchangeOverHttp, NoAnswer } from './client.ts';

const PATIENCE_MS = 10_000;

/** Asks the target for anything. @returns a sentence if nothing answers, else '' */
export async function unreachable(baseUrl: string): Promise<string> {
  try {
    await exchangeOverHttp({
      baseUrl,
      method: 'GET',
      target: '/developer/v1/api_key/_verify',
      headers: [],
      // A target that is ending still answers on connections that are open.
      freshConnection: true,
      timeoutMs: PATIENCE_MS,
    });
    return '';
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return `Nothing answers at ${baseUrl} (${error.message}). Is the service running, and is base_url right?`;
  }
}
