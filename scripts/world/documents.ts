/** A tenant with what documents need, and handlers called as dispatch calls them. */
import { randomUUID } from 'node:crypto';
import { type Answers, type Inputs, type OperationId, operations } from '../../generated/contract.ts';
import { type Caller, callerOf } from '../../handlers/access/caller.ts';
import { findCredentials } from '../../handlers/access/keys.ts';
import { ApiError, refuseIfAny } from '../../handlers/answers/errors.ts';
import { fingerprintOf } from '../../handlers/data/canonical-json.ts';
import type { PermissionProfile } from '../../handlers/data/collections/users.ts';
import { everyTime, keyedOnce } from '../../handlers/data/idempotency.ts';
import { pageTokens } from '../../handlers/data/page.ts';
import { giveFormOfHandlers } from '../../handlers/http/body-fields.ts';
import type { BodyChecks, Handler } from '../../handlers/http/handler.ts';
import { checks } from '../../handlers/index.ts';
import { now } from '../../handlers/runtime/clock.ts';
import { uploadKey } from '../../handlers/storage/storage.ts';
import { reservationRow } from './file-row.ts';
import { MemoryStorage } from './memory-storage.ts';
import { plainAnswer } from './plain-answer.ts';
import { SEES_ALL, TestTenant } from './tenant.ts';

/** The page tokens of every caller of a test. */
export const tokens = pageTokens([new Uint8Array(32).fill(7)]);

interface Outcome<Id extends OperationId> {
  readonly answer?: Answers[Id];
  readonly replayed: boolean;
  /** The error's name in the catalogue; `''` where there is an answer. */
  readonly error: string;
  readonly fields: readonly string[];
  readonly retryAfterMs: number | undefined;
}

export class Owner {
  readonly employeeId: string;
  readonly userId: string;
  private readonly secret: string;
  private readonly fixture: TenantFixture;

  constructor(fixture: TenantFixture, secret: string, userId: string, employeeId: string) {
    this.fixture = fixture;
    this.secret = secret;
    this.userId = userId;
    this.employeeId = employeeId;
  }

  /** The caller as dispatch makes it for each request. */
  async caller(): Promise<Caller> {
    const credentials = await findCredentials(this.fixture.store, this.secret);
    if (credentials === undefined) throw new Error('the key of the test is not valid');
    return callerOf(credentials, this.fixture.store, tokens);
  }

  /** Calls a handler. @param key the Idempotency-Key, if any */
  async call<Id extends OperationId>(
    handler: Handler<Id>,
    input: { path?: object; query?: object; body?: unknown },
    key?: string,
  ): Promise<Outcome<Id>> {
    const { path = {}, query = {}, body: sent } = input;
    const caller = await this.caller();
    let replayed = false;
    const scope = { tenantId: caller.tenant.id, apiKeyId: caller.keyId, operationId: handler.name };
    const once =
      key === undefined
        ? everyTime
        : keyedOnce(
            this.fixture.store.idempotency_claims,
            { ...scope, idempotencyKey: key },
            fingerprintOf(sent as never),
            caller.writing,
            () => {
              replayed = true;
            },
          );
    const body = structuredClone(sent);
    giveFormOfHandlers(body, operations[handler.name as Id]);
    const given = { path, query: { limit: 100, ...query }, body } as Inputs[Id];
    try {
      const check = checks[handler.name as keyof BodyChecks];
      refuseIfAny((await check?.({ caller, path, body, wrong: new Set() } as never)) ?? []);
      const answer = await handler({ caller, storage: this.fixture.storage, once, ...given } as never);
      return { answer: plainAnswer(answer), replayed, error: '', fields: [], retryAfterMs: undefined };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const fields = (error.extras.violations ?? []).map(({ field }) => field);
      return { replayed, error: error.errorName, fields, retryAfterMs: error.extras.retryAfterMs };
    }
  }
}

/** A tenant of its own on a store, with storage in memory. */
export class TenantFixture extends TestTenant {
  readonly storage = new MemoryStorage();

  /** A user with a key and an employee; `''` for none. */
  async owner(profile: Partial<PermissionProfile> = {}, employee?: string): Promise<Owner> {
    const employeeId = employee ?? (await this.employee());
    const own = { ...SEES_ALL, documents: 'own', ...profile } as const;
    const userId = await this.user({ employee_id: employeeId, profile: own });
    return new Owner(this, await this.key({ owner_id: userId }), userId, employeeId);
  }

  async upload(owner: Owner): Promise<string> {
    const _id = randomUUID();
    const key = uploadKey(this.id, _id);
    const version = this.storage.upload(key, '%PDF-1.7 test');
    const row = reservationRow({
      _id,
      tenant_id: this.id,
      owner_id: owner.userId,
      reserved_bytes: 13,
      status: 'FILE_UPLOAD_STATUS_UPLOADED',
      object: { key, version, size_bytes: 13, sha256: '0'.repeat(64) },
      confirmed_at: now(),
      sweep_at: null,
    });
    await this.store.files.insertOne(row);
    return _id;
  }

  async counts(): Promise<Record<string, number>> {
    const names = (await this.store.db.listCollections().toArray()).map(({ name }) => name).sort();
    const counts = await Promise.all(names.map((name) => this.store.db.collection(name).countDocuments({})));
    return Object.fromEntries(names.map((name, i) => [name, counts[i] ?? 0]));
  }
}
