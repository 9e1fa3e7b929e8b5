/**
 * What a run needs from the target before and after k6: whether it answers, values for a template, an endpoint for
 * events.
 */

import { valuesFor } from '../../../conformance/rules/shared/template-values.ts';
import { prefix } from '../../../generated/contract.ts';
import { EXIT, Failure, messageOf, misuse } from '../../kit/command-line.ts';

const TIMEOUT_MS = 15_000;
const EVENTS = ['document.sent', 'document.approval_started', 'document.signing_started', 'document.completed'];

/** Makes a few simple calls with one key. */
export function targetAt(baseUrl: string, key: string) {
  async function call(method: string, path: string, body?: unknown) {
    const init = {
      method,
      headers: { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      redirect: 'manual' as const,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    let response: Response;
    try {
      response = await fetch(`${baseUrl}${prefix}${path}`, init);
    } catch (error) {
      const why = messageOf((error as Error).cause ?? error);
      throw new Failure(
        EXIT.unreachable,
        `Nothing answers at ${baseUrl} (${why}). Is the service running, and is base_url right?`,
      );
    }
    const text = await response.text();
    if (!response.ok) {
      misuse(`${method} ${path.split('?')[0]} answered ${response.status}: ${text.slice(0, 300)}`);
    }
    return text === '' ? {} : JSON.parse(text);
  }

  return {
    /** @throws Failure when nothing answers, or the key is not accepted */
    verify: () => call('GET', '/api_key/_verify'),

    /** About how many employees the key's owner sees. */
    async employees(): Promise<number> {
      const { total_count } = await call('GET', '/employees?limit=1&include_total=true');
      return Number(total_count) || 0;
    },

    /** Values that fit a template's variables. */
    async templateValues(id: string): Promise<unknown> {
      const { document_template } = await call('GET', `/document_templates/${id}`);
      return valuesFor(document_template.variable_schema);
    },

    async subscribe(url: string): Promise<{ id: string; secret: string }> {
      const { webhook_endpoint, secret } = await call('POST', '/webhook_endpoints', { url, event_types: EVENTS });
      return { id: webhook_endpoint.id, secret };
    },

    unsubscribe: (id: string) => call('DELETE', `/webhook_endpoints/${id}`),
  };
}
