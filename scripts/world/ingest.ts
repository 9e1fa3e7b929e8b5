/** Batches for tests, as acceptance stores them, and stores whose process is killed or paused. */
import { deepEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IngestOutcomeRow } from '../../handlers/data/collections/ingest_outcomes.ts';
import type { IngestRequestRow } from '../../handlers/data/collections/ingest_requests.ts';
import { collectionNames, type Store } from '../../handlers/data/store.ts';
import { applyIngest, checkBatch } from '../../handlers/ingest/apply/apply-ingest.ts';
import type { RecordOutcome } from '../../handlers/ingest/apply/plan.ts';
import { now } from '../../handlers/runtime/clock.ts';

export interface TestBatch {
  readonly pair: `${string}/${string}`;
  readonly records: readonly unknown[];
  readonly createMissing?: boolean;
  readonly chunkRecords?: number;
  readonly id?: string;
}

let order = 0;

function chunksOf({ records, chunkRecords = 500 }: TestBatch) {
  return Array.from({ length: Math.ceil(records.length / chunkRecords) }, (_, index) => {
    const first_record = index * chunkRecords;
    return { first_record, records: JSON.stringify(records.slice(first_record, first_record + chunkRecords)) };
  });
}

function askedOf({ pair, createMissing: create_missing = true }: TestBatch) {
  const [source_type = '', payload_type = ''] = pair.split('/');
  return { source_type, payload_type, create_missing };
}

/**
 * Accepts and applies a batch. The outcomes must be what its check has said.
 * @returns them, in the order of the records
 */
export async function appliedAsChecked(store: Store, tenant_id: string, batch: TestBatch): Promise<IngestOutcomeRow[]> {
  const said = await checkBatch(store, { tenant_id, ...askedOf(batch) }, chunksOf(batch));
  const request_id = await accept(store, tenant_id, batch);
  await applyIngest(store, tenant_id, new AbortController().signal);
  const rows = await store.ingest_outcomes.find({ tenant_id, request_id }).sort({ index: 1 }).toArray();
  const shown = ({ index, external_id, outcome, reason, unresolved }: RecordOutcome | IngestOutcomeRow) =>
    JSON.stringify({ index, external_id, outcome, reason, unresolved });
  deepEqual(said.map(shown), rows.map(shown));
  return rows;
}

/** Stores a batch; it is not applied. @returns the request's id */
export async function accept(store: Store, tenantId: string, batch: TestBatch): Promise<string> {
  const { records, id = randomUUID() } = batch;
  const create_time = now();
  const chunks = chunksOf(batch);
  for (const [index, chunk] of chunks.entries()) {
    const ids = { _id: `${id}:${index}`, tenant_id: tenantId, request_id: id };
    await store.ingest_chunks.insertOne({ ...ids, index, ...chunk, create_time });
  }
  const row: IngestRequestRow = {
    _id: id,
    tenant_id: tenantId,
    api_key_id: randomUUID(),
    accepted_order: ++order,
    key_hash: randomUUID(),
    key_expires_at: create_time,
    ...askedOf(batch),
    record_count: records.length,
    chunk_count: chunks.length,
    status: 'ACCEPTED',
    cursor: 0,
    counts: { created: 0, updated: 0, unchanged: 0, skipped: 0 },
    lease_id: '',
    lease_until: new Date(0),
    create_time,
    started_at: null,
    ended_at: null,
  };
  await store.ingest_requests.insertOne(row);
  return id;
}

export class ProcessKilled extends Error {}

const isWrite = (method: string) => /^(insert|update|replace|delete|bulkWrite|findOneAnd|command)/.test(method);

/** One write that is about to happen. */
interface Write {
  /** Counted from 1. */
  readonly number: number;
  readonly isBulk: boolean;
  run(): unknown;
  half(): unknown;
}

/** A store that passes every write, and every other call, to a function first. */
function watched(store: Store, onWrite: (write: Write) => unknown, onRead: () => void = () => {}): Store {
  let number = 0;
  function call(target: object, name: string, method: (...args: unknown[]) => unknown, args: unknown[]): unknown {
    const run = () => method.apply(target, args);
    if (!isWrite(name)) {
      onRead();
      return run();
    }
    const [list, ...rest] = args;
    const isBulk = /Many|bulk/.test(name) && Array.isArray(list) && list.length > 1;
    const half = () =>
      method.apply(target, [(list as unknown[]).slice(0, Math.ceil((list as unknown[]).length / 2)), ...rest]);
    return onWrite({ number: ++number, isBulk, run, half });
  }
  const collection = <Target extends object>(target: Target) =>
    new Proxy(target, {
      get(_, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => call(target, String(name), value as (...args: unknown[]) => unknown, args);
      },
    });
  const collections = collectionNames.map((name) => [name, collection(store[name as 'employees'])]);
  const { command } = collection(store.db);
  const db = { command, collection: (name: string) => collection(store.db.collection(name)) };
  return { ...store, ...Object.fromEntries(collections), db };
}

/** A store whose process is killed before its n-th write, or in the middle of a bulk: then every call fails. */
export function mortal(store: Store, killedAt: number, where: 'before' | 'middle') {
  let writes = 0;
  let isDead = false;
  const bulks: number[] = [];
  const onWrite = async ({ number, isBulk, run, half }: Write) => {
    if (isDead) throw new ProcessKilled();
    writes = number;
    if (isBulk) bulks.push(number);
    if (number !== killedAt) return run();
    isDead = true;
    if (isBulk && where === 'middle') await half();
    throw new ProcessKilled();
  };
  const killed = watched(store, onWrite, () => {
    if (isDead) throw new ProcessKilled();
  });
  return {
    store: killed,
    writes: () => writes,
    bulks,
  };
}

/**
 * Does work on stores whose process is killed before the first write, the second, and so on, until one is not killed.
 * @returns how many were killed
 */
export async function killedInTurn(store: Store, work: (on: Store) => Promise<unknown>): Promise<number> {
  for (let kills = 0; ; kills++) {
    try {
      await work(mortal(store, kills + 1, 'before').store);
      return kills;
    } catch (error) {
      if (!(error instanceof ProcessKilled)) throw error;
    }
  }
}

/** A store whose process is paused before its n-th write, until the test lets it continue. */
export function pausing(store: Store, pausedAt: number) {
  const paused = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const onWrite = async ({ number, run }: Write) => {
    if (number === pausedAt) {
      paused.resolve();
      await goOn.promise;
    }
    return run();
  };
  return { store: watched(store, onWrite), paused: paused.promise, goOn: goOn.resolve };
}
