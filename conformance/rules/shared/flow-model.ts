/**
 * The table of moves as a model: what each of three owners may do with a document, the result, and the events. The
 * acts that have no operation are in it too, because their states have to be reached.
 */
import type { ErrorName } from '../../../generated/contract.ts';
import type { EventType } from '../../callbacks/hooks.ts';
import type { Spelling } from '../../profile/spelling.ts';
import { type Action, type ActorName, actions, type StepPlan } from './document-calls.ts';

export interface PlannedStep {
  type: 'APPROVAL' | 'SIGNING';
  any: boolean;
  who: readonly ActorName[];
}

/** What the interactive application does, and the interface only shows. */
export type ApplicationAct = 'request_changes' | 'revoke_document' | 'delete_document';

interface Slot {
  who: ActorName;
  status: string;
}

interface Step {
  type: PlannedStep['type'];
  any: boolean;
  status: string;
  slots: Slot[];
}

/** The state of a document that matters for moves. */
export interface Model {
  initiator: ActorName;
  subjects: readonly ActorName[];
  /** Owners who have seen it as subject or participant: they see it for good. */
  seers: ActorName[];
  status: string;
  route: string;
  steps: Step[];
  isDeleted: boolean;
  /** The types of its events so far. */
  events: EventType[];
}

export interface Move<Doing extends Action | ApplicationAct = Action | ApplicationAct> {
  by: ActorName;
  action: Doing;
  /** Used only by `_set_route`. */
  plan?: readonly PlannedStep[];
  /** The step whose slot the request names; without it, it names none. */
  step?: number;
}

export const ACTORS: readonly ActorName[] = ['full', 'second', 'restricted'];

export const fresh = (initiator: ActorName = 'full', subjects: readonly ActorName[] = []): Model => ({
  initiator,
  subjects,
  seers: [],
  status: 'DRAFT',
  route: 'UNSPECIFIED',
  steps: [],
  isDeleted: false,
  events: [],
});

const activeStep = (model: Model): Step | undefined => model.steps.find(({ status }) => status === 'ACTIVE');

/** The owner `full` sees every document. */
export const sees = (model: Model, by: ActorName): boolean =>
  !model.isDeleted && ['full', model.initiator, ...model.seers].includes(by);
const ACTED = ['APPROVED', 'SIGNED', 'REJECTED', 'CHANGE_REQUESTED'];

/** The errors of which an action must meet one; none if it is allowed. */
export function refusals(model: Model, { by, action, step: named }: Move<Action>): ErrorName[] {
  if (!sees(model, by)) return ['DOCUMENT_NOT_FOUND'];
  if (action === '_set_route' || action === '_send') {
    if (by !== model.initiator) return ['DOCUMENT_ACTION_NOT_ALLOWED'];
    const isOpen = ['DRAFT', 'CHANGE_REQUESTED'].includes(model.status);
    return isOpen && (action === '_set_route' || model.route === 'DRAFT') ? [] : ['DOCUMENT_INVALID_STATUS_TRANSITION'];
  }
  const step = activeStep(model);
  const meant = named === undefined ? step : model.steps[named];
  const own = (of: Step | undefined) => of?.slots.filter(({ who }) => who === by) ?? [];
  const hasActed = (all: readonly Slot[]) => all.some(({ status }) => ACTED.includes(status));
  const isOpen = own(step).some(({ status }) => status === 'ACTIVE');
  const isAwaited = isOpen && step?.type === (action === '_approve' ? 'APPROVAL' : 'SIGNING');
  if (action === '_reject') return isOpen && meant === step ? [] : ['INVALID_ARGUMENT'];
  if (hasActed(own(meant)) || (!isAwaited && hasActed(model.steps.flatMap(own))))
    return ['DOCUMENT_INVALID_STATUS_TRANSITION'];
  return isAwaited && meant === step ? [] : ['INVALID_ARGUMENT'];
}

function enter(model: Model, status: string, event: EventType): void {
  if (model.status !== status) model.events.push(event);
  model.status = status;
}

