/** The deployment of the suites of events and ingest, what they write to it, and what a process may not log. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EmployeeRow } from '../../../handlers/data/collections/employees.ts';
import { NO_LEASE } from '../../../handlers/data/lease.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { newEmployee } from '../../../handlers/employees/write/employee-rows.ts';
import { writeEmployees } from '../../../handlers/employees/write/employees.ts';
import { ask } from '../../testbed/ask.ts';
import { OwnDatabase } from '../../testbed/database.ts';
import { Deployment } from '../../testbed/deployment.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { Result, Suite, SuiteOptions } from './suite.ts';

/** How long the suite itself waits at most for one answer of the database. */
const DATABASE_MS = 20_000;

/** A deployment whose database can be killed, with a receiver of its events. */
export type Fleet = Deployment<OwnDatabase>;

/** Waits without doing anything. */
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The variable that makes a process load a file of this folder first. */
export const preloading = (file: string) => ({
  NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, file))} --disable-warning=ExperimentalWarning`,
});

/** The levels of log lines that report unexpected errors. */
const ERROR_LEVELS: readonly unknown[] = ['error', 'fatal'];

/**
 * Whether a suite itself causes what is logged: its database is away, or nobody can decrypt the secret of its endpoint.
 */
function isCaused({ event, error }: Record<string, unknown>): boolean {
  const { kind = '', code } = (error ?? {}) as { readonly kind?: string; readonly code?: unknown };
  if (/_unavailable$/.test(String(event))) return true;
  return event === 'delivery_not_sent' || kind.startsWith('Mongo') || /^E[A-Z]+$/.test(String(code));
}

/** One sentence for each unexpected error that a process has logged. @param log its lines */
export function faultsIn(log: readonly Record<string, unknown>[]): string[] {
  const errors = log.filter((line) => ERROR_LEVELS.includes(line.level) && !isCaused(line));
  return errors.map((line) => `an error: ${JSON.stringify(line)}`);
}

/**
 * Writes new employees as the application does, each with its event.
 * @param repeating how often the write is tried; by default once
 * @returns what was written
 */
export async function hireEmployees(
  store: Store,
  tenantId: string,
  count: number,
  repeating: (write: () => Promise<unknown>) => Promise<unknown> = (write) => write(),
): Promise<EmployeeRow[]> {
  const moment = { now: new Date(), today: new Date().toISOString().slice(0, 10) };
  const rows = Array.from({ length: count }, () =>
    newEmployee(tenantId, { _id: 'nobody', rev: 0 }, { start_date: '2024-01-01' }, moment),
  );
  // Rows of a repeated write that already exist were written by an earlier attempt.
  const changes = rows.map((after) => ({ before: null, after }));
  await repeating(() => writeEmployees(store, tenantId, changes));
  return rows;
}

/** Like {@link hireEmployees}, even if there is an outage of the database. */
export function hirePatiently({ store }: Fleet, tenantId: string, count: number): Promise<EmployeeRow[]> {
  return hireEmployees(store, tenantId, count, patiently);
}

/** Waits until the receiver has an event of this employee. */
export async function arrival({ receiver }: Fleet, subject: string, withinMs: number): Promise<void> {
  const isThere = () => receiver.received.some((event) => event.subject === subject);
  await eventually('a delivery', isThere, withinMs);
}

/** The service broke a promise. */
export class BrokenPromise extends Error {}

/** A batch to send, by a client that sends it until it is accepted. */
export interface SentBatch {
  readonly payload_type: string;
  readonly records: readonly object[];
  readonly key: string;
  /** By default a new one. */
  readonly idempotencyKey?: string;
  /** How long the client repeats the request while it is refused for a time, in milliseconds. */
  readonly withinMs: number;
}

/** What says that a batch under this key was already accepted, although the answer was lost. */
const ACCEPTED_BEFORE = 'INTEGRATION.IDEMPOTENCY_REQUIRED';

/**
 * Sends a batch until it is accepted. @returns the request's id
 * @param url returns the server for the next request
 * @throws BrokenPromise for an answer that means that it never will be; another Error if the server is gone
 */
export function sendBatch(url: () => string, batch: SentBatch, send: typeof fetch = fetch): Promise<string> {
  const { payload_type, records, key, idempotencyKey = randomUUID(), withinMs } = batch;
  const body = { payload_type, create_missing: true, records };
  const sending: typeof fetch = (input, init) => send(input, { ...init, signal: AbortSignal.timeout(withinMs) });
  return eventually(
    'a batch to be accepted',
    async () => {
      const target = `${url()}/developer/v1/ingest/KEDO`;
      const answer = await ask('POST', target, key, body, { 'Idempotency-Key': idempotencyKey }, sending);
      if (answer.status === 200) return answer.body.ingest_request_id as string;
      const { status, reason, headers } = answer;
      if (reason === ACCEPTED_BEFORE) return answer.body.details[0].metadata.ingest_request_id as string;
      const waitMs = Number(headers.get('retry-after')) * 1_000;
      if (!(waitMs > 0)) throw new BrokenPromise(`a batch of ${payload_type} got ${status} ${reason}`);
      await pause(Math.min(waitMs, 1_000));
      return undefined;
    },
    withinMs,
  );
}

/** Waits until the batches are applied, even if there is an outage of the database. */
export async function applied({ ingest_requests }: Store, ids: readonly string[], withinMs: number): Promise<void> {
  const pending = { _id: { $in: [...ids] }, status: { $ne: 'APPLIED' } } as const;
  const none = () => ingest_requests.countDocuments(pending).then((count) => count === 0);
  await eventually('batches to be applied', () => none().catch(() => undefined), withinMs);
}

/**
 * Ends the leases that dead or frozen processes have left, because the database's clock cannot be moved. No living
 * process may hold one.
 */
export async function endLeases(store: Store): Promise<void> {
  const over = { $set: { lease_until: NO_LEASE.lease_until } };
  await patiently(() => store.idempotency_claims.updateMany({ state: 'RUNNING' }, over));
  await patiently(() => store.ingest_requests.updateMany({ ended_at: null }, over));
  await patiently(() => store.deliveries.updateMany({ status: 'PENDING' }, over));
}

/** Does the work on a fleet of its own, and ends it. @throws Error when a process does not even start */
export async function withFleet<T>(work: (fleet: Fleet) => Promise<T>): Promise<T> {
  await using fleet = await Deployment.open(new OwnDatabase(), DATABASE_MS);
  await fleet.receive();
  return await work(fleet);
}

/** What a suite does on a fleet of its own. */
export const onFleet = (work: (fleet: Fleet, options: SuiteOptions) => Promise<Result>): Suite['run'] => {
  return (options) => withFleet((fleet) => work(fleet, options));
};

/** Repeats the work until the database is available, for two minutes at most. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  let last: unknown;
  return eventually(
    'an answer of the database',
    () =>
      work()
        .then((value) => ({ value }))
        .catch((error) => {
          last = error;
          return undefined;
        }),
    120_000,
  ).then(
    ({ value }) => value,
    () => {
      throw last;
    },
  );
}
