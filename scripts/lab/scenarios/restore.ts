/**
 * A backup of database and files is made under load, the database is lost with all its members, and the runbook's blocks
 * bring it back. Everything acknowledged before the backup is there, with its bytes; what storage holds of later documents
 * is found and removed.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../kit/eventually.ts';
import { findMongod } from '../../kit/mongod-tool.ts';
import { needed } from '../../kit/tools.ts';
import { type Member, ReplicaSet } from '../../world/replica-set.ts';
import { notAsSigned } from '../judges/acknowledged.ts';
import { isFailed } from '../judges/answers.ts';
import { needMongosh, ROLLING_LANES, runDrill } from '../rolling.ts';
import { type Result, type Scenario, size } from '../scenario.ts';
import { inWorld, openScene, type Scene } from '../scene.ts';

const ELECTION_MS = 2_000;
/** Fewer documents would prove nothing. */
const LEAST_SIGNED = 5;

/** What `npm run server -- files --json` says. */
interface ComparedFiles {
  readonly versions: number;
  readonly orphans: number;
  readonly missing: readonly object[];
}

/** What is done to a world whose database is lost. */
function losses(set: ReplicaSet, env: Readonly<Record<string, string>>) {
  /** Runs the blocks of a name. @returns what they said, and how long they took */
  async function run(name: string, more: Readonly<Record<string, string>> = {}): Promise<{ said: string; ms: number }> {
    const fromMs = performance.now();
    const said = await runDrill(name, { ...env, ...more });
    return { said, ms: Math.round(performance.now() - fromMs) };
  }
  return {
    run,

    /** Ends every process of the database, and removes what all members hold. */
    async lose(): Promise<void> {
      await Promise.all(set.members.map((member) => set.kill(member)));
      for (const { folder } of set.members) rmSync(folder, { recursive: true });
    },

    /** Brings the database back on one member, which the others then copy. @returns how long it took until it took writes */
    async bringBack(member: Member): Promise<number> {
      const fromMs = performance.now();
      await run('restore-database', { DBPATH: member.folder });
      for (const each of set.members) set.restart(each);
      const [HOST, MEMBER] = [`127.0.0.1:${member.port}`, set.addressOf(member)];
      const OTHERS = set.others(member).map(({ port }) => `127.0.0.1:${port}`);
      await run('restore-set', { HOST, MEMBER, OTHERS: OTHERS.join(' ') });
      return Math.round(performance.now() - fromMs);
    },

    async compared(storageDir: string, name = 'compare-files'): Promise<ComparedFiles> {
      const { said } = await run(name, { STORAGE_DIR: storageDir });
      return JSON.parse(said.trim().split('\n').at(-1) ?? '');
    },
  };
}

async function restored(scene: Scene<ReplicaSet>, BACKUP: string): Promise<Result> {
  const { world, ledger, load, say, size: sizeOf } = scene;
  const set = world.database;
  const { STORAGE_DIR = '' } = world.env;
  const lost = losses(set, { ...set.env, STORAGE_DIR, BACKUP });
  const server = await world.run('server');
  ledger.use(server);
  load.begin();
  await pause(1_000 * sizeOf('seconds'));
  const [secondary] = set.others(await set.primary());
  if (secondary === undefined) throw new Error('The replica set has no secondary.');
  const signed = () => load.flows.filter(({ acknowledged }) => acknowledged.has('sign'));
  await eventually('signed documents', () => signed().length >= LEAST_SIGNED);
  const done = signed();
  const fromMs = performance.now();
  const saved = await lost.run('backup-database', { MEMBER: set.addressOf(secondary), DBPATH: secondary.folder });
  const copied = await lost.run('backup-files');
  say(`${done.length} signed documents; the database was copied in ${saved.ms} ms, the files in ${copied.ms} ms`);
  const meanwhile = ledger.since(fromMs);
  await pause(1_000 * sizeOf('seconds'));
  await load.end();
  await world.kill(server);
  await lost.lose();
  const backMs = await lost.bringBack(secondary);
  await world.run('server');
  say(`the database is back after ${backMs} ms`);

  const wrong = [...load.wrong, ...(await notAsSigned(scene, done))];
  const found = await lost.compared(STORAGE_DIR);
  if (found.orphans === 0) wrong.push('no orphan was found, although documents were made after the backup');
  await lost.compared(STORAGE_DIR, 'remove-orphans');
  const after = await lost.compared(STORAGE_DIR);
  if (after.orphans > 0) wrong.push(`${after.orphans} orphans are left`);
  const ofBackup = await lost.compared(join(BACKUP, 'files'));
  for (const [what, { missing }] of Object.entries({ kept: after, 'in the backup': ofBackup }))
    if (missing.length > 0) wrong.push(`${missing.length} rows lack bytes ${what}`);
  wrong.push(...(await notAsSigned(scene, done)));
  const line =
    `${done.length} signed documents before the backup, ${load.flows.length} flows and ${load.creations.length} creations ` +
    `in all; ${meanwhile.filter(isFailed).length} of ${meanwhile.length} requests failed during the backup. The database ` +
    `was back in ${(backMs / 1000).toFixed(1)} s; of ${found.versions} versions of files ${found.orphans} belonged to ` +
    `nothing and were removed, ${after.missing.length} were missing.`;
  return { lines: [line], wrong };
}

/** The scenario. It takes minutes. */
export const restoring: Scenario = {
  name: 'restore',
  about:
    'Backs a replica set and a folder of files up under load, loses all members, and restores them by the runbook.',
  finds: 'a backup, or a step of the runbook, that does not bring back what was acknowledged before it',
  defect: {
    file: 'handlers/files/stored-files.ts',
    find: 'if (!unclaimed.has(name) || open.has(nameOf(found.place))) continue;',
    replace: 'continue;',
  },
  sizes: [size('seconds', 'of load before the backup, and again after it', 15, 5)],
  run: inWorld(
    async ({ say }) => {
      needMongosh();
      return new ReplicaSet(needed(await findMongod(say)), ELECTION_MS);
    },
    async (world, options) => {
      const backup = join(world.folder, 'backup');
      mkdirSync(backup);
      return restored(await openScene(world, ROLLING_LANES, options), backup);
    },
  ),
};
