/**
 * What clients do while the database fails over: each repeats its request, through two servers, until it is
 * acknowledged. And what must hold once nothing is under way: everything acknowledged exists once, and every event
 * arrived.
 */

import { HAS_EVENTS } from '../../../handlers/data/collection.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { EventReceiver } from '../../testbed/receiver.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { check, sentencesOf } from './check.ts';
import { DOCUMENT_EVENTS, type DocumentsDeployment, EVENTS_PATH } from './deployment.ts';
import { DocumentFlow, type FlowOptions } from './document-flow.ts';
import { applied, faultsIn, pause, sendBatch } from './fleet.ts';

/** Flows at a time: an upload or a template, a route, an approval, a signature. */
const FLOWS = 2;
/** Keyed creations at a time, unless the caller says otherwise. */
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

interface FailoverOptions extends Omit<FlowOptions, 'url' | 'isShort'> {
  /** The URLs of the servers that are available. */
  urls: readonly string[];
}

export class FailoverLoad {
  readonly flows: DocumentFlow[] = [];
  /** Documents that were only created. */
  readonly creations: DocumentFlow[] = [];
  readonly batches: Batch[] = [];
  /** Sentences about promises that an answer broke. */
  readonly wrong: string[] = [];
  readonly #options: FailoverOptions;
  #lanes: Promise<void>[] = [];
  #isEnding = false;
  #names = 0;

  constructor(options: FailoverOptions) {
    this.#options = options;
  }

  useOnly(url: string): void {
    this.#options.urls = [url];
  }

