/** Faults that the rules of flow*.rules.ts must catch. */
import { after, answers, counted, everything, fault, type Json, parse, reasonOf, refused } from '../mutation/alter.ts';
import { isAction, readingOf } from '../mutation/alter-documents.ts';
import { type Alter, type Fault, type FaultRows, faultsFor, faultsOf, type ProxiedAnswer } from '../mutation/fault.ts';
import { allowed } from './shared/flow-model.ts';
import { races } from './shared/flow-races.ts';
import { modelOf, states } from './shared/flow-states.ts';

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

/** After each action that was refused, a document is shown with a later update_time. */
const touched = after(everything, (answer, asked, memory) => {
  let refusals = Number(memory.notes.get('refusals') ?? 0);
  if (isAction(asked) && refused(answer)) memory.notes.set('refusals', ++refusals);
  const json = parse(answer.body);
  if (asked.operation !== 'getDocument' || !json?.document || refusals === 0) return answer;
  json.document.update_time = new Date(Date.parse(json.document.update_time) + refusals).toISOString();
  return { ...answer, body: Buffer.from(JSON.stringify(json)) };
});

/** Actions are answered with the document as it is, and not done. */
const idle: Alter = (asked, forward) => (isAction(asked) ? forward(readingOf(asked)) : forward(asked));

export const faults: readonly Fault[] = [
  ...faultsOf({
    'FLOW-31': {
      'flow-cms-again': [
        'a signature of one document signs another of the same bytes',
        after('signDocument', (answer, asked, memory) => {
          const key = `of ${parse(asked.body)?.signature?.value}`;
          if (answer.status === 200) memory.notes.set(key, answer);
          return (memory.notes.get(key) as ProxiedAnswer | undefined) ?? answer;
        }),
      ],
    },
    'FLOW-17': {
      'flow-route-added': [
        'a second route keeps steps of the first',
        answers('setDocumentRoute', (json, _asked, memory) => {
          const before = memory.notes.get('steps') as Json[] | undefined;
          memory.notes.set('steps', structuredClone(json.document.route.steps));
          if (before) json.document.route.steps = [...before, ...json.document.route.steps];
        }),
      ],
    },
  }),
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
  ...states.flatMap((row): Fault[] => {
    const model = modelOf(row);
    const wrongs: FaultRows = {
      ...(!model.isDeleted && { touched: ['a refused action moves update_time', touched] }),
      ...((row.moves.length > 0 || allowed(model, row.plan).length > 0) && {
        idle: ['an action is answered as done and not done', idle],
      }),
    };
    return faultsFor(row.id, wrongs, `of a document ${row.what},`, (name) => `flow-state-${name}-${row.id}`);
  }),
];
