/** Creations of endpoints that are to be refused, mostly. */
import type { Answer } from '../answer.ts';
import { deleteHook } from '../callbacks/hooks.ts';
import type { Trial } from '../trial.ts';

/** A creation as it is. One that should have been refused and was not leaves nothing behind. */
export async function attempt(t: Trial, body: unknown): Promise<Answer> {
  await t.mayWrite();
  const answer = await t.as('full', { spread: true }).post('/webhook_endpoints', body);
  const id = (answer.json as { webhook_endpoint?: { id?: unknown } } | undefined)?.webhook_endpoint?.id;
  if (answer.status === 200 && typeof id === 'string') await deleteHook(t, { id });
  return answer;
}
