/**
 * What must hold once nothing is under way: what was acknowledged exists once, its events arrived and are no others, no
 * key is blocked, and storage holds what documents refer to and nothing else.
 */
import { createHash } from 'node:crypto';
import { HAS_EVENTS } from '../../../handlers/data/collection.ts';
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import { eventually } from '../../kit/eventually.ts';
import type { RunningServer } from '../../world/server.ts';
import { keyOf } from '../actors/company.ts';
import { DOCUMENT_EVENTS, type DocumentFlow, EVENTS_PATH } from '../actors/document-flow.ts';
import { untilAcknowledged } from '../actors/persistent.ts';
import type { Scene } from '../scene.ts';

const HOUR_MS = 3_600_000;
const SWEEP_MS = 120_000;
const QUIET_MS = 180_000;
/**
 * How many deliveries one process may have under way to one endpoint. Where their end cannot be noted, they may be sent
 * again.
 */
const PLACES = 8;

/** @param deaths how often a process lost what it had under way @returns sentences that each describe one thing that is wrong */
export async function lostOrDoubled(scene: Scene, server: RunningServer, deaths: number): Promise<string[]> {
  const { load, world } = scene;
  await quiet(scene).catch((error: Error) => scene.say(error.message));
  const wrong = [...load.wrong, ...new Set(world.receiver.wrong)];
  const repeated = repeatedEvents(scene);
  if (repeated > PLACES * deaths) wrong.push(`${repeated} events came more than once; ${PLACES * deaths} may`);
  wrong.push(...(await wrongBatches(scene)));
  for (const [nth, flow] of acknowledgedOf(load.flows)) wrong.push(...(await wrongFlow(scene, flow, nth)));
  for (const [, flow] of acknowledgedOf(load.creations)) {
    if ((await rowOf(scene, flow)) === undefined) wrong.push(lacks(flow));
  }
  wrong.push(...(await blockedKeys(scene)), ...(await strayFiles(scene, server)));
  return wrong;
}

export function repeatedEvents({ world }: Scene): number {
  const times = Map.groupBy(world.receiver.at(EVENTS_PATH), ({ id }) => id);
  return [...times.values()].filter(({ length }) => length > 1).length;
}

/** Waits until no event is unrelayed, no delivery is pending, and every batch is applied. */
function quiet({ world: { store }, company: { id: tenant_id } }: Scene): Promise<true> {
  return eventually(
    'all to be delivered and applied',
    async () => {
      const left = await Promise.all([
        store.employees.countDocuments({ tenant_id, ...HAS_EVENTS }),
        store.documents.countDocuments({ tenant_id, ...HAS_EVENTS }),
        store.deliveries.countDocuments({ tenant_id, status: 'PENDING' }),
        store.ingest_requests.countDocuments({ tenant_id, status: { $ne: 'APPLIED' } }),
      ]);
      return left.every((count) => count === 0);
    },
    QUIET_MS,
  );
}

/** The documents whose creation was acknowledged; of others the load has said why not. */
const acknowledgedOf = (flows: readonly DocumentFlow[]) =>
  [...flows.entries()].filter(([, { documentId }]) => documentId);

const lacks = ({ title }: DocumentFlow) => `${title}: not exactly the one document that was acknowledged`;

/** The one row of a document that was acknowledged. */
async function rowOf({ world, company }: Scene, flow: DocumentFlow): Promise<DocumentRow | undefined> {
  const rows = await world.store.documents.find({ tenant_id: company.id, title: flow.title }).toArray();
  return rows.length === 1 && rows[0]?._id === flow.documentId ? rows[0] : undefined;
}

async function wrongFlow(scene: Scene, flow: DocumentFlow, nth: number): Promise<string[]> {
  const row = await rowOf(scene, flow);
  if (row === undefined) return [lacks(flow)];
  const wrong = DOCUMENT_EVENTS.flatMap((type) => notOnce(scene, flow.title, row._id, type));
  const kinds = row.files.map(({ file_type }) => file_type).sort();
  if (row.status !== 'DOCUMENT_STATUS_COMPLETED') wrong.push(`${flow.title}: is ${row.status}`);
  if (kinds.join() !== 'FILE_TYPE_PDF,FILE_TYPE_SIGNED_PDF') wrong.push(`${flow.title}: has ${kinds.join()}`);
  // Two requests per flow, spread over the keys, stay below the rate limit.
  if (nth % 5 === 0) wrong.push(...(await wrongBytes(scene, row, nth)));
  return wrong;
}

/** Whether an event arrived. However often it arrived, it has only one id. */
function notOnce({ world }: Scene, what: string, subject: string, type: string): string[] {
  const those = world.receiver.received.filter((one) => one.subject === subject && one.type === type);
  const ids = new Set(those.map(({ id }) => id)).size;
  return ids === 1 ? [] : [`${what}: ${type} is ${ids} events`];
}

