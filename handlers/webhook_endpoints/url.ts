/** What is wrong with the URL of an endpoint (D-28). */
import type { Violation } from '../answers/errors.ts';
import type { RefusedRequest } from '../http/handler.ts';

/** For a request that is refused anyway: what is wrong with its URL, if it has one. */
export async function urlViolations({
  body: { url },
  webhooks,
}: RefusedRequest<'createWebhookEndpoint'>): Promise<Violation[]> {
  if (url === undefined) return [];
  const accepted = await webhooks.accept(url);
  return 'problem' in accepted ? [{ field: 'url', description: accepted.problem }] : [];
}
