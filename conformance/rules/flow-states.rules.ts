import { enumerations } from '../../generated/contract.ts';
import type { TestContext } from '../engine/test-context.ts';
import { rule } from './rule.ts';
import { UNKNOWN_ID } from './shared/calls.ts';
import {
  type Action,
  type ActorName,
  act,
  approval,
  type Cast,
  cast,
  done,
  operationOfAction,
  seen,
  sent,
  signing,
  slotOf,
  unchanged,
} from './shared/document-calls.ts';
import { ACTORS, allowed, everyMove, refusals, sees } from './shared/flow-model.ts';
import {
  broughtTo,
  type DocumentInState,
  type DocumentState,
  modelOf,
  moved,
  ofOnePerson,
  refuse,
  states,
} from './shared/flow-states.ts';

const PLACE = 'setDocumentRoute, sendDocument, approveDocument, signDocument, rejectDocument';

/** Whoever of these owners sees a document must find it as it is, and the others must not find it. */
async function seenAsItIs(
  t: TestContext,
  who: Cast,
  { document, model }: DocumentInState,
  owners: readonly ActorName[],
): Promise<void> {
  for (const name of owners) {
    const read = await seen(who[name].api, document, sees(model, name), `of ${name} after refused moves`);
    if (read !== undefined) t.equal(read, document, `the document as ${name} reads it after refused moves`);
  }
}

/** Tries every action of these owners on a document in the state, and then those that are allowed. */
async function everyAction(
  t: TestContext,
  row: DocumentState,
  { subjects, owners }: { subjects: readonly ActorName[]; owners: readonly ActorName[] },
): Promise<void> {
  const who = cast(t);
  const here = await broughtTo(t, who, row, { subjects });
  for (const move of everyMove(row.plan)) {
    if (owners.includes(move.by) && refusals(here.model, move).length > 0) await refuse(t, who, here, move);
  }
  await seenAsItIs(t, who, here, owners);
  const moves = allowed(here.model, row.plan);
  for (const [nth, move] of moves.entries()) {
    const isLast = nth === moves.length - 1;
    await moved(t, who, isLast ? here : await broughtTo(t, who, row, { subjects }), move);
  }
}

for (const row of states) {
  rule({
    id: row.id,
    family: 'action × state',
    text: `A document ${row.what}: each action of its initiator, its participants, its subject and others has the result that the table of moves says, whoever sees it finds it, and what is refused changes nothing.`,
    place: PLACE,
    decisions: ['D-15', 'D-18', 'D-19', 'D-20'],
    check: async (t, full) => {
      if (row.moves.some(({ action, by }) => action === 'revoke_document' && by !== (row.initiator ?? 'full'))) {
        const { manager_id } = await full.employee(t.fixture('second_owner_employee_id'));
        const isManager = manager_id === t.fixture('owner_employee_id');
        if (!isManager) t.untested('no_such_data', 'the owner full is not the manager of second_owner');
      }
      await everyAction(t, row, { subjects: [], owners: ACTORS });
      const other = row.initiator === undefined ? ofOnePerson(row) : undefined;
      if (other !== undefined) await everyAction(t, other, { subjects: ['second'], owners: ['full', 'second'] });
    },
  });
}

const reached = new Set(states.map((row) => modelOf(row).status));
for (const status of Object.keys(enumerations.document_status)) {
  if (status === 'UNSPECIFIED' || reached.has(status)) continue;
  rule({
    id: `FLOW-state.${status}`,
    family: 'action × state',
    text: `Each action on a document in the state ${status} has the result that the contract says.`,
    place: PLACE,
    excluded: 'the suite knows no way to this state',
  });
}

const slotRules: readonly [id: string, action: Action][] = [
  ['FLOW-8', '_approve'],
  ['FLOW-slot.signDocument', '_sign'],
  ['REJ-11', '_reject'],
];

for (const [id, action] of slotRules) {
  rule({
    id,
    family: 'slot of each action',
    text: `With ${action} a participant_id must be the active slot of the key’s owner; any other is INVALID_ARGUMENT, one in which the owner has acted a state error, and nothing changes.`,
    place: operationOfAction[action],
    decisions: ['D-19'],
    check: async (t) => {
      const { full, second, restricted } = cast(t);
      const step = action === '_sign' ? signing : approval;
      const plan = [step(second, restricted), signing(second), signing(full)];
      const [going, other] = [await sent(t, full, plan), await sent(t, full, plan)];
      const comment = action === '_reject' ? { comment: 'Нет.' } : {};
      for (const [what, participant_id] of [
        ['the slot of somebody else', slotOf(t, going, 0, restricted)],
        ['one’s own slot of a later step', slotOf(t, going, 1, second)],
        ['one’s own slot of another document', slotOf(t, other, 0, second)],
        ['an unknown slot', UNKNOWN_ID],
        ['the employee’s id', second.id],
        ['the document’s id', going.id],
      ] as const) {
        const body = { ...comment, participant_id };
        (await act(second.api, going.id, action, body)).blames('participant_id', what);
        const refusal = await act(full.api, going.id, action, body);
        refusal.blames('participant_id', `${what}, by one whose turn has not come`);
      }
      await unchanged(full.api, going, `${action} in the slots of others`);
      await unchanged(full.api, other, `${action} elsewhere with its slot`);
      const slot = slotOf(t, going, 0, second);
      const participant_id = t.values.upper_case_id === 'understood' ? slot.toUpperCase() : slot;
      const after = await done(second.api, going.id, action, { ...comment, participant_id });
      const again = await act(second.api, going.id, action, { ...comment, participant_id: slot });
      again.fails(action === '_reject' ? 'INVALID_ARGUMENT' : 'DOCUMENT_INVALID_STATUS_TRANSITION', `${action} again`);
      await unchanged(full.api, after, `${action} again`);
    },
  });
}
