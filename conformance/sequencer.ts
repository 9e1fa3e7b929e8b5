/** The order of test files: what takes longest first, and what judges the whole run last. */
import Sequencer from '@jest/test-sequencer';

const FIRST = ['limit', 'paging-changes', 'employees', 'scope'];
const LAST = ['whole-run'];

function rank(path: string): number {
  const name = path.split('/').pop() ?? '';
  const first = FIRST.findIndex((prefix) => name.startsWith(prefix));
  if (first >= 0) return first;
  return LAST.some((prefix) => name.startsWith(prefix)) ? FIRST.length + 1 : FIRST.length;
}

export default class ConformanceSequencer extends Sequencer.default {
  override sort<T extends Iterable<{ path: string }>>(tests: T): T {
    return [...tests].sort((a, b) => rank(a.path) - rank(b.path) || a.path.localeCompare(b.path)) as unknown as T;
  }
}
