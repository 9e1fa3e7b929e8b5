/** A deployment with one invented tenant, and three owners with many keys each, who pass documents to each other. */
import { freePort } from '../../../conformance/processes/ports.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { seedTenant } from '../../operate/seed/main.ts';
import type { StartableDatabase } from '../../testbed/database.ts';
import { Deployment } from '../../testbed/deployment.ts';
import { endpointRow, TestTenant } from '../../testbed/tenant.ts';
import { preloading } from './fleet.ts';

/** A key has a limit; the flows spread their requests over the keys. */
const KEYS_EACH = 12;

/** The events that a document emits if it passes through all its states. */
export const DOCUMENT_EVENTS = [
  'document.sent',
  'document.approval_started',
  'document.signing_started',
  'document.completed',
];

/** A user with an employee, who acts with any of several keys. */
export interface Owner {
  readonly userId: string;
  readonly employeeId: string;
  readonly keys: readonly string[];
}

/** When and where a process gets a signal; without a point, none is planted. */
export interface PlantedSignal {
  readonly point?: string;
  readonly nth?: number;
  /** By default SIGKILL. */
  readonly signal?: 'SIGKILL' | 'SIGSTOP';
  /** A file that collects the names of the moments that occurred. */
  readonly seenFile?: string;
  /** The collections whose writes are moments, instead of those of documents. */
  readonly collections?: string;
}

/** The variables that plant a signal in a process. */
export function planting(planted: PlantedSignal): Readonly<Record<string, string>> {
  const { point, nth = 1, signal = 'SIGKILL', seenFile, collections } = planted;
  return {
    ...preloading('preload.ts'),
    ...(point !== undefined && { FAULT_POINT: point, FAULT_NTH: String(nth), FAULT_SIGNAL: signal }),
    ...(seenFile !== undefined && { FAULT_SEEN: seenFile }),
    ...(collections !== undefined && { FAULT_COLLECTIONS: collections }),
  };
}

/** A tenant in which documents are made, on a deployment whose processes have the same addresses each time. */
export interface DocumentsDeployment {
  readonly deployment: Deployment;
  readonly store: Store;
  readonly tenantId: string;
  readonly initiator: Owner;
  readonly approver: Owner;
  readonly signer: Owner;
  readonly typeId: string;
  readonly templateId: string;
  /** The endpoint that gets every event of documents. */
  readonly endpointId: string;
}

/** Writes a user who sees everything and may do everything, with keys. */
export async function makeOwner(store: Store, tenantId: string, employeeId: string): Promise<Owner> {
  const tenant = new TestTenant(store, tenantId, '');
  const userId = await tenant.user({ employee_id: employeeId, super_admin: true });
  return { userId, employeeId, keys: await tenant.keys(KEYS_EACH, { owner_id: userId }) };
}

/** An endpoint whose secret nobody can decrypt: its deliveries are kept, but none is sent. */
async function silentEndpoint({ store }: Deployment, tenant_id: string): Promise<string> {
  const row = endpointRow({ tenant_id, event_types: DOCUMENT_EVENTS });
  await store.webhook_endpoints.insertOne(row);
  return row._id;
}

/** Where every event goes that a {@link receivingEndpoint} gets. */
export const EVENTS_PATH = '/events';

/** An endpoint of a new receiver, which gets every event of documents and changes of employees. */
export async function receivingEndpoint(deployment: Deployment, tenantId: string): Promise<string> {
  await deployment.receive();
  return (await deployment.hook(tenantId, EVENTS_PATH, 0, [...DOCUMENT_EVENTS, 'employee.changed'])).id;
}

/**
 * Starts the database and writes the tenant.
 * @param subscribe makes the endpoint for the events of documents; by default nothing is ever sent to it
 */
export async function deploy(database: StartableDatabase, subscribe = silentEndpoint): Promise<DocumentsDeployment> {
  const [PORT, STORAGE_PORT] = [String(await freePort()), String(await freePort())];
  const deployment = await Deployment.open(database, undefined, { PORT, STORAGE_PORT });
  const { store } = deployment;
  const { tenant_id } = await seedTenant(store, { name: 'faults', seed: 'faults', employees: 40, keys: false });
  const people = await store.employees
    .find({ tenant_id, listed: true, status: 'EMPLOYEE_STATUS_ACTIVE' })
    .sort({ _id: 1 })
    .limit(3)
    .toArray();
  const [initiator, approver, signer] = await Promise.all(people.map(({ _id }) => makeOwner(store, tenant_id, _id)));
  const type = await store.document_types.findOne({ tenant_id, title: 'Приказ об отпуске' });
  if (initiator === undefined || approver === undefined || signer === undefined || type === null) {
    throw new Error('The invented tenant lacks three active employees or the order of leave.');
  }
  return {
    deployment,
    store,
    tenantId: tenant_id,
    initiator,
    approver,
    signer,
    typeId: type._id,
    templateId: type.template_id,
    endpointId: await subscribe(deployment, tenant_id),
  };
}
