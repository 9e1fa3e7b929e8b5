/**
 * Rehearses requests, so that the first real one finds compiled code, a connection to the database and the key of page
 * tokens. The requests take the whole way of a real one: a socket, the parser, the application, the database. Nothing of
 * them stays: their key and their tenant exist nowhere, so every command finds nothing and changes nothing; what it
 * would have found is invented here. Without it the first request takes seven times as long as later ones instead of
 * 1.5 times, and each start of a deployment has such requests.
 */
import { randomUUID } from 'node:crypto';
import { Agent, get } from 'node:http';
import { Long, serialize } from 'bson';
import { Router } from 'express';
import { operations, prefix } from '../generated/operations.ts';
import { hashKey, newKey } from './access/keys.ts';
import type { ApiKeyRow } from './data/collections/api_keys.ts';
import type { RateLimitRow } from './data/collections/rate_limits.ts';
import type { TenantRow } from './data/collections/tenants.ts';
import type { UserRow } from './data/collections/users.ts';
import type { Store } from './data/store.ts';
import { employeeLayout } from './employees/view.ts';
import { listen } from './http/listener.ts';
import { sharedRateLimiter } from './http/rate.ts';
import { createServer, type ServerParts } from './http/server.ts';
import { now } from './process/clock.ts';

/** After so many the time of a request hardly falls any more. */
export const REHEARSALS = 30;
/** A slow database must not delay a start for long. */
const LONGEST_MS = 2_000;

/**
 * Rehearses before the process says that it is ready. It ends at the first request that is not answered with 200, such
 * as when the database goes away, and never fails.
 * @param stopping aborted when the process stops
 * @returns how many requests were answered with 200
 */
export async function rehearse(parts: ServerParts, stopping: AbortSignal, longestMs = LONGEST_MS): Promise<number> {
  const secret = newKey('none');
  const employeeId = randomUUID();
  const store = stageOf(parts.gate.store, secret, employeeId);
  const app = createServer({
    ...parts,
    gate: { ...parts.gate, store, limiter: sharedRateLimiter(store.rate_limits), used: () => {} },
    log: parts.log.child({}, { level: 'silent' }),
    isRehearsal: true,
    publicPaths: Router(),
  });
  const limits = { maxConnections: 1, headersTimeoutMs: LONGEST_MS, requestTimeoutMs: LONGEST_MS };
  const address = { host: '127.0.0.1', port: 0 };
  const opening = listen(app, { ...limits, ...address, refuse: (socket) => socket.destroy() });
  const listener = await opening.catch(() => undefined);
  if (listener === undefined) return 0;
  const agent = new Agent({ keepAlive: true });
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(longestMs)]);
  const url = `${listener.url}${prefix}${operations.getEmployee.route.replace(/:\w+/, employeeId)}`;
  const ask = () =>
    new Promise<number | undefined>((resolve) => {
      get(url, { agent, signal, headers: { 'X-API-Key': secret } }, (answer) => {
        answer.resume();
        answer.once('close', () => resolve(answer.statusCode));
      }).once('error', () => resolve(undefined));
    });
  let answered = 0;
  while (answered < REHEARSALS && (await ask()) === 200) answered++;
  agent.destroy();
  await listener.stop();
  return answered;
}

/** The rows of one key, its owner and its tenant, which are nowhere in the database. */
function stageRows(secret: string, at: Date) {
  const [tenantId, ownerId, keyId] = [randomUUID(), randomUUID(), `rehearsal ${randomUUID()}`];
  const employees = { all: true, departments: [], reports: false, self: false };
  const owner: UserRow = {
    _id: ownerId,
    tenant_id: tenantId,
    label: '',
    employee_id: '',
    super_admin: false,
    removed_at: null,
    profile: { employees, hidden_fields: [], documents: 'own', document_types: [] },
    create_time: at,
    update_time: at,
  };
  const tenant: TenantRow = {
    _id: tenantId,
    name: '',
    developer_api_enabled: true,
    time_zone: 'Asia/Almaty',
    create_time: at,
    update_time: at,
  };
  const key: ApiKeyRow = {
    _id: keyId,
    tenant_id: tenantId,
    owner_id: ownerId,
    name: '',
    prefix: '',
    key_hash: hashKey(secret),
    scopes: ['employees:read'],
    created_by_super_admin: false,
    active: true,
    revoked_at: null,
    expires_at: null,
    last_used_at: null,
    create_time: at,
  };
  const bucket: RateLimitRow = { _id: keyId, tat: 0, at: 0, granted: 1, expires_at: at };
  return { owner, tenant, key, bucket };
}

/** A view of the store in which one key, its tenant and one employee exist, although nothing is in the database. */
function stageOf(store: Store, secret: string, employeeId: string): Store {
  const at = now();
  const { owner, tenant, key, bucket } = stageRows(secret, at);
  const { db, api_keys, rate_limits } = store;
  type Command = Parameters<typeof db.command>;
  type Aggregate = Parameters<typeof api_keys.aggregate>;
  const stage = {
    db: {
      collection: (name: string) => db.collection(name),
      command: async (...command: Command) => {
        await db.command(...command);
        return { cursor: serialize({ firstBatch: [employeeAt(at, employeeId)], id: Long.ZERO, ns: '' }) };
      },
    },
    api_keys: {
      aggregate: (...asked: Aggregate) => ({
        toArray: async () => {
          await api_keys.aggregate(...asked).toArray();
          return [{ ...key, owner: [owner], tenant: [tenant] }];
        },
      }),
    },
    rate_limits: {
      findOneAndUpdate: async (filter: { _id: string }, update: object[], options: object) => {
        await rate_limits.findOneAndUpdate(filter, update, { ...options, upsert: false });
        return bucket;
      },
    },
  };
  return { ...store, ...stage } as unknown as Store;
}

/** A row of an employee as the database returns it. */
function employeeAt(at: Date, _id: string): object {
  const fields = Object.keys(employeeLayout.options.projection);
  const value = (field: string) => (field.endsWith('_time') ? at : field.endsWith('_date') ? '' : 'none');
  return { ...Object.fromEntries(fields.map((field) => [field, value(field)])), _id };
}
