/** Documents and batches, many at once, begun again and again by clients that go on whatever happens to servers. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../../handlers/data/store.ts';
import { eventually } from '../../kit/eventually.ts';
import { type Acting, DocumentFlow } from './document-flow.ts';
import { untilAcknowledged } from './persistent.ts';

/** How many of each are under way at a time. */
export interface Lanes {
  /** Documents with a file or a template, a route, an approval and a signature. */
  readonly flows: number;
  /** Documents that are only created. */
  readonly creations: number;
  /** Employees, each loaded by two batches. */
  readonly employees: number;
}

const PAUSE_MS = 250;
/** How long batches may take at most to be applied, even if there is an outage. */
const APPLIED_MS = 300_000;

/** A batch that was acknowledged: one of the two that load one employee. Times by the clock of `performance`. */
interface Batch {
  readonly employee: string;
  readonly id: string;
  readonly sentMs: number;
}

export class Load {
  readonly flows: DocumentFlow[] = [];
  readonly creations: DocumentFlow[] = [];
  readonly batches: Batch[] = [];
  /** When employees were there whose batches had been sent at some time. */
  readonly applied: { readonly sentMs: number; readonly appliedMs: number }[] = [];
  /** Sentences about promises that an answer broke. */
  readonly wrong: string[] = [];
  /** How many steps of documents were acknowledged. */
  steps = 0;
  readonly #acting: Acting;
  readonly #store: Store;
  readonly #wanted: Lanes;
  #lanes: Promise<void>[] = [];
  #isEnding = false;
  #names = 0;
  #awaited = { left: Number.POSITIVE_INFINITY, resolve: () => {} };

  constructor(acting: Acting, store: Store, lanes: Lanes) {
    this.#acting = acting;
    this.#store = store;
    this.#wanted = lanes;
  }

  begin(): void {
    const { flows, creations, employees } = this.#wanted;
    this.#isEnding = false;
    const several = (count: number, work: () => Promise<void>) => Array.from({ length: count }, () => this.#lane(work));
    this.#lanes = [
      ...several(flows, () => this.#flow(this.flows, false)),
      ...several(creations, () => this.#flow(this.creations, true)),
      ...several(employees, () => this.#employee()),
    ];
  }

  /** Begins nothing new, and waits until everything that was begun is acknowledged. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#lanes);
  }

  /** Settles at once when so many more steps are acknowledged. */
  moreSteps(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { left: count, resolve };
    return promise;
  }

  async #lane(work: () => Promise<void>): Promise<void> {
    // So that they do not all run in step.
    await pause(this.#acting.random.between(0, PAUSE_MS));
    while (!this.#isEnding) {
      await work().catch((error: Error) => this.wrong.push(error.message));
      await pause(PAUSE_MS);
    }
  }

  async #flow(all: DocumentFlow[], isShort: boolean): Promise<void> {
    const flow = new DocumentFlow(`F-${++this.#names}`, this.#acting, isShort);
    all.push(flow);
    await flow.run(() => {
      this.steps++;
      this.#awaited.left--;
      if (this.#awaited.left === 0) this.#awaited.resolve();
    });
  }

  /** Loads a person and an employment of this person. */
  async #employee(): Promise<void> {
    const name = `F-${++this.#names}`;
    const sentMs = performance.now();
    const person = { external_id: `P${name}`, first_name: 'Айгүл' };
    const link = { external_person_id: `P${name}`, number: name, admission_date: '2024-01-01' };
    const persons = await this.#batch(name, 'PERSONS', person);
    const employees = await this.#batch(name, 'EMPLOYEES', { external_id: `E${name}`, ...link });
    // If they were accepted faster than they are applied, the wait would only move to the end.
    await applied(this.#store, [persons, employees], APPLIED_MS);
    this.applied.push({ sentMs, appliedMs: performance.now() });
  }

  async #batch(employee: string, payload_type: string, record: Readonly<Record<string, string>>): Promise<string> {
    const { random, company, ledger } = this.#acting;
    const { ingest } = ledger.client(random.pick(company.initiator.keys));
    const sentMs = performance.now();
    const sent = { payload_type, create_missing: true, records: [record] };
    const { answer } = await untilAcknowledged(`a batch of ${payload_type}`, () =>
      ingest.records('KEDO', sent, { idempotencyKey: `${payload_type}-${employee}` }),
    );
    this.batches.push({ employee, id: answer.ingest_request_id, sentMs });
    return answer.ingest_request_id;
  }
}

/** Waits until the batches are applied, even if there is an outage of the database. */
export async function applied({ ingest_requests }: Store, ids: readonly string[], withinMs: number): Promise<void> {
  const pending = { _id: { $in: [...ids] }, status: { $ne: 'APPLIED' } } as const;
  const none = () => ingest_requests.countDocuments(pending).then((count) => count === 0);
  await eventually('batches to be applied', () => none().catch(() => undefined), withinMs);
}
