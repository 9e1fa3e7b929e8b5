/** What is wrong with the URL of an endpoint (D-28). */
import type { Violation } from '../http/errors.ts';
import type { RefusedRequest } from '../http/handler.ts';

/** Of a request that is refused anyway: what its URL is refused for, where it is one. */
export async function urlViolations({
  body: { url },
  webhooks,
}: RefusedRequest<'createWebhookEndpoint'>): Promise<Violation[]> {
  if (url === undefined) return [];
  const accepted = await webhooks.accept(url);
  return 'problem' in accepted ? [{ field: 'url', description: accepted.problem }] : [];
}
