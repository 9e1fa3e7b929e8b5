/** What the check says of a replica set of real members: with all of them, and with one that is not as it should be. */
import { expect, test } from '@jest/globals';
import { eventually } from '../../scripts/kit/eventually.ts';
import { freeze } from '../../scripts/kit/frozen.ts';
import { checksWith } from '../../scripts/world/checking.ts';
import { MetricSamples } from '../../scripts/world/metric-samples.ts';
import { ReplicaSet } from '../../scripts/world/replica-set.ts';
import type { Store } from '../data/store.ts';
import { createSchedulerIndexes } from '../jobs/scheduler.ts';
import { prepareStore } from '../prepare-store.ts';
import { exposition } from '../runtime/metrics.ts';
import type { CheckFinding } from './finding.ts';
import { deploymentWatch } from './watch.ts';

const ELECTION_MS = 2_000;
const PATIENCE_MS = 60_000;
/** What the members are started with. */
const OPLOG_BYTES = 100 * 1024 * 1024;
const onMongod = process.env.TEST_MONGODB === 'mongod' ? test : test.skip;

/** Writes more than the oplog holds, until it has lost its beginning. */
async function overwriteOplog(set: ReplicaSet, { db }: Store): Promise<void> {
  const rows = db.collection('large');
  const text = 'x'.repeat(10_000_000);
  const write = () => rows.insertOne({ text });
  for (let bytes = 0; bytes < OPLOG_BYTES; bytes += text.length) await write();
  await set.at(await set.primary(), async (client) => {
    const status = () => client.db('admin').command({ replSetGetStatus: 1 });
    const { optimes } = await status();
    // What a recovery would need stays until the next checkpoint.
    await eventually('a checkpoint', async () => {
      const { lastStableRecoveryTimestamp } = await status();
      return optimes.appliedOpTime.ts.lessThanOrEqual(lastStableRecoveryTimestamp);
    });
    await eventually('an oplog that has lost its beginning', async () => {
      await write();
      const [entry] = await client.db('local').collection('oplog.rs').find().limit(1).toArray();
      return entry?.o.msg !== 'initiating set';
    });
  });
}

onMongod(
  'a replica set is right, and each fault of a member is named while writes go on',
  async () => {
    const set = new ReplicaSet(process.env.MONGOD ?? '', ELECTION_MS);
    const store = await set.open();
    try {
      await prepareStore(store);
      await createSchedulerIndexes(store);
      const { found, said, expectSaid, runOf } = checksWith({ ...set.env, STORAGE_DIR: set.folder });
      const notFine = () =>
        eventually('a check that gets its turns', async () => {
          // How fast a disk is, is the machine's.
          const isDisk = ({ check, verdict }: CheckFinding) => check === 'database.writes' && verdict !== 'FAIL';
          const wrong = (await found('database.')).filter((one) => one.verdict !== 'OK' && !isDisk(one));
          return !wrong.some(({ verdict }) => verdict === 'SLOW') && wrong.map(({ says }) => says);
        });
      expect(await notFine()).toEqual([]);

      const [primary, other, last] = [await set.primary(), ...set.others(await set.primary())];
      const [first = '', ...others] = [primary, other, last].map((member) => `127.0.0.1:${member?.port}`);
      await expectSaid(
        new RegExp(`^WARN MONGODB_URI does not name ${others.toSorted().join(', ')}: `),
        'database.members',
        {
          MONGODB_URI: `mongodb://${first}/?replicaSet=test`,
        },
      );

      if (other === undefined || last === undefined) throw new Error('The replica set has fewer than three members.');
      const onlyAway = [
        `127.0.0.1:${other.port} of 3 members does not answer here: when one more is away, writes stop`,
      ];
      await freeze(other.running);
      expect(await notFine()).toEqual(onlyAway);
      other.running.signal('SIGCONT');
      await set.kill(other);
      expect(await notFine()).toEqual(onlyAway);
      const watch = deploymentWatch({ config: runOf(set.env).config, fontFiles: [] });
      await watch.run(new AbortController().signal, '');
      const watched = new MetricSamples(await exposition());
      expect(watched.value('deployment_check_verdict{check="database.members",verdict="WARN"}')).toBe(1);
      expect(watched.value('deployment_check_verdict{verdict="OK"}')).toBe(3);
      set.restart(other);
      await set.whole();

      await set.follow([last], false);
      const behind = `WARN 127.0.0.1:${last.port} is more than 10 s behind`;
      await eventually('a member behind', async () => (await said('database.members')) === behind, PATIENCE_MS);
      await set.follow([last], true);
      await set.whole();

      await set.at(await set.primary(), async (client) => {
        const admin = client.db('admin');
        const { config } = await admin.command({ replSetGetConfig: 1 });
        for (const member of config.members) member.priority = member.host === first ? 1 : 0;
        await admin.command({ replSetReconfig: { ...config, version: config.version + 1 } });
      });
      await expectSaid(new RegExp(`^WARN only ${first} may become primary`), 'database.members');

      await expectSaid(/^OK the oplog reaches back to the beginning of the set$/, 'database.oplog');
      await overwriteOplog(set, store);
      await expectSaid(/^WARN the oplog reaches less than an hour back$/, 'database.oplog');
    } finally {
      await store.close();
      await set.remove();
    }
  },
  300_000,
);
