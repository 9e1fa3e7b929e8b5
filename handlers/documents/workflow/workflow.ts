/**
 * The state machine of documents (D-18 to D-21, D-37), without I/O, for both the interface and the settings tool. It
 * takes a row, an act and what the store says of its people, and returns either the changed fields with the events to
 * emit, or a refusal. Checks come in the order of the decisions. `change.ts` writes the result.
 */

import type { CallErrorName, Violation } from '../../answers/errors.ts';
import type {
  DocumentRow,
  SlotAction,
  StoredDocumentFile,
  StoredDocumentStatus,
  StoredParticipant,
  StoredRoute,
  StoredStep,
} from '../../data/collections/documents.ts';
import type { EventType, PendingEvent } from '../../data/outbox.ts';
import { changeTime } from '../../data/writes.ts';
import type { Act, GiveOnAct, InitiatorAct, SlotAct, WorkflowRow } from './acts.ts';
import type { People } from './people.ts';
import { Refusal } from './relied-on.ts';
import { type RouteStep, unfitParticipants } from './route.ts';

/** What an act changes in a document, as one write with its events. `refused` tells it from a {@link ActRefusal}. */
export interface Change {
  readonly refused: false;
  readonly set: Partial<Omit<DocumentRow, 'files'>>;
  /** Files that the document has from now on, besides those that it had. */
  readonly files: readonly StoredDocumentFile[];
  /** Employees who from now on see the document, even one of a type that their profile does not see. */
  readonly actors: readonly string[];
  /** Employees who from now on see the document if their profile sees its type; the actors are among them. */
  readonly viewers: readonly string[];
  /** In the order in which they happen. */
  readonly events: readonly PendingEvent[];
  /** The slot as it was before, and the act as one that names it; undefined for an act without a slot. */
  readonly slot: { readonly participant: StoredParticipant; readonly act: SlotAct } | undefined;
  /** For an act that completes the document, which then needs a signing sheet; undefined for all others. */
  readonly completion: Completion | undefined;
}

/** The end of a route that everybody has followed. */
export interface Completion {
  readonly route: StoredRoute;
  readonly at: Date;
}

/** Why an act does not take place; nothing changes. */
export interface ActRefusal {
  readonly refused: true;
  readonly error: CallErrorName;
  /** Empty unless the error is INVALID_ARGUMENT. */
  readonly violations: readonly Violation[];
  /** When the state of the document forbids the act: that state. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Replaces the usual message, where another act has to come first. */
  readonly message?: string;
}

/** The time of an act, and the source of new ids. */
interface ActMoment {
  readonly now: Date;
  readonly newId: () => string;
}

const FLOWING: readonly StoredDocumentStatus[] = ['DOCUMENT_STATUS_ON_APPROVAL', 'DOCUMENT_STATUS_ON_SIGN'];
const PREPARED: readonly StoredDocumentStatus[] = ['DOCUMENT_STATUS_DRAFT', 'DOCUMENT_STATUS_CHANGE_REQUESTED'];

/** The states of the document in which each act is possible. */
export const possibleIn: Readonly<Record<Act['kind'], readonly StoredDocumentStatus[]>> = {
  set_route: PREPARED,
  send: PREPARED,
  approve: FLOWING,
  sign: FLOWING,
  reject: FLOWING,
  request_changes: FLOWING,
  revoke: [...FLOWING, 'DOCUMENT_STATUS_CHANGE_REQUESTED'],
  delete: [...PREPARED, 'DOCUMENT_STATUS_REJECTED', 'DOCUMENT_STATUS_REVOKED'],
  give_on: FLOWING,
};

/** The document's status while a step of the type is active, and the event when the document enters that status. */
const stages = {
  STEP_TYPE_APPROVAL: { document: 'DOCUMENT_STATUS_ON_APPROVAL', event: 'document.approval_started' },
  STEP_TYPE_SIGNING: { document: 'DOCUMENT_STATUS_ON_SIGN', event: 'document.signing_started' },
} as const satisfies Readonly<Record<StoredStep['step_type'], { document: StoredDocumentStatus; event: EventType }>>;

/** Acts that complete a slot: the type of its step, and the new status of the slot. Repeating one is a state error. */
const completing = {
  approve: { step: 'STEP_TYPE_APPROVAL', slot: 'PARTICIPANT_STATUS_APPROVED' },
  sign: { step: 'STEP_TYPE_SIGNING', slot: 'PARTICIPANT_STATUS_SIGNED' },
} as const;

