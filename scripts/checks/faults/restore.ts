/**
 * A backup of database and files is made under load, the database is lost with all its members, and the runbook's blocks
 * bring it back. Everything acknowledged before the backup is there, with its bytes; what storage holds of later documents
 * is found and removed.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../conformance/processes/leftovers.ts';
import { randomOf } from '../../operate/seed/random.ts';
import { inTurn } from '../../testbed/ask.ts';
import { eventually } from '../../testbed/eventually.ts';
import { needed } from '../../testbed/go-tool.ts';
import { findMongod } from '../../testbed/mongod-tool.ts';
import { type Member, ReplicaSet } from '../../testbed/replica-set.ts';
import type { RunningServer } from '../../testbed/server.ts';
import { runBlock } from '../page-blocks.ts';
import { checkBytes } from './check.ts';
import { type DocumentsDeployment, deploy } from './deployment.ts';
import type { DocumentFlow } from './document-flow.ts';
import { FailoverLoad } from './failover-load.ts';
import { pause } from './fleet.ts';
import { drillBlocks, needMongosh } from './rolling.ts';
import { type Result, type Suite, type SuiteOptions, size } from './suite.ts';
import { WatchedClient } from './watched.ts';

const ELECTION_MS = 2_000;
const CREATIONS = 2;
/** Fewer documents would prove nothing. */
const LEAST_SIGNED = 5;
const SIGNED_MS = 120_000;

/** What `npm run server -- files --json` says. */
interface ComparedFiles {
  readonly versions: number;
  readonly orphans: number;
  readonly missing: readonly object[];
}

/** A deployment whose database is lost. */
class LostDatabase {
  readonly set: ReplicaSet;
  readonly documents: DocumentsDeployment;
  readonly env: Record<string, string>;
  #server: RunningServer | undefined;

  constructor(set: ReplicaSet, documents: DocumentsDeployment, backup: string) {
    this.set = set;
    this.documents = documents;
    const { STORAGE_DIR = '' } = documents.deployment.env;
    this.env = { ...set.env, STORAGE_DIR, BACKUP: backup };
  }

  async start(): Promise<RunningServer> {
    this.#server = await this.documents.deployment.start();
    return this.#server;
  }

  /** Runs the blocks of a name. @returns what they said, and how long they took */
  async run(name: string, more: Readonly<Record<string, string>> = {}): Promise<{ said: string; ms: number }> {
    const fromMs = performance.now();
    let said = '';
    for (const block of drillBlocks(name)) said += await runBlock(block, { ...this.env, ...more });
    return { said, ms: Math.round(performance.now() - fromMs) };
  }

  /** Ends every process of the service and of the database, and removes what all members hold. */
  async lose(): Promise<void> {
    await this.#server?.process.stop('SIGKILL');
    await Promise.all(this.set.members.map((member) => this.set.kill(member)));
    for (const { folder } of this.set.members) rmSync(folder, { recursive: true });
  }

  /** Brings the database back on one member, which the others then copy. @returns how long it took until it took writes */
  async bringBack(member: Member): Promise<number> {
    const fromMs = performance.now();
    await this.run('restore-database', { DBPATH: member.folder });
    for (const each of this.set.members) this.set.restart(each);
    const [HOST, MEMBER] = [`127.0.0.1:${member.port}`, this.set.addressOf(member)];
    const OTHERS = this.set.others(member).map(({ port }) => `127.0.0.1:${port}`);
    await this.run('restore-set', { HOST, MEMBER, OTHERS: OTHERS.join(' ') });
    return Math.round(performance.now() - fromMs);
  }

  async compared(storageDir: string, name = 'compare-files'): Promise<ComparedFiles> {
    const { said } = await this.run(name, { STORAGE_DIR: storageDir });
    return JSON.parse(said.trim().split('\n').at(-1) ?? '');
  }
}