function activate(model: Model, index: number): void {
  const step = model.steps[index];
  if (!step) {
    model.route = 'COMPLETED';
    enter(model, 'COMPLETED', 'document.completed');
    return;
  }
  step.status = 'ACTIVE';
  for (const slot of step.slots) slot.status = 'ACTIVE';
  model.seers.push(...step.slots.map(({ who }) => who));
  if (step.type === 'APPROVAL') enter(model, 'ON_APPROVAL', 'document.approval_started');
  else enter(model, 'ON_SIGN', 'document.signing_started');
}

const skipRest = (step: Step | undefined): void => {
  for (const slot of step?.slots ?? []) if (slot.status === 'ACTIVE') slot.status = 'SKIPPED';
};

/** Ends the route before its end. @param step the new status of the active step */
function stop(model: Model, status: string, step: string, event: EventType): void {
  const active = activeStep(model);
  skipRest(active);
  if (active) active.status = step;
  for (const later of model.steps) if (later.status === 'PENDING') later.status = 'CANCELLED';
  model.route = step;
  enter(model, status, event);
}

/** A new model: the state after an allowed move. */
export function after(before: Model, { by, action, plan = [] }: Move): Model {
  const model = structuredClone(before);
  const step = activeStep(model);
  const slot = step?.slots.find(({ who }) => who === by);
  switch (action) {
    case '_set_route':
      model.route = 'DRAFT';
      model.steps = plan.map(({ type, any, who }) => ({
        type,
        any,
        status: 'PENDING',
        slots: who.map((name) => ({ who: name, status: 'PENDING' })),
      }));
      return model;
    case '_send':
      model.route = 'ACTIVE';
      model.events.push('document.sent');
      model.seers.push(...model.subjects);
      activate(model, 0);
      return model;
    case 'revoke_document':
      stop(model, 'REVOKED', 'CANCELLED', 'document.revoked');
      return model;
    case 'delete_document':
      model.isDeleted = true;
      model.events.push('document.deleted');
      return model;
  }
  if (!step || !slot) throw new Error('a move that is not allowed');
  if (action === '_reject' || action === 'request_changes') {
    slot.status = action === '_reject' ? 'REJECTED' : 'CHANGE_REQUESTED';
    if (action === '_reject') stop(model, 'REJECTED', 'REJECTED', 'document.rejected');
    else stop(model, 'CHANGE_REQUESTED', 'CANCELLED', 'document.change_requested');
    return model;
  }
  slot.status = action === '_approve' ? 'APPROVED' : 'SIGNED';
  if (step.any) skipRest(step);
  if (step.slots.every(({ status }) => status !== 'ACTIVE')) {
    step.status = 'COMPLETED';
    activate(model, model.steps.indexOf(step) + 1);
  }
  return model;
}

/** In the form of {@link outline} of a document. */
export function outlineOf({ status, route, steps }: Model): string {
  const parts = steps.map(
    (step) => `[${[step.type, step.status, ...step.slots.map((slot) => slot.status)].join(' ')}]`,
  );
  return [status, route, ...parts].join(' ');
}

/** Every action of every owner. */
export const everyMove = (plan: readonly PlannedStep[]): Move<Action>[] =>
  actions.flatMap((action) => ACTORS.map((by) => ({ by, action, plan })));

/** Every action that a model allows, a rejection last. */
export const allowed = (model: Model, plan: readonly PlannedStep[]): Move<Action>[] =>
  everyMove(plan).filter((move) => refusals(model, move).length === 0);

/** The plan in the form of a request. */
export function stepsOf(
  { step_type, step_rule }: Pick<Spelling, 'step_type' | 'step_rule'>,
  plan: readonly PlannedStep[],
  idOf: (who: ActorName) => string,
): StepPlan[] {
  return plan.map(({ type, any, who }) => ({
    step_type: step_type[type],
    rule: any ? step_rule.ANY : step_rule.ALL,
    participants: who.map((name) => ({ employee_id: idOf(name) })),
  }));
}
