/** Creations of endpoints, most of which must be refused. */

import { deleteHook } from '../../callbacks/hooks.ts';
import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';

/** Sends a creation unchanged. If the target accepts what it should refuse, nothing is left behind. */
export async function attempt(t: TestContext, body: unknown): Promise<Answer> {
  await t.mayWrite();
  const answer = await t.asAny('full').post('/webhook_endpoints', body);
  const id = (answer.json as { webhook_endpoint?: { id?: unknown } } | undefined)?.webhook_endpoint?.id;
  if (answer.status === 200 && typeof id === 'string') await deleteHook(t, { id });
  return answer;
}
