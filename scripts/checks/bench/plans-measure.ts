/** For the benches of plans: measures what a call costs the database, and makes the owners who call. */
import { randomUUID } from 'node:crypto';
import { callerOf } from '../../../handlers/access/caller.ts';
import { findCredentials } from '../../../handlers/access/credentials.ts';
import { hashKey, newKey, shownPrefix } from '../../../handlers/access/keys.ts';
import type { PermissionProfile } from '../../../handlers/data/collections/users.ts';
import { bindingOf, pageTokens } from '../../../handlers/data/page.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { listDocuments } from '../../../handlers/documents/listDocuments.ts';
import { listEmployees } from '../../../handlers/employees/listEmployees.ts';
import { examinedBy, type Sent } from '../../testbed/examined.ts';
import { plainAnswer } from '../../testbed/plain-answer.ts';
import { SEES_ALL } from '../../testbed/tenant.ts';
import { median, percentile } from '../statistics.ts';

const LIMIT = 100;
const tokens = pageTokens([new Uint8Array(32).fill(7)]);

interface Line {
  readonly name: string;
  readonly outcome: string;
  readonly rows: number;
  /** The median of the rounds, and their 99th percentile. */
  readonly ms: number;
  readonly p99: number;
  readonly keys: number;
  readonly documents: number;
}

type Call = () => Promise<readonly unknown[]>;

/** The permission profile of the caller. */
export type Profile = Partial<PermissionProfile>;

export interface BenchOptions {
  /** A part of the names of what is measured. */
  readonly only: string;
  readonly json: boolean;
  /** How often each call is made. */
  readonly rounds: number;
  /** Whether the database may keep the plans of earlier calls. */
  readonly warm: boolean;
}

/** Measures, and prints each measurement. */
export class Bench {
  readonly lines: Line[] = [];
  readonly store: Store;
  private readonly take: () => readonly Sent[];
  private readonly options: BenchOptions;

  constructor(store: Store, take: () => readonly Sent[], options: BenchOptions) {
    this.store = store;
    this.take = take;
    this.options = options;
  }

  /** Whether something whose name contains the text may be measured. */
  mayMeasure(text: string): boolean {
    return this.options.only === '' || this.options.only.includes(text);
  }

  /** Runs a call and records what it costs. @param cool makes the database forget the plans of earlier calls */
  async measure(name: string, call: Call, cool: () => Promise<unknown> = async () => {}): Promise<void> {
    const { only, json, rounds, warm } = this.options;
    if (!name.includes(only)) return;
    const times: number[] = [];
    let rows = 0;
    let outcome = '';
    for (let round = 0; round < rounds; round++) {
      if (!warm) await cool();
      this.take();
      const startedAt = performance.now();
      await call().then(
        (found) => {
          rows = found.length;
        },
        (error: { code?: unknown; errorName?: unknown }) => {
          outcome = String(error.errorName ?? error.code ?? error);
        },
      );
      times.push(performance.now() - startedAt);
    }
    let [keys, documents] = [0, 0];
    for (const sent of this.take()) {
      const examined = await examinedBy(this.store.client, sent);
      keys += examined.keys;
      documents += examined.documents;
    }
    const [ms = 0, p99 = 0] = [median(times), percentile(times, 0.99)].map((time) => Math.round(time * 10) / 10);
    const line = { name, outcome, rows, ms, p99, keys, documents };
    this.lines.push(line);
    if (!json) console.log(written(line));
  }
}

function written({ name, outcome, rows, ms, p99, keys, documents }: Line): string {
  const numbers = [rows, ms, p99, keys, documents].map((value) => String(value).padStart(9)).join('');
  return `${name.padEnd(58)}${numbers}  ${outcome}`;
}

/** Calls lists as an owner with this profile would. */
export async function asOwner(store: Store, tenantId: string, profile: Profile, employeeId = '') {
  const times = { create_time: new Date(), update_time: new Date() };
  const owner_id = randomUUID();
  await store.users.insertOne({
    ...{ _id: owner_id, tenant_id: tenantId, label: 'bench', employee_id: employeeId, super_admin: false },
    ...{ profile: { ...SEES_ALL, ...profile }, removed_at: null, ...times },
  });
  const secret = newKey('bench');
  await store.api_keys.insertOne({
    ...{ _id: randomUUID(), tenant_id: tenantId, owner_id, name: 'bench', prefix: shownPrefix(secret) },
    ...{ key_hash: hashKey(secret), scopes: ['employees:read', 'documents:read'], created_by_super_admin: false },
    ...{ active: true, revoked_at: null, expires_at: null, last_used_at: null, create_time: new Date() },
  });
  const credentials = await findCredentials(store, secret);
  if (credentials === undefined) throw new Error('the key of the bench is not valid');
  const caller = callerOf(credentials, store, tokens);
  return {
    /**
     * The token of the last page of a list of employees.
     * @param filter the condition that the query means
     * @returns undefined if there is only one page
     */
    async lastPage(query: object, filter: object): Promise<string | undefined> {
      const [before] = await store.employees
        .find({ ...filter, tenant_id: tenantId, listed: true })
        .sort({ create_time: 1, _id: 1 })
        .skip(LIMIT)
        .limit(1)
        .toArray();
      if (before === undefined) return undefined;
      const position = { createTimeMs: before.create_time.getTime(), id: before._id };
      return tokens.seal(bindingOf('listEmployees', tenantId, query), LIMIT, position);
    },
    employees:
      (query: object): Call =>
      async () =>
        plainAnswer(await listEmployees({ caller, query: { limit: LIMIT, ...query } } as never)).employees,
    documents:
      (query: object): Call =>
      async () =>
        plainAnswer(await listDocuments({ caller, query: { limit: LIMIT, ...query } } as never)).documents,
  };
}
