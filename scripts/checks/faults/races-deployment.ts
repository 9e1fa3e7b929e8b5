/** The environment of races: a database, two servers on it, one tenant, and a PDF that every document has. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { freePort } from '../../../conformance/processes/ports.ts';
import type { StoredDocumentFile } from '../../../handlers/data/collections/documents.ts';
import type { Store } from '../../../handlers/data/store.ts';
import { openFolder } from '../../../handlers/storage/folder.ts';
import { ask } from '../../testbed/ask.ts';
import { Database } from '../../testbed/database.ts';
import { Deployment } from '../../testbed/deployment.ts';
import type { RunningServer } from '../../testbed/server.ts';
import type { TestTenant } from '../../testbed/tenant.ts';

/** The result of an operation. */
export interface RaceAnswer {
  readonly status: number;
  /** The textual code of a refusal; `''` for a success. */
  readonly reason: string;
}

/** A person who acts in a race. */
export interface Racer {
  readonly employeeId: string;
  /** Prepares the call of an operation on one of the servers, with an own key, so that no rate limit applies. */
  call(documentId: string, action: string, body: object): Promise<() => Promise<RaceAnswer>>;
}

export interface RaceDeployment {
  readonly store: Store;
  readonly tenantId: string;
  readonly pdf: StoredDocumentFile;
  readonly racers: Readonly<Record<'ini' | 'a' | 'b' | 'c', Racer>>;
  end(): Promise<void>;
}

async function storedPdf(files: string, tenantId: string): Promise<StoredDocumentFile> {
  const folder = await openFolder(files);
  const key = `documents/${tenantId}/races`;
  const { size_bytes, sha256, commit } = await folder.draft(Readable.from([Buffer.from('%PDF-1.7\nraced for\n')]));
  const object = { key, version: await commit(key), size_bytes, sha256 };
  const named = { filename: 'races.pdf', content_type: 'application/pdf' };
  return { file_id: randomUUID(), file_type: 'FILE_TYPE_PDF', ...named, object };
}

/** Starts everything. */
export async function deployForRaces(): Promise<RaceDeployment> {
  const deployment = await Deployment.open(new Database());
  const { store } = deployment;
  try {
    const tenant = await deployment.tenant();
    const pdf = await storedPdf(deployment.env.STORAGE_DIR ?? '', tenant.id);
    // Without a relay, so that events stay in the rows where a change has put them.
    const start = async () => deployment.start({ ROLE: 'api', STORAGE_PORT: String(await freePort()) });
    const servers = [await start(), await start()];
    const racer = () => makeRacer(tenant, servers);
    const racers = { ini: await racer(), a: await racer(), b: await racer(), c: await racer() };
    return { store, tenantId: tenant.id, pdf, racers, end: async () => void (await deployment.end('SIGTERM')) };
  } catch (error) {
    await deployment.end();
    throw error;
  }
}

async function makeRacer(tenant: TestTenant, servers: readonly RunningServer[]): Promise<Racer> {
  const employeeId = await tenant.employee();
  const userId = await tenant.user({ employee_id: employeeId });
  let calls = 0;
  return {
    employeeId,
    async call(documentId, action, body) {
      const key = await tenant.key({ owner_id: userId, scopes: ['documents:write'], created_by_super_admin: false });
      const server = servers[calls++ % servers.length];
      return () => ask('POST', `${server?.url}/developer/v1/documents/${documentId}/_${action}`, key, body);
    },
  };
}
