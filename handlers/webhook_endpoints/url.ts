/** What is wrong with the URL of an endpoint (D-28). */
import type { Violation } from '../answers/errors.ts';
import type { CheckedRequest } from '../http/handler.ts';

/** What is wrong with the URL, if there is one. */
export async function urlViolations({
  body: { url },
  webhooks,
}: CheckedRequest<'createWebhookEndpoint'>): Promise<Violation[]> {
  if (url === undefined) return [];
  const problem = await webhooks.problemOf(url);
  return problem === undefined ? [] : [{ field: 'url', description: problem }];
}
