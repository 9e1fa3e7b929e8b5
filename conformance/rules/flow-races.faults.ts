/** Faults that the rules of flow-races.rules.ts must catch. */
import { counted, fault, reasonOf } from '../mutation/alter.ts';
import { isAction, readingOf } from '../mutation/alter-documents.ts';
import type { Alter, Fault } from '../mutation/fault.ts';
import { races } from './shared/flow-races.ts';

/** Of the acts on a document, the one after so many is answered as done, and not done. */
const lost =
  (before: number): Alter =>
  async (asked, forward, memory) => {
    if (!isAction(asked)) return forward(asked);
    const nth = counted(memory, `acts on ${asked.target.replace(/_\w+$/, '')}`);
    return forward(nth === before + 1 ? readingOf(asked) : asked);
  };

/** A refused act is tried once more for each act that may have come before it. */
const triedAgain: Alter = async (asked, forward) => {
  let answer = await forward(asked);
  for (let nth = 0; nth < 6 && reasonOf(answer) === 'DOCUMENT.INVALID_STATUS_TRANSITION'; nth++)
    answer = await forward(asked);
  return answer;
};

export const faults: readonly Fault[] = [
  ...races
    .filter(({ id }) => id !== 'FLOW-race.routes')
    .map(({ id, what, moves }) =>
      fault(`flow-race-lost-${id}`, id, `of ${what}, one is answered as done and not done`, lost(moves.length + 1)),
    ),
  ...['approve', 'sign'].map((action) =>
    fault(
      `flow-race-next-slot-${action}`,
      `FLOW-atOnce.${action}`,
      'a request that lost acts in the next slot',
      triedAgain,
    ),
  ),
];
