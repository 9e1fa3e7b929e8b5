/**
 * The order of the unit tests: the long ones first, so that at the end no worker still has a long file while the others
 * are idle. Durations that Jest has measured on this machine take precedence over the name.
 */
import Sequencer from '@jest/test-sequencer';

const isLong = ({ path }) => path.endsWith('.long.test.ts');

/** `jest.config.js` names this class. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isMeasured = sorted.some(({ duration }) => duration !== undefined);
    return isMeasured ? sorted : sorted.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
}
