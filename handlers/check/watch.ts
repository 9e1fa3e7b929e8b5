/** What the promises of a deployment stand on, looked at again and again by its workers, for the metrics. */
import type { AgreedParts } from '../jobs/process-agreement.ts';
import type { TimedWork } from '../jobs/recurring.ts';
import { gauge } from '../runtime/metrics.ts';

const checkVerdict = gauge(
  'deployment_check_verdict',
  'What a check of the deployment has found, as npm run server -- check says it: 1 for its verdict. A worker looks every two minutes.',
  'check',
  'verdict',
);

const EVERY_MS = 120_000;

/** What may change while processes run. None of them writes anything. */
const WATCHED: readonly string[] = [
  'database.encryption',
  'database.members',
  'database.oplog',
  'store.indexes',
  'bucket.versioning',
  'bucket.lifecycle',
];

/** Makes these checks of the deployment, as `server -- check` makes them. */
export const deploymentWatch = ({ config, fontFiles }: AgreedParts): TimedWork => ({
  name: 'watch_deployment',
  everyMs: EVERY_MS,
  async run(stopping) {
    // Its code is loaded once there is time.
    const { CHECKS, checked } = await import('./command.ts');
    const watched = CHECKS.filter(({ name }) => WATCHED.includes(name));
    const findings = await checked({ config, fontFiles, stopping, env: {} }, watched);
    checkVerdict.reset();
    for (const { check, verdict } of findings) checkVerdict.set({ check, verdict }, 1);
    return false;
  },
});
