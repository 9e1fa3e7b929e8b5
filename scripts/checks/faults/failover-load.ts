/**
 * What clients do while the database fails over: each repeats its request, through two servers, until it is
 * acknowledged.
 */

import type { Random } from '../../operate/seed/random.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { Creation } from './check.ts';
import type { DocumentsDeployment } from './deployment.ts';
import { BrokenPromise, DocumentFlow, ServerGone } from './document-flow.ts';
import { pause } from './fleet.ts';
import type { WatchedClient } from './watched.ts';

/** Flows at a time: an upload or a template, a route, an approval, a signature. */
const FLOWS = 2;
/** Keyed creations at a time; those that are refused are repeated every second. */
const CREATIONS = 10;
const BATCHES = 3;
const PAUSE_MS = 250;
/** Longer than the leases of several consecutive attempts with unknown results. */
const PATIENCE_MS = 180_000;
/** How long batches may take at most to be applied, even if there is an outage. */
const APPLIED_MS = 300_000;
/** The refusal that says that a batch under this key was already accepted. */
const ACCEPTED_BEFORE = 'INTEGRATION.IDEMPOTENCY_REQUIRED';

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: what the service answers is judged field by field
  readonly [name: string]: any;
}

/** A keyed creation that was acknowledged. */
export interface TitledCreation extends Creation {
  readonly title: string;
}

/** A batch that was acknowledged: one of the two that load one employee. */
export interface Batch {
  readonly employee: string;
  readonly id: string;
}

export class FailoverLoad {
  readonly flows: DocumentFlow[] = [];
  readonly creations: TitledCreation[] = [];
  readonly batches: Batch[] = [];
  /** Sentences about promises that an answer broke. */
  readonly wrong: string[] = [];
  readonly #deployment: DocumentsDeployment;
  readonly #random: Random;
  readonly #watched: WatchedClient;
  /** The URLs of the servers that are available. */
  urls: readonly string[];
  #lanes: Promise<void>[] = [];
  #isEnding = false;
  #names = 0;

  constructor(deployment: DocumentsDeployment, random: Random, watched: WatchedClient, urls: readonly string[]) {
    this.#deployment = deployment;
    this.#random = random;
    this.#watched = watched;
    this.urls = urls;
  }

  begin(): void {
    const several = (count: number, work: () => Promise<void>) => Array.from({ length: count }, () => this.#lane(work));
    this.#lanes = [
      ...several(FLOWS, () => this.#flow()),
      ...several(CREATIONS, () => this.#creation()),
      ...several(BATCHES, () => this.#employee()),
    ];
  }

  /** Begins nothing new, and waits until everything that was begun is acknowledged. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#lanes);
  }

  async #lane(work: () => Promise<void>): Promise<void> {
    // So that they do not all run in step.
    await pause(this.#random.between(0, PAUSE_MS));
    while (!this.#isEnding) {
      await work().catch((error: Error) => this.wrong.push(error.message));
      await pause(PAUSE_MS);
    }
  }

  #name(): string {
    return `F-${++this.#names}`;
  }

  #url(): string {
    return this.#random.pick(this.urls);
  }

  async #flow(): Promise<void> {
    const flow = new DocumentFlow(this.#deployment, this.#name(), this.#random, () => this.#url(), this.#watched.fetch);
    this.flows.push(flow);
    for (let again = false; !flow.isOver; ) {
      try {
        await flow.next(again);
        again = false;
      } catch (error) {
        if (!(error instanceof ServerGone)) throw error;
        again = true;
      }
    }
  }

  async #creation(): Promise<void> {
    const title = this.#name();
    const { typeId: type_id, templateId: template_id } = this.#deployment;
    const template_values = { employee_name: 'Тест', leave_type: 'annual', start_date: '2026-03-02', days: 14 };
    const body = { title, type_id, template_id, template_values };
    const request = this.#request(title, body);
    const ask = async () => (await this.#acknowledged('/documents', request)).document.id;
    this.creations.push({ title, id: await ask(), again: ask });
  }

  /** Loads a person and an employment of this person. */
  async #employee(): Promise<void> {
    const name = this.#name();
    const person = { external_id: `P${name}`, first_name: 'Айгүл' };
    const link = { external_person_id: `P${name}`, number: name, admission_date: '2024-01-01' };
    const persons = await this.#batch(name, 'PERSONS', person);
    const employees = await this.#batch(name, 'EMPLOYEES', { external_id: `E${name}`, ...link });
    await this.#applied([persons, employees]);
  }

  /**
   * Waits until batches are applied. If they were accepted faster than they are applied, the wait would only move to
   * the end.
   */
  async #applied(ids: readonly string[]): Promise<void> {
    const { ingest_requests } = this.#deployment.store;
    const pending = { _id: { $in: [...ids] }, status: { $ne: 'APPLIED' } } as const;
    const none = () => ingest_requests.countDocuments(pending).then((count) => count === 0 || undefined);
    await eventually('batches to be applied', () => none().catch(() => undefined), APPLIED_MS);
  }

  async #batch(employee: string, payload_type: string, record: object): Promise<string> {
    const body = { payload_type, create_missing: true, records: [record] };
    const request = this.#request(`${payload_type}-${employee}`, body);
    const said = await this.#acknowledged('/ingest/KEDO', request);
    // If the answer that accepted the batch was lost, the refusal of the next attempt names its id.
    const id: string = said.ingest_request_id ?? said.details[0].metadata.ingest_request_id;
    this.batches.push({ employee, id });
    return id;
  }

  /** One request, identical each time that it is sent. */
  #request(key: string, body: object): RequestInit {
    const apiKey = this.#random.pick(this.#deployment.initiator.keys);
    const headers = { 'X-API-Key': apiKey, 'Idempotency-Key': key, 'Content-Type': 'application/json' };
    return { method: 'POST', headers, body: JSON.stringify(body) };
  }

  /** Repeats the request until it is acknowledged. @throws BrokenPromise for an answer that means that it never will be */
  #acknowledged(path: string, request: RequestInit): Promise<Answer> {
    return eventually(
      `${path} to be acknowledged`,
      async () => {
        const signal = AbortSignal.timeout(PATIENCE_MS);
        const answer = await this.#watched.fetch(`${this.#url()}/developer/v1${path}`, { ...request, signal });
        const said = (await answer.json()) as Answer;
        const reason = said.details?.[0]?.reason;
        if (answer.status === 200 || reason === ACCEPTED_BEFORE) return said;
        const waitMs = Number(answer.headers.get('retry-after')) * 1_000;
        if (!(waitMs > 0))
          throw new BrokenPromise(`${path} ${request.body}: was answered with ${answer.status} ${reason}`);
        await pause(Math.min(waitMs, 1_000));
        return undefined;
      },
      PATIENCE_MS,
    );
  }
}
