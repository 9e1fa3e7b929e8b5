/**
 * What clients do while the database fails over: each repeats its request, through two servers, until it is
 * acknowledged.
 */

import type { Random } from '../../operate/seed/random.ts';
import type { DocumentsDeployment } from './deployment.ts';
import { DocumentFlow } from './document-flow.ts';
import { applied, pause, sendBatch } from './fleet.ts';
import type { WatchedClient } from './watched.ts';

/** Flows at a time: an upload or a template, a route, an approval, a signature. */
const FLOWS = 2;
/** Keyed creations at a time. */
const CREATIONS = 10;
const BATCHES = 3;
const PAUSE_MS = 250;
/** Longer than the leases of several consecutive attempts with unknown results. */
const PATIENCE_MS = 180_000;
/** How long batches may take at most to be applied, even if there is an outage. */
const APPLIED_MS = 300_000;
/** A batch that was acknowledged: one of the two that load one employee. */
export interface Batch {
  readonly employee: string;
  readonly id: string;
}

export class FailoverLoad {
  readonly flows: DocumentFlow[] = [];
  /** Documents that were only created. */
  readonly creations: DocumentFlow[] = [];
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
      ...several(FLOWS, () => this.#flow(this.flows, false)),
      ...several(CREATIONS, () => this.#flow(this.creations, true)),
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

  async #flow(all: DocumentFlow[], isShort: boolean): Promise<void> {
    const flow = new DocumentFlow(this.#name(), {
      deployment: this.#deployment,
      random: this.#random,
      url: () => this.#url(),
      send: this.#watched.fetch,
      isShort,
    });
    all.push(flow);
    while (!(await flow.goOn()));
  }

  /** Loads a person and an employment of this person. */
  async #employee(): Promise<void> {
    const name = this.#name();
    const person = { external_id: `P${name}`, first_name: 'Айгүл' };
    const link = { external_person_id: `P${name}`, number: name, admission_date: '2024-01-01' };
    const persons = await this.#batch(name, 'PERSONS', person);
    const employees = await this.#batch(name, 'EMPLOYEES', { external_id: `E${name}`, ...link });
    // If they were accepted faster than they are applied, the wait would only move to the end.
    await applied(this.#deployment.store, [persons, employees], APPLIED_MS);
  }

  async #batch(employee: string, payload_type: string, record: object): Promise<string> {
    const key = this.#random.pick(this.#deployment.initiator.keys);
    const under = { key, idempotencyKey: `${payload_type}-${employee}`, withinMs: PATIENCE_MS };
    const id = await sendBatch(() => this.#url(), { payload_type, records: [record], ...under }, this.#watched.fetch);
    this.batches.push({ employee, id });
    return id;
  }
}
