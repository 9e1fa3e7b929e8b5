/** Checks of all processes together: whether they live, agree with each other and with this configuration, and do their work. */
import { disagreements, livingProcesses, settingDigests } from '../jobs/process-agreement.ts';
import { JOBS_COLLECTION } from '../jobs/scheduler.ts';
import { databaseMs } from '../runtime/clock.ts';
import type { DeploymentCheck } from './check.ts';
import type { CheckedDatabase } from './connection.ts';
import { CheckSkip, doubtful, fine, skipped, wrong } from './finding.ts';

/** The processes that live. @throws CheckSkip where there is none, or where the database is not reached */
async function running(database: CheckedDatabase) {
  const { store } = await database.opened();
  const living = await livingProcesses(store);
  if (living.length === 0) throw new CheckSkip('no process runs');
  return { store, living };
}

/** A recurring job that has not ended for so many of its intervals is stuck. */
const MOST_INTERVALS = 3;
/** How long a run may take beside, in milliseconds. */
const RUN_MS = 2 * 60_000;

export const deploymentChecks: readonly DeploymentCheck[] = [
  {
    name: 'deployment.processes',
    about: 'processes of each role live',
    async run({ database }) {
      const { living } = await running(database);
      const ofRole = (...roles: readonly string[]) => living.filter(({ role }) => roles.includes(role)).length;
      if (ofRole('worker', 'all') === 0) {
        return wrong(
          `${living.length} process${living.length === 1 ? ' answers' : 'es answer'} requests and none is a worker: no event is sent, no batch is applied`,
          'Start one with ROLE=worker.',
        );
      }
      if (ofRole('api', 'all') === 0)
        return wrong('there are only workers: nobody answers requests', 'Start one with ROLE=api.');
      const lone = (['api', 'worker'] as const).filter((role) => ofRole(role, 'all') === 1);
      if (lone.length > 0)
        return doubtful(`one process alone is ${lone.join(' and ')}: its restart is an outage`, 'Run two of each.');
      return fine(`${ofRole('api', 'all')} answer requests, ${ofRole('worker', 'all')} do the work behind them`);
    },
  },
  {
    name: 'deployment.versions',
    about: 'all run the same release',
    async run({ database }) {
      const { living } = await running(database);
      const byVersion = Map.groupBy(living, ({ version, revision }) =>
        revision ? `${version} (${revision.slice(0, 12)})` : version,
      );
      const said = [...byVersion].map(([version, of]) => `${of.length} run ${version}`).join(', ');
      return byVersion.size === 1
        ? fine(said)
        : doubtful(said, 'If no upgrade is under way, see which machine was left out.');
    },
  },
  {
    name: 'deployment.agreement',
    about: 'all have what must be the same, and so has this configuration',
    /** Compares the processes, and this configuration with them. Nothing is written: the secrets that it needs are there already. */
    async run({ database, config, fontFiles }) {
      const { store, living } = await running(database);
      const secret = async (id: 'agreement' | 'page_token' | 'webhook_secret') => {
        const row = await store.deployment_secrets.findOne({ _id: id });
        if (row === null) throw new CheckSkip('the store has no secrets yet');
        return new Uint8Array(Buffer.from(row.value, 'base64url'));
      };
      const among = disagreements(living);
      if (among.length > 0) {
        const said = among.map(({ setting, differing, among: all }) => {
          const which = living
            .filter((one) => differing.some(({ _id }) => _id === one._id))
            .map(({ host, pid }) => `${host} (${pid})`);
          return `${setting} of ${differing.length} in ${all} (${which.join(', ')})`;
        });
        return wrong(`processes disagree on ${said.join('; ')}`, 'Give all the same, and restart those that differ.');
      }
      // A check beside one process is no second process.
      const { RATE_LIMIT_STORE: _, ...settings } = await settingDigests(
        { config, fontFiles },
        await secret('agreement'),
        secret,
      );
      const own = { _id: 'check', settings };
      const names = disagreements([...living, own]).map(({ setting }) => setting);
      if (names.length > 0)
        return wrong(
          `the processes have another ${names.join(', ')} than this configuration`,
          'Check with the configuration that they run with, or restart them.',
        );
      const who =
        living.length === 1 ? 'the one process agrees' : `${living.length} processes agree with each other and`;
      return fine(`${who} with this configuration on all that must be the same`);
    },
  },
  {
    name: 'deployment.jobs',
    about: 'recurring work has been done lately',
    async run({ database }) {
      const { store } = await database.opened();
      const rows = await store.db
        .collection(JOBS_COLLECTION)
        .find({ repeatInterval: { $gt: 0 } })
        .toArray();
      if (rows.length === 0) return skipped('no worker has run yet');
      const starts = (await livingProcesses(store))
        .filter(({ role }) => role !== 'api')
        .map(({ start_time }) => start_time.getTime());
      // What never ended may just have begun.
      const begunMs = Math.min(databaseMs(), ...starts);
      const late = rows.flatMap(({ name, repeatInterval, lastFinishedAt }) => {
        const isKnown = lastFinishedAt instanceof Date;
        const sinceMs = databaseMs() - (isKnown ? lastFinishedAt.getTime() : begunMs);
        const isLate = sinceMs > MOST_INTERVALS * repeatInterval + RUN_MS;
        return isLate ? [`${name} (${isKnown ? `${Math.round(sinceMs / 60_000)} min ago` : 'never'})`] : [];
      });
      if (late.length > 0)
        return wrong(
          `did not end lately: ${late.join(', ')}`,
          'See whether a worker runs, and `work_failed` in its log.',
        );
      return fine(`all ${rows.length} have ended lately`);
    },
  },
];
