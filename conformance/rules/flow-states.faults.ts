/** Faults that the rules of flow-states.rules.ts must catch: the same ones for each state. */
import { after, everything, parse, refused } from '../mutation/alter.ts';
import { isAction, readingOf } from '../mutation/alter-documents.ts';
import { type Alter, type Fault, type FaultRows, faultsFor } from '../mutation/fault.ts';
import { allowed } from './shared/flow-model.ts';
import { modelOf, states } from './shared/flow-states.ts';

/** After each action that was refused, a document is shown with a later update_time. */
const touched: Alter = after(everything, (answer, asked, memory) => {
  let refusals = Number(memory.notes.get('refusals') ?? 0);
  if (isAction(asked) && refused(answer)) memory.notes.set('refusals', ++refusals);
  const json = parse(answer.body);
  if (asked.operation !== 'getDocument' || !json?.document || refusals === 0) return answer;
  json.document.update_time = new Date(Date.parse(json.document.update_time) + refusals).toISOString();
  return { ...answer, body: Buffer.from(JSON.stringify(json)) };
});

/** Actions are answered with the document as it is, and not done. */
const idle: Alter = async (asked, forward) => (isAction(asked) ? forward(readingOf(asked)) : forward(asked));

export const faults: readonly Fault[] = states.flatMap((row): Fault[] => {
  const model = modelOf(row);
  const wrongs: FaultRows = {
    ...(!model.isDeleted && { touched: ['a refused action moves update_time', touched] }),
    ...((row.moves.length > 0 || allowed(model, row.plan).length > 0) && {
      idle: ['an action is answered as done and not done', idle],
    }),
  };
  return faultsFor(row.id, wrongs, `of a document ${row.what},`, (name) => `flow-state-${name}-${row.id}`);
});
