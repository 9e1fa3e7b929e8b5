/**
 * What must hold once nothing is under way after failovers: everything acknowledged exists once, and every event
 * arrived.
 */
import { HAS_EVENTS } from '../../../handlers/data/collection.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { EventReceiver } from '../../testbed/receiver.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { check, sentencesOf } from './check.ts';
import { DOCUMENT_EVENTS, type DocumentsDeployment } from './deployment.ts';
import type { FailoverLoad } from './failover-load.ts';
import { faultsIn } from './fleet.ts';

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
  const times = Map.groupBy(receiver.received, ({ id }) => id);
  const repeated = [...times.values()].filter(({ length }) => length > 1).length;
  const mayRepeat = PLACES * servers.length * faults;
  if (repeated > mayRepeat) findings.push(`${repeated} events came more than once; ${mayRepeat} may`);

  for (const server of servers) findings.push(...faultsIn(server.log()));
  const [first, ...others] = servers;
  for (const { process } of others) {
    if ((await process.stop()) !== 0 || process.stderr !== '') findings.push('a server did not end well');
  }
  if (first === undefined) throw new Error('There is no server.');
  load.urls = [first.url];
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
      return left.every((count) => count === 0) || undefined;
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
