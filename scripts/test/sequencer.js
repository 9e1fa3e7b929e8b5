/**
 * The order of the unit tests: those that take longest first, so that at the end no worker has a long file left while the
 * others have nothing to do. What a machine has measured before comes before this list, as Jest does it.
 */
import Sequencer from '@jest/test-sequencer';

/** Longest first, each above seven seconds. */
const LONGEST = [
  'handlers/main.test.ts',
  'handlers/roles.test.ts',
  'handlers/http/hostile.test.ts',
  'handlers/documents/signing/cms.test.ts',
  'handlers/ingest/apply/crash.test.ts',
  'scripts/faults/races.test.ts',
  'handlers/ingest/ingest-process.test.ts',
  'handlers/webhooks/outbound/receivers.test.ts',
  'handlers/documents/pdf/render.test.ts',
  'handlers/process/periodic.test.ts',
  'handlers/data/store-away.test.ts',
  'handlers/http/shared-limit.test.ts',
  'handlers/webhooks/deliver.test.ts',
  'scripts/embedded-db/planner.test.ts',
  'handlers/storage/s3.test.ts',
  'handlers/storage/disk-server.test.ts',
  'handlers/files/sweep-process.test.ts',
];

/** Where a file stands in the list; after it when it is not there. */
function place({ path }) {
  const found = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
  return found < 0 ? LONGEST.length : found;
}

/** What Jest is told of by its name in `jest.config.js`. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isMeasured = sorted.some(({ duration }) => duration !== undefined);
    return isMeasured ? sorted : sorted.toSorted((one, other) => place(one) - place(other));
  }
}
