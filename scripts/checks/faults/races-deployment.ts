/** The environment of races: a database, two servers on it, one tenant, and a PDF that every document has. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { freePort } from '../../../conformance/processes/ports.ts';
import type { StoredDocumentFile } from '../../../handlers/data/collections/documents.ts';
import { createIndexes, type Store } from '../../../handlers/data/store.ts';
import { openFolder } from '../../../handlers/storage/folder.ts';
import { Database } from '../../testbed/database.ts';
import { type RunningServer, ready, startServer } from '../../testbed/processes.ts';
import { SEES_ALL, TestTenant } from '../../testbed/tenant.ts';

const START_MS = 60_000;

/** The result of an operation. */
export interface Answered {
  readonly status: number;
  /** The textual code of a refusal; `''` for a success. */
  readonly reason: string;
}

/** A person who acts in a race. */
export interface Racer {
  readonly employeeId: string;
  /** Prepares the call of an operation on one of the servers, with an own key, so that no rate limit applies. */
  call(documentId: string, action: string, body: object): Promise<() => Promise<Answered>>;
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

/** Starts everything; `end` stops it and removes what it wrote. */
export async function deployForRaces(): Promise<RaceDeployment> {
  const files = temporaryFolder('races-');
  const database = new Database();
  const servers: RunningServer[] = [];
  let store: Store | undefined;
  const end = async () => {
    for (const server of servers) await server.process.stop();
    await store?.close();
    await database.remove();
    rmSync(files, { recursive: true, force: true });
  };
  try {
    store = await database.open();
    await createIndexes(store);
    const tenant = await TestTenant.create(store);
    const pdf = await storedPdf(files, tenant.id);
    const env = {
      ...{ ...database.env, STORAGE_DIR: files, LOG_LEVEL: 'info' },
      // Without a relay, so that events stay in the rows where a change has put them.
      ROLE: 'api',
    };
    for (const _ of [1, 2]) servers.push(await startServer({ ...env, STORAGE_PORT: String(await freePort()) }));
    await Promise.all(servers.map((server) => ready(server, START_MS)));
    const racer = () => makeRacer(tenant, servers);
    const racers = { ini: await racer(), a: await racer(), b: await racer(), c: await racer() };
    return { store, tenantId: tenant.id, pdf, racers, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function makeRacer(tenant: TestTenant, servers: readonly RunningServer[]): Promise<Racer> {
  const [userId, employeeId, time] = [randomUUID(), await tenant.employee(), new Date()];
  await tenant.store.users.insertOne({
    ...{ _id: userId, tenant_id: tenant.id, label: 'Races', employee_id: employeeId, super_admin: false },
    ...{ profile: SEES_ALL, removed_at: null, create_time: time, update_time: time },
  });
  let calls = 0;
  return {
    employeeId,
    async call(documentId, action, body) {
      const key = await tenant.key({ owner_id: userId, scopes: ['documents:write'], created_by_super_admin: false });
      const server = servers[calls++ % servers.length];
      return async () => {
        const answer = await fetch(`${server?.url}/developer/v1/documents/${documentId}/_${action}`, {
          method: 'POST',
          headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
        const { details } = (await answer.json()) as { details?: { reason: string }[] };
        return { status: answer.status, reason: details?.[0]?.reason ?? '' };
      };
    },
  };
}