/** Acts that end a route early, with the new statuses: the last table of D-19. */
const ending = {
  reject: {
    slot: 'PARTICIPANT_STATUS_REJECTED',
    step: 'STEP_STATUS_REJECTED',
    route: 'ROUTE_STATUS_REJECTED',
    document: 'DOCUMENT_STATUS_REJECTED',
    event: 'document.rejected',
  },
  request_changes: {
    slot: 'PARTICIPANT_STATUS_CHANGE_REQUESTED',
    step: 'STEP_STATUS_CANCELLED',
    route: 'ROUTE_STATUS_CANCELLED',
    document: 'DOCUMENT_STATUS_CHANGE_REQUESTED',
    event: 'document.change_requested',
  },
  revoke: {
    slot: null,
    step: 'STEP_STATUS_CANCELLED',
    route: 'ROUTE_STATUS_CANCELLED',
    document: 'DOCUMENT_STATUS_REVOKED',
    event: 'document.revoked',
  },
} as const;

/** The state of the document forbids the act. @param message replaces the usual one */
const stateForbids = ({ status }: Pick<WorkflowRow, 'status'>, message?: string): ActRefusal => ({
  refused: true,
  error: 'DOCUMENT_INVALID_STATUS_TRANSITION',
  violations: [],
  metadata: { status },
  message,
});
/** The caller sees the document, but only another person may do this. */
const NOT_ALLOWED: ActRefusal = { refused: true, error: 'DOCUMENT_ACTION_NOT_ALLOWED', violations: [] };
/** Fields of the request ask for something that is not possible. */
const refusedFor = (...violations: readonly Violation[]): ActRefusal => ({
  refused: true,
  error: 'INVALID_ARGUMENT',
  violations,
});
const invalid = (field: string, description: string): ActRefusal => refusedFor({ field, description });

/** What an act changes in the document, or why it is refused. */
export function decide(row: WorkflowRow, act: Act, people: People, { now, newId }: ActMoment): Change | ActRefusal {
  const at = changeTime(row.update_time, now);
  const outcome = outcomeOf(row, act, people, at, newId);
  return outcome.refused ? outcome : changeBy(row, outcome, at, newId);
}

/** What an act means for the document, besides what every change does. */
interface ActOutcome extends Pick<Change, 'refused' | 'set'>, Partial<Pick<Change, 'files' | 'slot' | 'completion'>> {
  /** Employees of the step that becomes active. */
  readonly admitted?: readonly string[];
  readonly subjects?: readonly string[];
  readonly events?: readonly EventType[];
}

function changeBy(row: WorkflowRow, outcome: ActOutcome, at: Date, newId: () => string): Change {
  const { set, files = [], slot, completion, admitted = [], subjects = [], events = [] } = outcome;
  const actors = admitted.length === 0 ? [] : [...new Set([row.initiator_employee_id, ...admitted])];
  return {
    refused: false,
    set: { ...set, rev: row.rev + 1, update_time: at },
    files,
    actors,
    viewers: [...new Set([...actors, ...subjects])],
    events: events.map((type) => ({ id: newId(), type, occurred_at: at })),
    slot,
    completion,
  };
}

function outcomeOf(row: WorkflowRow, act: Act, people: People, at: Date, newId: () => string): ActOutcome | ActRefusal {
  switch (act.kind) {
    case 'approve':
    case 'sign':
    case 'reject':
    case 'request_changes':
      return inSlot(row, act, people, at);
    case 'give_on':
      return givenOn(row, act, people, newId);
    default:
      return byInitiator(row, act, people, at, newId);
  }
}

function inSlot(row: WorkflowRow, act: SlotAct, people: People, at: Date): ActOutcome | ActRefusal {
  const slot = slotOf(row, act, people);
  if (slot.refused) return slot;
  const action = actionOf(act, at);
  const outcome =
    act.kind === 'approve' || act.kind === 'sign'
      ? completed(row, slot, act.kind, action)
      : ended(row, act.kind, { slot, action });
  const file = act.signature?.file ?? null;
  const { participant } = slot;
  const named = { participant, act: { ...act, participantId: participant.id } };
  return { ...outcome, slot: named, files: file === null ? [] : [file] };
}

function byInitiator(
  row: WorkflowRow,
  act: InitiatorAct,
  people: People,
  at: Date,
  newId: () => string,
): ActOutcome | ActRefusal {
  const owners = [row.initiator_employee_id, ...(act.kind === 'revoke' ? [people.initiatorManager] : [])];
  if (!owners.includes(act.by) || !people.isThere(act.by)) return NOT_ALLOWED;
  const unfit = act.kind === 'set_route' ? unfitParticipants(act.steps, people.mayTakePart) : [];
  if (unfit.length > 0) return refusedFor(...unfit);
  if (!possibleIn[act.kind].includes(row.status)) return stateForbids(row);
  switch (act.kind) {
    case 'set_route':
      return { refused: false, set: { route: newRoute(act.steps, newId) } };
    case 'send':
      return sent(row, people);
    case 'revoke':
      return ended(row, 'revoke');
    case 'delete':
      return { refused: false, set: { listed: false, deleted_at: at }, events: ['document.deleted'] };
  }
}

