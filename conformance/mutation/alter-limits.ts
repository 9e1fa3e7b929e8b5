/** Limiters in the place of the target’s own. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Model } from '../judge/oracle-models.ts';
import { keyOf, made, madeError, noted, parse, setHeader } from './alter.ts';
import type { Alter, Memory, ProxiedAnswer, ProxiedRequest } from './fault.ts';

/** An answer of the limit. */
export function refusal(): ProxiedAnswer {
  const answer = madeError('RATE_LIMIT_EXCEEDED');
  const json = parse(answer.body);
  json.details.splice(1, 0, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.100s' });
  answer.body = Buffer.from(JSON.stringify(json));
  setHeader(answer, 'Retry-After', '1');
  return answer;
}

/** Another kind of limiter decides for the load key (or for the bucket that `bucketOf` names). */
export function limiter(
  make: () => Model,
  bucketOf: (asked: ProxiedRequest, memory: Memory) => string | undefined = (asked, memory) =>
    keyOf(asked) === memory.key('load') ? 'load' : undefined,
): Alter {
  return async (asked, forward, memory) => {
    const bucket = bucketOf(asked, memory);
    if (bucket === undefined) return forward(asked);
    const { admitted, delayMs } = noted(memory, `bucket ${bucket}`, make).take(performance.now());
    if (!admitted) return refusal();
    if (delayMs > 0) await sleep(delayMs);
    return made(200, {});
  };
}

/** Whether an answer is that of the limit. */
export const isRefused = ({ status }: ProxiedAnswer) => status === 429;
