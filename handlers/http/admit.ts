/** The first checks of every request under the prefix (D-6): key (401), tenant's flag (403), rate (429). */
import type { Request, Response } from 'express';
import { type Caller, callerOf } from '../access/caller.ts';
import { type Credentials, findCredentials } from '../access/keys.ts';
import { fail } from '../answers/errors.ts';
import type { PageTokens } from '../data/page.ts';
import type { Store } from '../data/store.ts';
import { hurried } from '../data/write-timeout.ts';
import { writingInTurn } from '../fairness/work-in-turn.ts';
import { counter, countRefusal } from '../runtime/metrics.ts';
import type { FailureThrottle } from './failed-keys.ts';
import { RATE_LIMIT_POLICY, type RateLimiter, rateLimitField } from './rate.ts';
import type { RefusedCall } from './refused-calls.ts';

const rateLimitRefusals = counter(
  'rate_limit_refusals_total',
  'Calls refused by a rate limit: that of the key, or that of an address whose authentications fail.',
  'limit',
);
for (const limit of ['key', 'address']) rateLimitRefusals.inc({ limit }, 0);

/** What admission needs. */
export interface Gate {
  readonly store: Store;
  readonly limiter: RateLimiter;
  readonly failures: FailureThrottle;
  /** Page tokens need a key from the store, so they are available only once the store answers. */
  tokens(): Promise<PageTokens> | PageTokens;
  /** Notes that a key was used, for the settings tool's lists. */
  used(keyId: string): void;
  /** Notes that a call was refused, for the settings tool, too. */
  refused(call: RefusedCall): void;
}

/** Admits a request. @throws ApiError that refuses it */
export async function admit(gate: Gate, req: Request, res: Response): Promise<Caller> {
  const startedMs = performance.now();
  const credentials = await credentialsOf(gate, req);
  res.locals.keyId = credentials.key._id;
  res.locals.tenantId = credentials.tenant._id;
  if (!credentials.tenant.developer_api_enabled) fail('FEATURE_FLAG_OFF');
  const verdict = await gate.limiter.take(credentials.key._id);
  res.setHeader('RateLimit-Policy', RATE_LIMIT_POLICY);
  res.setHeader('RateLimit', rateLimitField(verdict));
  if (!verdict.admitted) {
    rateLimitRefusals.inc({ limit: 'key' });
    countRefusal(credentials.tenant._id, 'rate_limit');
    fail('RATE_LIMIT_EXCEEDED', { retryAfterMs: verdict.retryAfterMs });
  }
  gate.used(credentials.key._id);
  return callerFrom(gate, credentials, startedMs);
}

/**
 * Checks key, owner and flag of an admitted request again, whose body was under way meanwhile. It takes no token.
 * @throws ApiError that refuses it
 */
export async function readmit(gate: Gate, req: Request): Promise<Caller> {
  const startedMs = performance.now();
  const credentials = await credentialsOf(gate, req);
  if (!credentials.tenant.developer_api_enabled) fail('FEATURE_FLAG_OFF');
  return callerFrom(gate, credentials, startedMs);
}

async function credentialsOf(gate: Gate, req: Request): Promise<Credentials> {
  // A repeated header arrives joined by a comma, which no key contains.
  const secret = req.headers['x-api-key'];
  const credentials = typeof secret === 'string' ? await findCredentials(gate.store, secret) : undefined;
  if (credentials !== undefined) return credentials;
  if (await gate.failures.exceeded(req.ip ?? '')) {
    rateLimitRefusals.inc({ limit: 'address' });
    fail('RATE_LIMIT_EXCEEDED', {
      message: 'Too many failed authentications from this address; valid keys are not affected.',
      retryAfterMs: 1000,
    });
  }
  return fail('API_KEY_INVALID');
}

async function callerFrom(gate: Gate, credentials: Credentials, startedMs: number): Promise<Caller> {
  const writing = writingInTurn(credentials.tenant._id, hurried(gate.store.primary, startedMs));
  return callerOf(credentials, gate.store, await gate.tokens(), writing);
}