async function drill(options: SuiteOptions): Promise<Result> {
  needMongosh();
  const set = new ReplicaSet(needed(await findMongod(options.say)), ELECTION_MS);
  const documents = await deploy(set);
  await using deployment = documents.deployment;
  const backup = join(temporaryFolder('backup-'), 'backup');
  mkdirSync(backup, { recursive: true });
  deployment.atEnd(() => rmSync(backup, { recursive: true, force: true }));
  return await restored(new LostDatabase(set, documents, backup), options);
}

async function restored(lost: LostDatabase, { seed, say, size: sizeOf }: SuiteOptions): Promise<Result> {
  const { set, documents, env } = lost;
  const server = await lost.start();
  const watched = new WatchedClient();
  const load = new FailoverLoad({
    deployment: documents,
    random: randomOf(seed),
    send: watched.fetch,
    urls: [server.url],
  });
  load.begin(CREATIONS);
  await pause(1_000 * sizeOf('seconds'));
  const [secondary] = set.others(await set.primary());
  if (secondary === undefined) throw new Error('The replica set has no secondary.');
  const signed = () => load.flows.filter(({ acknowledged }) => acknowledged.has('sign'));
  await eventually('signed documents', () => signed().length >= LEAST_SIGNED, SIGNED_MS);
  const done = signed();
  const fromMs = performance.now();
  const saved = await lost.run('backup-database', { MEMBER: set.addressOf(secondary), DBPATH: secondary.folder });
  const copied = await lost.run('backup-files');
  say(`${done.length} signed documents; the database was copied in ${saved.ms} ms, the files in ${copied.ms} ms`);
  const meanwhile = watched.since(fromMs);
  const refused = meanwhile.filter(({ status }) => status !== 200 && status !== 429).length;
  await pause(1_000 * sizeOf('seconds'));
  await load.end();
  await lost.lose();
  const backMs = await lost.bringBack(secondary);
  const again = await lost.start();
  say(`the database is back after ${backMs} ms`);

  const wrong = [...load.wrong, ...(await lacking(documents, again, done))];
  const { STORAGE_DIR = '', BACKUP = '' } = env;
  const found = await lost.compared(STORAGE_DIR);
  if (found.orphans === 0) wrong.push('no orphan was found, although documents were made after the backup');
  await lost.compared(STORAGE_DIR, 'remove-orphans');
  const after = await lost.compared(STORAGE_DIR);
  if (after.orphans > 0) wrong.push(`${after.orphans} orphans are left`);
  const ofBackup = await lost.compared(join(BACKUP, 'files'));
  for (const [what, { missing }] of Object.entries({ kept: after, 'in the backup': ofBackup }))
    if (missing.length > 0) wrong.push(`${missing.length} rows lack bytes ${what}`);
  wrong.push(...(await lacking(documents, again, done)));
  const line =
    `${done.length} signed documents before the backup, ${load.flows.length} flows and ${load.creations.length} creations ` +
    `in all; ${refused} of ${meanwhile.length} requests failed during the backup. The database was back in ${(backMs / 1000).toFixed(1)} s; of ${found.versions} versions of files ` +
    `${found.orphans} belonged to nothing and were removed, ${after.missing.length} were missing.`;
  return { lines: [line], wrong };
}

/** Sentences about documents that are not there as they were signed, with all bytes. */
async function lacking(
  { store, initiator }: DocumentsDeployment,
  server: RunningServer,
  flows: readonly DocumentFlow[],
): Promise<string[]> {
  const findings = { dangling: [] as string[] };
  for (const [nth, { documentId, title }] of flows.entries()) {
    const row = await store.documents.findOne({ _id: documentId });
    const key = inTurn(initiator.keys, nth);
    if (row?.status === 'DOCUMENT_STATUS_COMPLETED') await checkBytes(server.url, key, row, findings);
    else findings.dangling.push(`${title} is ${row?.status ?? 'nowhere'}`);
  }
  return findings.dangling;
}

/** The suite. */
export const restoring: Suite = {
  name: 'restore',
  about:
    'Backs a replica set and a folder of files up under load, loses all members, and restores them by the runbook.',
  sizes: [size('seconds', 'of load before the backup, and again after it', 15, 5)],
  // It takes minutes.
  inQuick: false,
  run: drill,
};
