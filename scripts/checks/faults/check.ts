/** What must hold once nothing is under way: compares what was acknowledged with what exists. */
import { createHash } from 'node:crypto';
import type { DocumentRow } from '../../../handlers/data/collections/documents.ts';
import { ask, inTurn } from '../../testbed/ask.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { DOCUMENT_EVENTS, type DocumentsDeployment } from './deployment.ts';
import type { DocumentFlow } from './document-flow.ts';

/**
 * Sentences that each describe one thing that is wrong. `lost`: acknowledged, but missing. `doubled`: present, or emitted,
 * more than once. `stuck`: an idempotency key that nobody can use any more. `dangling`: a file of a document that does not
 * exist, or bytes that a document names and storage lacks. `leftOver`: notes of bytes that nothing refers to, after the
 * sweeper had time to remove them.
 */
export type Findings = Readonly<Record<'lost' | 'doubled' | 'stuck' | 'dangling' | 'leftOver', string[]>>;

/** One sentence for each finding, with its kind. */
export function sentencesOf(findings: Findings): string[] {
  return Object.entries(findings).flatMap(([kind, those]) => those.map((what) => `${kind}: ${what}`));
}

const HOUR_MS = 3_600_000;
const SWEEP_MS = 120_000;

async function documentsOf(
  documents: DocumentsDeployment,
  flow: DocumentFlow,
  findings: Findings,
): Promise<DocumentRow | undefined> {
  const rows = await documents.store.documents.find({ tenant_id: documents.tenantId, title: flow.title }).toArray();
  const [row] = rows;
  if (rows.length > 1) findings.doubled.push(`${flow.title}: ${rows.length} documents`);
  if (row === undefined || row._id !== flow.documentId) findings.lost.push(`${flow.title}: its document`);
  return row;
}

/** Types of the emitted events, each event once: those still waiting and those already relayed. */
async function eventsOf({ store, endpointId }: DocumentsDeployment, row: DocumentRow): Promise<string[]> {
  const relayed = await store.deliveries.find({ endpoint_id: endpointId, 'subject.id': row._id }).toArray();
  const waiting = row.pending_events.map(({ id, type }) => [id, type] as const);
  return [...new Map([...waiting, ...relayed.map((each) => [each.event_id, each.event_type] as const)]).values()];
}

function checkRow(row: DocumentRow, types: readonly string[], findings: Findings): void {
  if (row.status !== 'DOCUMENT_STATUS_COMPLETED') findings.lost.push(`${row.title}: is ${row.status}`);
  for (const type of new Set([...DOCUMENT_EVENTS, ...types])) {
    const times = types.filter((each) => each === type).length;
    if (times > 1) findings.doubled.push(`${row.title}: ${type} ${times} times`);
    if (times === 0) findings.lost.push(`${row.title}: the event ${type}`);
  }
  const kinds = row.files.map(({ file_type }) => file_type).sort();
  if (kinds.join() !== 'FILE_TYPE_PDF,FILE_TYPE_SIGNED_PDF') findings.lost.push(`${row.title}: has ${kinds.join()}`);
}

/** Downloads every file of a document as a client would. */
export async function checkBytes(
  url: string,
  key: string,
  row: DocumentRow,
  findings: Pick<Findings, 'dangling'>,
): Promise<void> {
  for (const { file_id, object } of row.files) {
    const { body } = await ask('GET', `${url}/developer/v1/documents/${row._id}/_download?file_id=${file_id}`, key);
    const from: string | undefined = body.url;
    const bytes = from === undefined ? undefined : await fetch(from).then((answer) => answer.arrayBuffer());
    const digest = bytes && createHash('sha256').update(new Uint8Array(bytes)).digest('hex');
    if (digest !== object.sha256) findings.dangling.push(`${row.title}: the bytes of ${file_id}`);
  }
}

/**
 * A claim may still say that its request is running, since the answer does not wait until the end is noted. A repeat
 * under the same key must find the document nevertheless, and the claim must be right from then on.
 */
async function stuckKeys(
  { store, tenantId: tenant_id }: DocumentsDeployment,
  flows: readonly DocumentFlow[],
): Promise<string[]> {
  const running = { tenant_id, state: 'RUNNING' } as const;
  const stuck: string[] = [];
  for (const { resource_id } of await store.idempotency_claims.find(running).toArray()) {
    const flow = flows.find(({ documentId }) => documentId === resource_id);
    // It fails if its key gives another document.
    const problem = flow === undefined ? 'is nobody’s' : await flow.create(true).then(() => '', String);
    if (problem !== '') stuck.push(`the claim for ${resource_id}: ${problem}`);
  }
  const left = await store.idempotency_claims.countDocuments(running);
  if (left > 0) stuck.push(`${left} claims after they were asked for again`);
  return stuck;
}

/**
 * @param server runs without a fault; its time is moved forward, so that the sweeper does its work
 * @param creations documents that are only created
 */
export async function check(
  documents: DocumentsDeployment,
  server: RunningServer,
  flows: readonly DocumentFlow[],
  creations: readonly DocumentFlow[] = [],
): Promise<Findings> {
  const findings: Findings = { lost: [], doubled: [], stuck: [], dangling: [], leftOver: [] };
  const { store, tenantId: tenant_id } = documents;
  for (const [nth, flow] of flows.entries()) {
    const row = await documentsOf(documents, flow, findings);
    if (row === undefined) continue;
    checkRow(row, await eventsOf(documents, row), findings);
    // Two requests per flow, spread over the keys, stay below the rate limit.
    if (nth % 5 === 0) await checkBytes(server.url, inTurn(documents.initiator.keys, nth), row, findings);
  }
  for (const creation of creations) await documentsOf(documents, creation, findings);
  findings.stuck.push(...(await stuckKeys(documents, [...flows, ...creations])));
  await documents.deployment.advance(30 * HOUR_MS, [server]);
  const swept = () => store.unclaimed_objects.countDocuments({ tenant_id }).then((count) => count === 0);
  await eventually('the sweeper', swept, SWEEP_MS).catch(() => undefined);
  for (const { _id } of await store.unclaimed_objects.find({ tenant_id }).toArray()) findings.leftOver.push(_id);
  for (const file of await store.files.find({ tenant_id, document_id: { $ne: '' } }).toArray()) {
    const row = await store.documents.findOne({ _id: file.document_id });
    const holds = row?.files.some(({ object }) => object.key === file.object?.key) ?? false;
    if (!holds) findings.dangling.push(`the upload ${file._id}`);
  }
  return findings;
}
