/** Requests of a client with a key, for tests and checks. */

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers differ, and the conformance suite checks their shapes
  readonly body: any;
  /** The textual code of a refusal; `''` for a success. */
  readonly reason: string;
  /** The fields that a refusal names, in its order. */
  readonly fields: readonly string[];
}

/** The nth of keys, or of other things, that are used in turn. @throws Error if there is none */
export function inTurn<T>(all: readonly T[], nth: number): T {
  if (all.length === 0) throw new Error('there is nothing to take turns with');
  return all[nth % all.length] as T;
}

/** How a sentence goes on that begins with the name of a field. */
const PREDICATE = /^(is|must|has|was|can|cannot|goes|comes|took|ends|names|contains|brings|needs|belongs) /;

/** @throws Error if a refusal does not tell in a sentence what is wrong */
function errorIn(body: JsonAnswer['body']): Pick<JsonAnswer, 'reason' | 'fields'> {
  const details: { reason?: string; field_violations?: { field: string; description: string }[] }[] =
    body?.details ?? [];
  const violations = details.find((detail) => detail.field_violations !== undefined)?.field_violations ?? [];
  for (const { field, description } of violations) {
    if (!PREDICATE.test(description)) throw new Error(`a refusal is no sentence: ${field} ${description}`);
  }
  return { reason: details[0]?.reason ?? '', fields: violations.map(({ field }) => field) };
}

/**
 * Sends a request.
 * @param body a text and bytes are sent as they are, anything else as JSON
 * @param more further headers
 */
export async function ask(
  method: string,
  url: string,
  key: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<JsonAnswer> {
  const isAsItIs = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await fetch(url, {
    method,
    headers: { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...more },
    ...(body !== undefined && { body: isAsItIs ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const parsed = await answer.json();
  return { status: answer.status, headers: answer.headers, body: parsed, ...errorIn(parsed) };
}
