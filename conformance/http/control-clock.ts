/** The control clock of a target, by which tests move its time. */
import { exchangeOverHttp } from './client.ts';
import { jsonFrom } from './exchange.ts';

/**
 * Asks the control clock how far it is moved, or moves it.
 * @param url as the profile has it
 * @param change absent to ask only
 * @returns the status of its answer, and by how many milliseconds it is moved then, if it says so
 * @throws NoAnswer
 */
export async function askClock(
  url: string,
  change?: { readonly offset_ms: number } | { readonly advance_ms: number },
): Promise<{ status: number; offsetMs: number | undefined }> {
  const { origin, pathname } = new URL(url);
  const { status, body } = await exchangeOverHttp({
    baseUrl: origin,
    method: change ? 'POST' : 'GET',
    target: `${pathname.replace(/\/$/, '')}/clock`,
    headers: change ? [['Content-Type', 'application/json']] : [],
    body: change && Buffer.from(JSON.stringify(change)),
  });
  const { offset_ms } = (jsonFrom(body) ?? {}) as { offset_ms?: unknown };
  return { status, offsetMs: typeof offset_ms === 'number' ? offset_ms : undefined };
}
