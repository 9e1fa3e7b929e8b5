/**
 * What a run needs from the target before and after k6: whether it answers, values for a template, an endpoint for
 * events.
 */

import { type Schema, valuesFor } from '../../../conformance/rules/shared/template-values.ts';
import { prefix } from '../../../generated/contract.ts';
import { EXIT, Failure, messageOf, misuse } from '../../kit/command-line.ts';

const TIMEOUT_MS = 15_000;
const EVENTS = ['document.sent', 'document.approval_started', 'document.signing_started', 'document.completed'];

/** Makes a few simple calls with one key. */
export class Target {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const init = {
      method,
      headers: { 'X-API-Key': this.#key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      redirect: 'manual' as const,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    let response: Response;
    try {
      response = await fetch(`${this.#baseUrl}${prefix}${path}`, init);
    } catch (error) {
      const why = messageOf((error as Error).cause ?? error);
      throw new Failure(
        EXIT.unreachable,
        `Nothing answers at ${this.#baseUrl} (${why}). Is the service running, and is base_url right?`,
      );
    }
    const text = await response.text();
    if (!response.ok) {
      misuse(`${method} ${path.split('?')[0]} answered ${response.status}: ${text.slice(0, 300)}`);
    }
    return text === '' ? {} : JSON.parse(text);
  }

  /** @throws Failure when nothing answers, or the key is not accepted */
  async verify(): Promise<void> {
    await this.#call('GET', '/api_key/_verify');
  }

  /** About how many employees the key's owner sees. */
  async employees(): Promise<number> {
    const answer = (await this.#call('GET', '/employees?limit=1&include_total=true')) as { total_count?: unknown };
    return Number(answer.total_count) || 0;
  }

  /** Values that fit a template's variables. */
  async templateValues(id: string): Promise<unknown> {
    const answer = (await this.#call('GET', `/document_templates/${id}`)) as {
      document_template: { variable_schema: Schema };
    };
    return valuesFor(answer.document_template.variable_schema);
  }

  async subscribe(url: string): Promise<{ id: string; secret: string }> {
    const answer = (await this.#call('POST', '/webhook_endpoints', { url, event_types: EVENTS })) as {
      webhook_endpoint: { id: string };
      secret: string;
    };
    return { id: answer.webhook_endpoint.id, secret: answer.secret };
  }

  async unsubscribe(id: string): Promise<void> {
    await this.#call('DELETE', `/webhook_endpoints/${id}`);
  }
}
