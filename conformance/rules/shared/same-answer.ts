/** Whether answers can be distinguished: what does not exist must look the same as what the owner may not see. */

import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';

/** Headers that differ between answers, whatever was asked. */
const VARYING = /^(date|x-request-id|ratelimit|ratelimit-policy|retry-after|content-length|connection|keep-alive)$/i;

function essence(answer: Answer, ids: readonly string[]): unknown {
  const headers = answer.exchange.headers.filter(([name]) => !VARYING.test(name));
  let text = answer.text.replace(/"request_id":"[^"]*"/g, '"request_id":""');
  for (const id of ids) text = text.replaceAll(id, '(id)');
  return { status: answer.status, headers: headers.sort(([a], [b]) => (a < b ? -1 : 1)), text };
}

/** Two answers must be the same except for request id, time, rate limit fields, and the requested ids. */
export function mustLookTheSame(
  t: TestContext,
  answer: Answer,
  reference: Answer,
  what: string,
  ids: readonly string[] = [],
): void {
  t.equal(essence(answer, ids), essence(reference, ids), `${what} differs from an unknown one`, answer);
}