  begin(creations = CREATIONS): void {
    const several = (count: number, work: () => Promise<void>) => Array.from({ length: count }, () => this.#lane(work));
    this.#lanes = [
      ...several(FLOWS, () => this.#flow(this.flows, false)),
      ...several(creations, () => this.#flow(this.creations, true)),
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
    await pause(this.#options.random.between(0, PAUSE_MS));
    while (!this.#isEnding) {
      await work().catch((error: Error) => this.wrong.push(error.message));
      await pause(PAUSE_MS);
    }
  }

  #name(): string {
    return `F-${++this.#names}`;
  }

  #url(): string {
    return this.#options.random.pick(this.#options.urls);
  }

  async #flow(all: DocumentFlow[], isShort: boolean): Promise<void> {
    const flow = new DocumentFlow(this.#name(), { ...this.#options, url: () => this.#url(), isShort });
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
    await applied(this.#options.deployment.store, [persons, employees], APPLIED_MS);
  }

  async #batch(employee: string, payload_type: string, record: object): Promise<string> {
    const { random, deployment, send } = this.#options;
    const key = random.pick(deployment.initiator.keys);
    const under = { key, idempotencyKey: `${payload_type}-${employee}`, withinMs: PATIENCE_MS };
    const id = await sendBatch(() => this.#url(), { payload_type, records: [record], ...under }, send);
    this.batches.push({ employee, id });
    return id;
  }
}

/**
 * How many deliveries one process may have under way to one endpoint. Where their end cannot be noted, they may be sent
 * again.
 */
const PLACES = 8;
const QUIET_MS = 180_000;

export interface FailoverFacts {
  readonly servers: readonly RunningServer[];
  /** The number of faults. */
  readonly faults: number;
  readonly say: (line: string) => void;
}

/** @returns sentences that each describe one thing that is wrong, and how many events came more than once */
export async function checkFailover(deployment: DocumentsDeployment, load: FailoverLoad, facts: FailoverFacts) {
  const { receiver } = deployment.deployment;
  const { servers, faults, say } = facts;
  await quiet(deployment).catch((error: Error) => say(error.message));
  const findings = [...new Set(receiver.wrong)];
  findings.push(...(await checkBatches(deployment, load)), ...(await checkArrivals(deployment, load, receiver)));
  const times = Map.groupBy(receiver.at(EVENTS_PATH), ({ id }) => id);
  const repeated = [...times.values()].filter(({ length }) => length > 1).length;
  const mayRepeat = PLACES * servers.length * faults;
  if (repeated > mayRepeat) findings.push(`${repeated} events came more than once; ${mayRepeat} may`);

  for (const server of servers) findings.push(...faultsIn(server.log()));
  const [first, ...others] = servers;
  for (const { process } of others) {
    if ((await process.stop()) !== 0 || process.stderr !== '') findings.push('a server did not end well');
  }
  if (first === undefined) throw new Error('There is no server.');
  load.useOnly(first.url);
  findings.push(...sentencesOf(await check(deployment, first, load.flows, load.creations)));
  if ((await first.process.stop()) !== 0 || first.process.stderr !== '') findings.push('a server did not end well');
  return { findings, repeated };
}

/** Waits until no event is unrelayed, no delivery is pending, and every batch is applied. */
function quiet({ store, tenantId: tenant_id, endpointId: endpoint_id }: DocumentsDeployment): Promise<true> {
  return eventually(
    'all to be delivered and applied',
    async () => {
      const left = await Promise.all([
        store.employees.countDocuments({ tenant_id, ...HAS_EVENTS }),
        store.documents.countDocuments({ tenant_id, ...HAS_EVENTS }),
        store.deliveries.countDocuments({ endpoint_id, status: 'PENDING' }),
        store.ingest_requests.countDocuments({ tenant_id, status: { $ne: 'APPLIED' } }),
      ]);
      return left.every((count) => count === 0);
    },
    QUIET_MS,
  );
}

async function checkBatches(
  { store, tenantId: tenant_id }: DocumentsDeployment,
  { batches }: FailoverLoad,
): Promise<string[]> {
  const findings: string[] = [];
  const requests = await store.ingest_requests.find({ tenant_id }).toArray();
  const status = new Map(requests.map((row) => [row._id, row.status]));
  for (const { employee, id } of batches) {
    if (status.get(id) !== 'APPLIED') findings.push(`lost: a batch of ${employee} is ${status.get(id) ?? 'nowhere'}`);
  }
  for (const row of await store.ingest_outcomes.find({ tenant_id, outcome: { $ne: 'created' } }).toArray()) {
    findings.push(`lost: ${row.external_id} was ${row.outcome}: ${row.reason}`);
  }
  if (requests.length > batches.length) findings.push(`doubled: ${requests.length - batches.length} batches`);
  return findings;
}

/** Checks every event that must have arrived. However often it arrived, it has only one id. */
async function checkArrivals(
  deployment: DocumentsDeployment,
  { flows, batches }: FailoverLoad,
  receiver: EventReceiver,
): Promise<string[]> {
  const { store, tenantId: tenant_id } = deployment;
  const findings: string[] = [];
  const expect = (what: string, subject: string, type: string) => {
    const ids = new Set(
      receiver.received.filter((one) => one.subject === subject && one.type === type).map(({ id }) => id),
    );
    if (ids.size === 0) findings.push(`lost: ${what}: ${type} never came`);
    if (ids.size > 1) findings.push(`doubled: ${what}: ${type} is ${ids.size} events`);
  };
  for (const { title, documentId } of flows) {
    for (const type of DOCUMENT_EVENTS) expect(title, documentId, type);
  }
  for (const name of new Set(batches.map(({ employee }) => employee))) {
    const bound = await store.external_bindings
      .find({ tenant_id, kind: 'EMPLOYEE', external_id: `E${name}` })
      .toArray();
    const rows = await store.employees.countDocuments({ tenant_id, employee_number: name });
    if (bound.length === 0) findings.push(`lost: the employee ${name}`);
    if (bound.length > 1 || rows > 1) findings.push(`doubled: the employee ${name}`);
    for (const { object_id } of bound) expect(`the employee ${name}`, object_id, 'employee.changed');
  }
  return findings;
}