/** Downloads every file of a document as a client would. */
async function wrongBytes({ ledger, company }: Scene, row: DocumentRow, nth: number): Promise<string[]> {
  const { documents } = ledger.client(keyOf(company.initiator, nth));
  const wrong: string[] = [];
  for (const { file_id, object } of row.files) {
    const bytes = await documents.content(row._id, { file_id }).then((blob) => blob.bytes());
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (digest !== object.sha256) wrong.push(`${row.title}: the bytes of ${file_id}`);
  }
  return wrong;
}

async function wrongBatches(scene: Scene): Promise<string[]> {
  const { load, company } = scene;
  const { store } = scene.world;
  const tenant_id = company.id;
  const wrong: string[] = [];
  const requests = await store.ingest_requests.find({ tenant_id }).toArray();
  const status = new Map(requests.map((row) => [row._id, row.status]));
  for (const { employee, id } of load.batches) {
    if (status.get(id) !== 'APPLIED') wrong.push(`a batch of ${employee} is ${status.get(id) ?? 'nowhere'}`);
  }
  for (const row of await store.ingest_outcomes.find({ tenant_id, outcome: { $ne: 'created' } }).toArray()) {
    wrong.push(`${row.external_id} was ${row.outcome}: ${row.reason}`);
  }
  if (requests.length > load.batches.length) wrong.push(`${requests.length - load.batches.length} batches too many`);
  for (const name of new Set(load.batches.map(({ employee }) => employee))) {
    const bound = await store.external_bindings
      .find({ tenant_id, kind: 'EMPLOYEE', external_id: `E${name}` })
      .toArray();
    const rows = await store.employees.countDocuments({ tenant_id, employee_number: name });
    if (bound.length !== 1 || rows !== 1) wrong.push(`the employee ${name}: ${rows} rows, ${bound.length} bindings`);
    for (const { object_id } of bound) wrong.push(...notOnce(scene, `employee ${name}`, object_id, 'employee.changed'));
  }
  return wrong;
}

/**
 * A claim may still say that its request is running: the end is noted at best effort. A repeat under the same key must
 * find the document nevertheless, at the latest when the lease ends, and the claim must be right from then on.
 */
async function blockedKeys({ world: { store }, company, load }: Scene): Promise<string[]> {
  const running = { tenant_id: company.id, state: 'RUNNING' } as const;
  const wrong: string[] = [];
  for (const { resource_id } of await store.idempotency_claims.find(running).toArray()) {
    const flow = [...load.flows, ...load.creations].find(({ documentId }) => documentId === resource_id);
    // It fails if its key gives another document.
    const again = flow && untilAcknowledged('asked for again', () => flow.create());
    const problem = again === undefined ? 'is nobody’s' : await again.then(() => '', String);
    if (problem !== '') wrong.push(`the claim for ${resource_id}: ${problem}`);
  }
  const left = await store.idempotency_claims.countDocuments(running);
  return left > 0 ? [...wrong, `${left} claims are blocked after they were asked for again`] : wrong;
}

/** Bytes that nothing refers to, once the time has come to sweep them, and files of documents that do not exist. */
async function strayFiles({ world, company }: Scene, server: RunningServer): Promise<string[]> {
  const { store } = world;
  const tenant_id = company.id;
  await world.advance(30 * HOUR_MS, [server]);
  const swept = () => store.unclaimed_objects.countDocuments({ tenant_id }).then((count) => count === 0);
  await eventually('the sweeper', swept, SWEEP_MS).catch(() => undefined);
  const left = await store.unclaimed_objects.find({ tenant_id }).toArray();
  const wrong = left.map(({ _id }) => `left over: ${_id}`);
  for (const file of await store.files.find({ tenant_id, document_id: { $ne: '' } }).toArray()) {
    const row = await store.documents.findOne({ _id: file.document_id });
    const holds = row?.files.some(({ object }) => object.key === file.object?.key) ?? false;
    if (!holds) wrong.push(`dangling: the upload ${file._id}`);
  }
  return wrong;
}

/** Sentences about documents that are not there as they were signed, with all bytes. */
export async function notAsSigned(scene: Scene, flows: readonly DocumentFlow[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [nth, { documentId, title }] of flows.entries()) {
    const row = await scene.world.store.documents.findOne({ _id: documentId });
    if (row?.status !== 'DOCUMENT_STATUS_COMPLETED') wrong.push(`${title} is ${row?.status ?? 'nowhere'}`);
    else wrong.push(...(await wrongBytes(scene, row, nth)));
  }
  return wrong;
}
