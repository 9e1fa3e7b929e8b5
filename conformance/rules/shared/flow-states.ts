/** The states that a document can be in, the way to each of them, and documents that are brought there. */
import type { TestContext } from '../../engine/test-context.ts';
import type { Answer } from '../../http/answer.ts';
import {
  type Action,
  type ActorName,
  act,
  bodyFor,
  type Cast,
  type Document,
  done,
  draft,
  outline,
  readDocument,
} from './document-calls.ts';
import {
  type ApplicationAct,
  after,
  fresh,
  type Model,
  type Move,
  outlineOf,
  type PlannedStep,
  refusals,
  stepsOf,
} from './flow-model.ts';

/** A state of a document, with the way to it. */
export interface DocumentState {
  /** The rule about the state. */
  id: string;
  /** Completes "A document …". */
  what: string;
  initiator?: ActorName;
  plan: readonly PlannedStep[];
  moves: readonly Move[];
}

const step = (type: PlannedStep['type'], any: boolean, who: ActorName[]): PlannedStep => ({ type, any, who });
export const approval = (...who: ActorName[]) => step('APPROVAL', false, who);
export const signing = (...who: ActorName[]) => step('SIGNING', false, who);
export const approvalOfAny = (...who: ActorName[]) => step('APPROVAL', true, who);
export const signingOfAny = (...who: ActorName[]) => step('SIGNING', true, who);

export const TWO_STAGES = [approval('second'), signing('restricted')];
const TOGETHER = [approval('second', 'restricted'), signing('full')];

/** Moves in words; a route that is set is the planned one. */
export const way = (plan: readonly PlannedStep[], ...moves: `${Move['action']} by ${ActorName}`[]): Move[] =>
  moves.map((move) => {
    const [action, by] = move.split(' by ') as [Move['action'], ActorName];
    return { action, by, plan };
  });

const state = (
  id: string,
  what: string,
  plan: readonly PlannedStep[],
  moves: Parameters<typeof way>[1][],
  more: Partial<DocumentState> = {},
): DocumentState => ({ id, what, plan, moves: way(plan, ...moves), ...more });

export const SENT = ['_set_route by full', '_send by full'] as const;
const APPROVED = [...SENT, '_approve by second'] as const;

/** Every state of a document of `full`, and those that others reach in another way. */
export const states: readonly DocumentState[] = [
  state('FLOW-3', 'that is a draft without a route', TWO_STAGES, []),
  state('FLOW-20', 'that is a draft with a route', TOGETHER, ['_set_route by full']),
  state(
    'FLOW-7',
    'in the first of two approval steps',
    [approval('second'), approval('full'), signing('restricted', 'full')],
    [...SENT],
  ),
  state('FLOW-5', 'that one of two participants has approved', TOGETHER, [...APPROVED]),
  state(
    'FLOW-4',
    'in the second of two approval steps',
    [approval('second'), approval('restricted', 'full'), signing('full')],
    [...APPROVED],
  ),
  state('FLOW-21', 'in its signing step', TWO_STAGES, [...APPROVED]),
  state(
    'FLOW-6',
    'that one of two participants has signed',
    [signing('second', 'restricted')],
    [...SENT, '_sign by second'],
  ),
  state(
    'FLOW-18',
    'whose step one of its participants has completed for all',
    [approvalOfAny('full', 'second'), signingOfAny('second', 'restricted', 'full')],
    [...APPROVED],
  ),
  state('REJ-4', 'that is completed', TWO_STAGES, [...APPROVED, '_sign by restricted']),
  state(
    'FLOW-22',
    'that was rejected in approval',
    [approval('full'), approval('second', 'restricted'), signing('full')],
    [...SENT, '_approve by full', '_reject by second'],
  ),
  state(
    'REJ-22',
    'that one of several was free to sign and another rejected',
    [signingOfAny('second', 'restricted'), signing('full')],
    [...SENT, '_reject by restricted'],
  ),
  state(
    'REJ-6',
    'that was sent back for changes',
    [approval('second', 'full'), signing('restricted')],
    [...SENT, 'request_changes by second'],
  ),
  state('FLOW-10', 'whose route was set again after a request for changes', TWO_STAGES, [
    ...APPROVED,
    'request_changes by restricted',
    '_set_route by full',
  ]),
  state(
    'FLOW-in-view',
    'that is on its way and in view of somebody who has no part in it',
    [signing('second')],
    ['_set_route by second', '_send by second'],
    { initiator: 'second' },
  ),
  state('FLOW-11', 'that was revoked', TWO_STAGES, [...APPROVED, 'revoke_document by full']),
  state(
    'FLOW-35',
    'that the manager of its initiator revoked',
    [signing('second')],
    ['_set_route by second', '_send by second', 'request_changes by second', 'revoke_document by full'],
    { initiator: 'second' },
  ),
  state('FLOW-12', 'that was deleted', TWO_STAGES, [...SENT, '_reject by second', 'delete_document by full']),
];

