/** Faults that the rules of flow-states.rules.ts must catch: the same ones for each state, and for each action. */
import {
  accepts,
  after,
  bodies,
  drop,
  everything,
  fault,
  madeError,
  parse,
  reasonOf,
  refused,
} from '../mutation/alter.ts';
import { ACTIONS, isAction, readingOf, visible } from '../mutation/alter-documents.ts';
import { type Alter, type Fault, type FaultRows, faultsFor } from '../mutation/fault.ts';
import { ACTORS, allowed, sees } from './shared/flow-model.ts';
import { modelOf, states } from './shared/flow-states.ts';

/** Each refusal of an action has the code of another. */
const otherCode: Alter = after(everything, (answer, asked) => {
  if (!isAction(asked) || !refused(answer)) return answer;
  const isState = reasonOf(answer) === 'DOCUMENT.INVALID_STATUS_TRANSITION';
  return madeError(isState ? 'DOCUMENT_ACTION_NOT_ALLOWED' : 'DOCUMENT_INVALID_STATUS_TRANSITION');
});

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

export const faults: readonly Fault[] = [
  ...states.flatMap((row): Fault[] => {
    const model = modelOf(row);
    const wrongs: FaultRows = {
      accepted: ['what is refused is answered as done', accepts(ACTIONS, refused, { document: {} })],
      code: ['each refusal has the code of another', otherCode],
      ...(!model.isDeleted && { touched: ['a refused action moves update_time', touched] }),
      ...((row.moves.length > 0 || allowed(model, row.plan).length > 0) && {
        idle: ['an action is answered as done and not done', idle],
      }),
      ...(!ACTORS.every((name) => sees(model, name)) &&
        !model.isDeleted && { seen: ['those who may not see it see it', visible] }),
    };
    return faultsFor(row.id, wrongs, `of a document ${row.what},`, (name) => `flow-state-${name}-${row.id}`);
  }),
  ...(['FLOW-8', 'FLOW-slot.signDocument', 'REJ-11'] as const).map((rule) =>
    fault(
      `flow-any-slot-${rule}`,
      rule,
      'the slot that is named is overlooked',
      bodies(ACTIONS, drop('participant_id')),
    ),
  ),
];
