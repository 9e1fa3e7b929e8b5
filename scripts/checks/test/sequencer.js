/**
 * The order of the unit tests: the longest first, so that at the end no worker still has a long file while the others
 * are idle. Durations that Jest has measured on this machine take precedence over this list.
 */
import Sequencer from '@jest/test-sequencer';

/** The longest first; each takes more than seven seconds. */
const LONGEST = [
  'handlers/main.test.ts',
  'handlers/held-deep.test.ts',
  'scripts/contract/contract-uses.test.ts',
  'handlers/ingest/memory.test.ts',
  'handlers/held.test.ts',
  'handlers/documents/signing/cms.test.ts',
  'handlers/http/hostile.test.ts',
  'handlers/ingest/apply/crash.test.ts',
  'scripts/checks/faults/races.test.ts',
  'handlers/webhooks/outbound/receivers.test.ts',
  'handlers/documents/pdf/render.test.ts',
  'handlers/jobs/periodic.test.ts',
  'handlers/data/store-away.test.ts',
  'handlers/webhooks/deliver.test.ts',
  'scripts/embedded-db/planner.test.ts',
  'handlers/storage/s3.test.ts',
  'handlers/storage/disk-server.test.ts',
];

/** The position of a file in the list; a file that is not in the list comes after it. */
function place({ path }) {
  const found = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
  return found < 0 ? LONGEST.length : found;
}

/** `jest.config.js` names this class. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isMeasured = sorted.some(({ duration }) => duration !== undefined);
    return isMeasured ? sorted : sorted.toSorted((one, other) => place(one) - place(other));
  }
}