const isOfApplication = (action: Move['action']): action is ApplicationAct => !action.startsWith('_');

/** The model of a state. */
export const modelOf = ({ initiator, moves }: DocumentState): Model => moves.reduce(after, fresh(initiator));

/** The same state of a document whose initiator holds every slot; undefined where one person cannot reach it. */
export function ofOnePerson(row: DocumentState): DocumentState | undefined {
  const plan = row.plan.map((one): PlannedStep => ({ ...one, who: ['full'] }));
  const moves = row.moves.map((move): Move => ({ ...move, by: 'full', plan }));
  let model = fresh();
  for (const move of moves) {
    const { action } = move;
    if (!isOfApplication(action) && refusals(model, { ...move, action }).length > 0) return undefined;
    model = after(model, move);
  }
  return model.status === modelOf(row).status ? { ...row, plan, moves } : undefined;
}

/** A document in a state, with the model of it. */
export interface DocumentInState {
  document: Document;
  model: Model;
}

/** What no move may change. */
function fixed({ status: _s, route: _r, files: _f, update_time: _u, completed_at: _c, ...rest }: Document): object {
  return rest;
}

/** Makes a move that is allowed, and checks everything that must hold of the document afterwards. */
export async function moved(t: TestContext, who: Cast, before: DocumentInState, move: Move): Promise<DocumentInState> {
  const { id } = before.document;
  const { by, action, plan = [] } = move;
  const model = after(before.model, move);
  if (isOfApplication(action)) {
    await t.admin(action, { document_id: id, employee_id: who[by].id, comment: 'Проверка' });
    if (model.isDeleted) return { ...before, model };
  }
  const document = isOfApplication(action)
    ? await readDocument(who.full.api, id)
    : await done(who[by].api, id, action, bodyOf(t, who, action, plan));
  const what = `${action} by ${by}`;
  t.equal(outline(t, document), outlineOf(model), `statuses after ${what}`);
  t.equal(fixed(document), fixed(before.document), `what ${what} must leave alone`);
  const [earlier, later] = [before.document, document].map(({ update_time }) => Date.parse(update_time));
  t.check(Number(later) > Number(earlier), `update_time did not move forward with ${what}`);
  t.equal(document.route.active, model.route === 'ACTIVE', `route.active after ${what}`);
  t.equal(document.completed_at !== '', model.status === 'COMPLETED', `whether completed_at is set after ${what}`);
  const { PDF, SIGNED_PDF } = t.spelling.file_type;
  const kinds = document.files.map(({ file_type }) => file_type);
  t.equal(kinds, model.status === 'COMPLETED' ? [PDF, SIGNED_PDF] : [PDF], `files after ${what}`);
  return { document, model };
}

/** The body of an action. @param plan the route that `_set_route` sets */
export const bodyOf = (t: TestContext, who: Cast, action: Action, plan: readonly PlannedStep[]): object =>
  bodyFor(
    action,
    stepsOf(t.spelling, plan, (name) => who[name].id),
  );

/**
 * A document that is brought to a state.
 * @param more.subjects who its subjects are
 * @param more.start a draft of the initiator's; by default a new one
 */
export async function broughtTo(
  t: TestContext,
  who: Cast,
  { initiator = 'full', moves }: DocumentState,
  more: { subjects?: readonly ActorName[]; start?: Document } = {},
): Promise<DocumentInState> {
  const { subjects = [] } = more;
  const subject_employee_ids = subjects.map((name) => who[name].id);
  const document = more.start ?? (await draft(t, who[initiator].api, { subject_employee_ids }));
  t.equal(outline(t, document), 'DRAFT UNSPECIFIED', 'a new draft');
  t.equal([document.route.id, document.route.active, document.completed_at], ['', false, ''], 'its route and end');
  let now: DocumentInState = { document, model: fresh(initiator, subjects) };
  for (const move of moves) now = await moved(t, who, now, move);
  return now;
}

/** Sends a move that the model refuses. @param body instead of the usual one */
export async function refuse(
  t: TestContext,
  who: Cast,
  { document, model }: DocumentInState,
  move: Move<Action>,
): Promise<Answer> {
  const { by, action, plan = [] } = move;
  const answer = await act(who[by].api, document.id, action, bodyOf(t, who, action, plan));
  return answer.fails(refusals(model, move), `${action} by ${by}`);
}