/** A participant, and the step to which it belongs. `refused` tells it from a {@link ActRefusal}. */
interface Slot {
  readonly refused: false;
  readonly participant: StoredParticipant;
  readonly step: StoredStep;
}

/**
 * The slot for the act, or why there is none. The checks have the order of D-19: the first one is whether the employee
 * has acted already, in any step. An employee may hold slots in several steps: one in which they have acted does not
 * prevent them from acting in an active one, unless the request names it. The active slots of a leaver count as none.
 */
function slotOf(row: WorkflowRow, act: SlotAct, { isThere }: People): Slot | ActRefusal {
  const own = slotsOf(row, act.by);
  const active = isThere(act.by) ? own.find(({ participant }) => isActive(participant)) : undefined;
  const meant = own.find(({ participant }) => participant.id === act.participantId);
  const completed = act.kind === 'approve' || act.kind === 'sign' ? completing[act.kind].step : undefined;
  const isAwaited = completed === undefined || active?.step.step_type === completed;
  if (completed !== undefined && ((meant !== undefined && hasActed(meant)) || (!isAwaited && own.some(hasActed)))) {
    return stateForbids(row);
  }
  if (!possibleIn[act.kind].includes(row.status)) {
    return invalid('document_id', 'names a document that is neither on approval nor on sign');
  }
  if (active === undefined)
    return invalid('participant_id', 'cannot be an active slot: the owner of the key holds none');
  if (!isAwaited) {
    const instead = act.kind === 'sign' ? 'approve' : 'sign';
    return invalid('participant_id', `can only be the active slot, in a step of the other type: ${instead} or reject`);
  }
  if (act.participantId !== undefined && active !== meant) {
    return invalid('participant_id', "is not the active slot of the key's owner");
  }
  return active;
}

function slotsOf({ route }: WorkflowRow, employeeId: string): Slot[] {
  return (route?.steps ?? []).flatMap((step) =>
    step.participants
      .filter(({ employee_id }) => employee_id === employeeId)
      .map((participant) => ({ refused: false, participant, step })),
  );
}

const hasActed = ({ participant }: Slot): boolean => participant.action !== null;

function actionOf({ apiKeyId, comment, signature }: SlotAct, at: Date): SlotAction {
  return {
    at,
    api_key_id: apiKeyId,
    comment,
    pdf_sha256: signature?.pdf_sha256 ?? '',
    signature_file_id: signature?.file?.file_id ?? '',
    certificate_serial: signature?.certificate_serial ?? '',
  };
}

const isActive = ({ status }: StoredParticipant): boolean => status === 'PARTICIPANT_STATUS_ACTIVE';

/** Whether somebody is to act in the slot, now or in a later step. */
export const isWaiting = (slot: StoredParticipant): boolean =>
  isActive(slot) || slot.status === 'PARTICIPANT_STATUS_PENDING';

/** The employees of a step that becomes active: those whose slots were given to others are not among them. */
const awaitedIn = ({ participants }: StoredStep): string[] =>
  participants.filter(isWaiting).map(({ employee_id }) => employee_id);

/** A new route with the given steps; every id is new. */
function newRoute(steps: readonly RouteStep[], newId: () => string): StoredRoute {
  return {
    id: newId(),
    status: 'ROUTE_STATUS_DRAFT',
    steps: steps.map(({ participants, ...step }, index) => ({
      id: newId(),
      index,
      status: 'STEP_STATUS_PENDING',
      ...step,
      participants: participants.map((slot) => ({
        id: newId(),
        status: 'PARTICIPANT_STATUS_PENDING',
        action: null,
        ...slot,
      })),
    })),
  };
}

/** The step after it becomes active. */
function activated(step: StoredStep): StoredStep {
  const participants = step.participants.map((slot) =>
    isWaiting(slot) ? { ...slot, status: 'PARTICIPANT_STATUS_ACTIVE' as const } : slot,
  );
  return { ...step, status: 'STEP_STATUS_ACTIVE', participants };
}

/**
 * Sends the document. Only a route that was set after the last sending has ROUTE_STATUS_DRAFT. Whoever was chosen then
 * must still be choosable (D-37).
 */
function sent(row: WorkflowRow, people: People): ActOutcome | ActRefusal {
  const { route, subject_employee_ids } = row;
  const [first, ...others] = route?.steps ?? [];
  if (route?.status !== 'ROUTE_STATUS_DRAFT' || first === undefined) {
    const message =
      first === undefined
        ? 'The document has no route to be sent along: set one first (_set_route).'
        : 'The document was sent along its route already: set the route again (_set_route), then send.';
    return stateForbids(row, message);
  }
  if (unfitParticipants(route.steps, people.mayTakePart).length > 0) {
    const message =
      'A participant has left, or the initiator may not choose it any more: set the route again (_set_route), then send.';
    return stateForbids(row, message);
  }
  const { document, event } = stages[first.step_type];
  return {
    refused: false,
    set: { status: document, route: { ...route, status: 'ROUTE_STATUS_ACTIVE', steps: [activated(first), ...others] } },
    admitted: awaitedIn(first),
    subjects: subject_employee_ids,
    events: ['document.sent', event],
  };
}

