/** The table of moves as a model: what each of three owners may do with a document, and the result. */
import type { ErrorName } from '../../../generated/errors.ts';
import type { Spelling } from '../../profile/spelling.ts';
import type { StepPlan } from './document-calls.ts';
import type { Action, ActorName } from './flow-calls.ts';

export interface PlannedStep {
  type: 'APPROVAL' | 'SIGNING';
  any: boolean;
  who: readonly ActorName[];
}

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

/** The state of a document of the owner `full` that matters for moves. */
export interface Model {
  status: string;
  route: string;
  steps: Step[];
}

export interface Move {
  by: ActorName;
  action: Action;
  /** Used only by `_set_route`. */
  plan: readonly PlannedStep[];
}

export const fresh = (): Model => ({ status: 'DRAFT', route: 'UNSPECIFIED', steps: [] });

const activeStep = (model: Model): Step | undefined => model.steps.find(({ status }) => status === 'ACTIVE');

function slots(model: Model, by: ActorName): Slot[] {
  return model.steps.flatMap((step) => step.slots).filter(({ who }) => who === by);
}

/** A step that was never reached does not make the document visible to its participants. */
const reached = ({ slots: all }: Step): boolean => all.some(({ status }) => status !== 'PENDING');

function sees(model: Model, by: ActorName): boolean {
  return by === 'full' || model.steps.some((step) => reached(step) && step.slots.some(({ who }) => who === by));
}

/** The errors of which a move must meet one; none if it is allowed. */
export function refusals(model: Model, { by, action }: Move): ErrorName[] {
  if (!sees(model, by)) return ['DOCUMENT_NOT_FOUND'];
  const state = 'DOCUMENT_INVALID_STATUS_TRANSITION';
  if (action === '_set_route' || action === '_send') {
    if (by !== 'full') return ['DOCUMENT_ACTION_NOT_ALLOWED'];
    const allowed = model.status === 'DRAFT' && (action === '_set_route' || model.route === 'DRAFT');
    return allowed ? [] : [state];
  }
  const step = activeStep(model);
  const open = step?.slots.some(({ who, status }) => who === by && status === 'ACTIVE') ?? false;
  if (action === '_reject') return open ? [] : ['INVALID_ARGUMENT'];
  const acted = slots(model, by).some(({ status }) => ['APPROVED', 'SIGNED', 'REJECTED'].includes(status));
  if (open && step?.type === (action === '_approve' ? 'APPROVAL' : 'SIGNING')) return [];
  // If an owner has several slots and has acted in one, it is open which of them the request means.
  return acted && (open || slots(model, by).length > 1)
    ? [state, 'INVALID_ARGUMENT']
    : [acted ? state : 'INVALID_ARGUMENT'];
}

function activate(model: Model, index: number): void {
  const step = model.steps[index];
  if (!step) {
    model.status = 'COMPLETED';
    model.route = 'COMPLETED';
    return;
  }
  step.status = 'ACTIVE';
  for (const slot of step.slots) slot.status = 'ACTIVE';
  model.status = step.type === 'APPROVAL' ? 'ON_APPROVAL' : 'ON_SIGN';
}

/** A new model: the state after an allowed move. */
export function after(before: Model, { by, action, plan }: Move): Model {
  const model = structuredClone(before);
  if (action === '_set_route') {
    model.route = 'DRAFT';
    model.steps = plan.map(({ type, any, who }) => ({
      type,
      any,
      status: 'PENDING',
      slots: who.map((name) => ({ who: name, status: 'PENDING' })),
    }));
    return model;
  }
  if (action === '_send') {
    model.route = 'ACTIVE';
    activate(model, 0);
    return model;
  }
  const step = activeStep(model);
  const slot = step?.slots.find(({ who }) => who === by);
  if (!step || !slot) throw new Error('a move that is not allowed');
  const skipRest = () => {
    for (const other of step.slots) if (other.status === 'ACTIVE') other.status = 'SKIPPED';
  };
  if (action === '_reject') {
    slot.status = 'REJECTED';
    skipRest();
    step.status = 'REJECTED';
    for (const later of model.steps) if (later.status === 'PENDING') later.status = 'CANCELLED';
    model.route = 'REJECTED';
    model.status = 'REJECTED';
    return model;
  }
  slot.status = action === '_approve' ? 'APPROVED' : 'SIGNED';
  if (step.any) skipRest();
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

const ACTORS: readonly ActorName[] = ['full', 'second_owner', 'restricted_owner'];
const ACTIONS: readonly Action[] = ['_set_route', '_send', '_approve', '_sign', '_reject'];

/** Every move that a model allows, a rejection last. */
export function allowed(model: Model, plan: readonly PlannedStep[]): Move[] {
  const moves = ACTIONS.flatMap((action) => ACTORS.map((by): Move => ({ by, action, plan })));
  return moves.filter((move) => refusals(model, move).length === 0);
}

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