const replaced = (steps: readonly StoredStep[], ...by: readonly StoredStep[]): StoredStep[] =>
  steps.map((step) => by.find(({ id }) => id === step.id) ?? step);

/** Completes a slot. That may also end its step, and then begins the next step or completes the document. */
function completed(
  row: WorkflowRow,
  { step, participant: { id } }: Slot,
  kind: keyof typeof completing,
  action: SlotAction,
): ActOutcome {
  const route = row.route as StoredRoute;
  const status = completing[kind].slot;
  const participants = step.participants.map((one) => (one.id === id ? { ...one, status, action } : one));
  const isOver = step.rule === 'STEP_RULE_ANY' || !participants.some(isActive);
  if (!isOver) {
    return { refused: false, set: { route: { ...route, steps: replaced(route.steps, { ...step, participants }) } } };
  }
  const over: StoredStep = {
    ...step,
    status: 'STEP_STATUS_COMPLETED',
    participants: participants.map(skippedIfActive),
  };
  const next = route.steps[step.index + 1];
  if (next === undefined) {
    const { at } = action;
    const ended: StoredRoute = { ...route, status: 'ROUTE_STATUS_COMPLETED', steps: replaced(route.steps, over) };
    return {
      refused: false,
      set: { status: 'DOCUMENT_STATUS_COMPLETED', route: ended, completed_at: at },
      events: ['document.completed'],
      completion: { route: ended, at },
    };
  }
  const { document, event } = stages[next.step_type];
  return {
    refused: false,
    set: { status: document, route: { ...route, steps: replaced(route.steps, over, activated(next)) } },
    admitted: awaitedIn(next),
    events: document === row.status ? [] : [event],
  };
}

const skippedIfActive = (slot: StoredParticipant): StoredParticipant =>
  isActive(slot) ? { ...slot, status: 'PARTICIPANT_STATUS_SKIPPED' } : slot;

/** Gives the waiting slot of somebody who has left to another employee, who then stands in the same step (D-37). */
function givenOn(
  row: WorkflowRow,
  { by, participantId, to }: GiveOnAct,
  people: People,
  newId: () => string,
): ActOutcome | ActRefusal {
  if (!possibleIn.give_on.includes(row.status)) return stateForbids(row);
  const slot = slotsOf(row, by).find(({ participant }) => participant.id === participantId);
  if (slot === undefined || !isWaiting(slot.participant)) return invalid('participant_id', 'is no slot that waits');
  if (people.isThere(by)) return invalid('participant_id', 'belongs to an employee who has not left');
  const { step, participant } = slot;
  if (step.participants.some(({ employee_id }) => employee_id === to))
    return refusedFor(new Refusal('participant_once', 'employee_id'));
  if (!people.mayTakePart(to)) return refusedFor(new Refusal('participant_there', 'employee_id'));
  const participants = step.participants.flatMap((one): StoredParticipant[] =>
    one === participant
      ? [
          { ...one, status: 'PARTICIPANT_STATUS_SKIPPED' },
          { ...one, id: newId(), employee_id: to },
        ]
      : [one],
  );
  const route = row.route as StoredRoute;
  return {
    refused: false,
    set: { route: { ...route, steps: replaced(route.steps, { ...step, participants }) } },
    admitted: isActive(participant) ? [to] : [],
  };
}

/** Ends a route early: completed steps stay, the active one gets its status from `ending`, later ones are cancelled. */
function ended(
  row: WorkflowRow,
  kind: keyof typeof ending,
  acted?: { readonly slot: Slot; readonly action: SlotAction },
): ActOutcome {
  const { slot: slotStatus, step: stepStatus, route: routeStatus, document, event } = ending[kind];
  const route = row.route as StoredRoute;
  const steps = route.steps.map((step): StoredStep => {
    if (step.status === 'STEP_STATUS_PENDING') return { ...step, status: 'STEP_STATUS_CANCELLED' };
    if (step.status !== 'STEP_STATUS_ACTIVE') return step;
    const participants = step.participants.map((one) =>
      acted !== undefined && slotStatus !== null && one.id === acted.slot.participant.id
        ? { ...one, status: slotStatus, action: acted.action }
        : skippedIfActive(one),
    );
    return { ...step, status: stepStatus, participants };
  });
  return {
    refused: false,
    set: { status: document, route: { ...route, status: routeStatus, steps } },
    events: [event],
  };
}
