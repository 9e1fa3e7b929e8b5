/**
 * The state machine of documents (D-18 to D-21), without I/O, for both the interface and the settings tool. It takes a
 * row and an act, and returns either the changed fields with the events to emit, or a refusal. Checks come in the order
 * of the decisions. `change.ts` writes the result.
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
import type { VisibleRow } from '../../data/reads.ts';
import type { RouteStep } from './route.ts';

/** A document as the state machine reads it, with the fields that handlers get. */
export type WorkflowRow = VisibleRow<DocumentRow>;

/** What is stored about a signature (D-21). */
interface SignatureFacts {
  /** SHA-256 of the document's PDF, lower-case hex. */
  readonly pdf_sha256: string;
  /** The CMS of an EDS slot; null for a SIMPLE one. */
  readonly file: StoredDocumentFile | null;
  /** Serial number of the certificate of an EDS slot, in hex; `''` for a SIMPLE slot. */
  readonly certificate_serial: string;
}

interface ActingRole {
  /** The employee who acts; `''` for an owner without an employee, who may do nothing. */
  readonly by: string;
}

/** An act in a slot of the route. */
export interface SlotAct extends ActingRole {
  readonly kind: 'approve' | 'sign' | 'reject' | 'request_changes';
  /** Id of the API key that is used; `''` for the interactive application. */
  readonly apiKeyId: string;
  /** The slot in which to act; undefined for the active one. */
  readonly participantId?: string | undefined;
  readonly comment: string;
  /** For `sign`. */
  readonly signature?: SignatureFacts;
}

/** Every act that is possible on a document. */
export type Act =
  | SlotAct
  /** `unfit`: participants who may not take part. The caller finds them: the state machine cannot look up employees. */
  | (ActingRole & {
      readonly kind: 'set_route';
      readonly steps: readonly RouteStep[];
      readonly unfit: readonly Violation[];
    })
  | (ActingRole & { readonly kind: 'send' | 'delete' })
  /** `initiatorManager` is the direct manager of the initiator, `''` where there is none. */
  | (ActingRole & { readonly kind: 'revoke'; readonly initiatorManager: string });

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
  /** The slot in which the act took place; undefined for an act without one. */
  readonly slotId: string | undefined;
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
  ...(message !== undefined && { message }),
});
/** The caller sees the document, but only another person may do this. */
const NOT_ALLOWED: ActRefusal = { refused: true, error: 'DOCUMENT_ACTION_NOT_ALLOWED', violations: [] };
/** A field of the request asks for something that is not possible. */
const invalid = (field: string, description: string): ActRefusal => ({
  refused: true,
  error: 'INVALID_ARGUMENT',
  violations: [{ field, description }],
});

/** What an act changes in the document, or why it is refused. */
export function decide(row: WorkflowRow, act: Act, { now, newId }: ActMoment): Change | ActRefusal {
  const at = timeAfter(row, now);
  const outcome = outcomeOf(row, act, at, newId);
  return outcome.refused ? outcome : changeBy(row, outcome, at, newId);
}

/** `update_time` always grows, even when the clock stands still or goes back. */
const timeAfter = ({ update_time }: WorkflowRow, now: Date): Date =>
  new Date(Math.max(now.getTime(), update_time.getTime() + 1));

/** What an act means for the document, besides what every change does. */
interface ActOutcome extends Pick<Change, 'refused' | 'set'>, Partial<Pick<Change, 'files' | 'slotId' | 'completion'>> {
  /** Employees of the step that becomes active. */
  readonly admitted?: readonly string[];
  readonly subjects?: readonly string[];
  readonly events?: readonly EventType[];
}

function changeBy(row: WorkflowRow, outcome: ActOutcome, at: Date, newId: () => string): Change {
  const { set, files = [], slotId, completion, admitted = [], subjects = [], events = [] } = outcome;
  const actors = admitted.length === 0 ? [] : [...new Set([row.initiator_employee_id, ...admitted])];
  return {
    refused: false,
    set: { ...set, rev: row.rev + 1, update_time: at },
    files,
    actors,
    viewers: [...new Set([...actors, ...subjects])],
    events: events.map((type) => ({ id: newId(), type, occurred_at: at })),
    slotId,
    completion,
  };
}

function outcomeOf(row: WorkflowRow, act: Act, at: Date, newId: () => string): ActOutcome | ActRefusal {
  switch (act.kind) {
    case 'approve':
    case 'sign':
    case 'reject':
    case 'request_changes':
      return inSlot(row, act, at);
    default:
      return withoutSlot(row, act, at, newId);
  }
}

function inSlot(row: WorkflowRow, act: SlotAct, at: Date): ActOutcome | ActRefusal {
  const slot = slotOf(row, act);
  if (slot.refused) return slot;
  const action = actionOf(act, at);
  const outcome =
    act.kind === 'approve' || act.kind === 'sign'
      ? completed(row, slot, act.kind, action)
      : ended(row, act.kind, { slot, action });
  const file = act.signature?.file ?? null;
  return { ...outcome, slotId: slot.participant.id, files: file === null ? [] : [file] };
}

function withoutSlot(
  row: WorkflowRow,
  act: Exclude<Act, SlotAct>,
  at: Date,
  newId: () => string,
): ActOutcome | ActRefusal {
  const owners = [row.initiator_employee_id, ...(act.kind === 'revoke' ? [act.initiatorManager] : [])];
  if (act.by === '' || !owners.includes(act.by)) return NOT_ALLOWED;
  if (act.kind === 'set_route' && act.unfit.length > 0) {
    return { refused: true, error: 'INVALID_ARGUMENT', violations: act.unfit };
  }
  if (!possibleIn[act.kind].includes(row.status)) return stateForbids(row);
  switch (act.kind) {
    case 'set_route':
      return { refused: false, set: { route: newRoute(act.steps, newId) } };
    case 'send':
      return sent(row);
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
 * has acted already. An employee may hold slots in several steps: a slot in which they have acted does not prevent them
 * from acting in the next one, unless the request names that slot.
 */
export function slotOf(row: WorkflowRow, act: Pick<SlotAct, 'kind' | 'by' | 'participantId'>): Slot | ActRefusal {
  const own = slotsOf(row, act.by);
  const active = own.find(({ participant }) => participant.status === 'PARTICIPANT_STATUS_ACTIVE');
  const meant = own.find(({ participant }) => participant.id === act.participantId);
  if (act.kind === 'approve' || act.kind === 'sign') {
    const awaited = active?.step.step_type === completing[act.kind].step;
    const repeated = meant === undefined ? !awaited && own.some(hasActed) : hasActed(meant);
    if (repeated) return stateForbids(row);
  }
  if (!possibleIn[act.kind].includes(row.status)) {
    return invalid('document_id', 'names a document that is neither on approval nor on sign');
  }
  if (active === undefined) return invalid('participant_id', 'the owner of the key holds no active slot');
  const { step_type } = active.step;
  if (act.kind === 'approve' && step_type !== completing.approve.step) {
    return invalid('participant_id', 'the active slot is one of a signing step: sign or reject');
  }
  if (act.kind === 'sign' && step_type !== completing.sign.step) {
    return invalid('participant_id', 'the active slot is one of an approval step: approve or reject');
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

const employeesOf = (step: StoredStep): string[] => step.participants.map(({ employee_id }) => employee_id);

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
  const participants = step.participants.map((slot) => ({ ...slot, status: 'PARTICIPANT_STATUS_ACTIVE' as const }));
  return { ...step, status: 'STEP_STATUS_ACTIVE', participants };
}

/** Sends the document. Only a route that was set after the last sending has ROUTE_STATUS_DRAFT. */
function sent(row: WorkflowRow): ActOutcome | ActRefusal {
  const { route, subject_employee_ids } = row;
  const [first, ...others] = route?.steps ?? [];
  if (route?.status !== 'ROUTE_STATUS_DRAFT' || first === undefined) {
    const message =
      first === undefined
        ? 'The document has no route to be sent along: set one first (_set_route).'
        : 'The document was sent along its route already: set the route again (_set_route), then send.';
    return stateForbids(row, message);
  }
  const { document, event } = stages[first.step_type];
  return {
    refused: false,
    set: { status: document, route: { ...route, status: 'ROUTE_STATUS_ACTIVE', steps: [activated(first), ...others] } },
    admitted: employeesOf(first),
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
  const isOver = step.rule === 'STEP_RULE_ANY' || participants.every(({ action }) => action !== null);
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
    admitted: employeesOf(next),
    events: document === row.status ? [] : [event],
  };
}

const skippedIfActive = (slot: StoredParticipant): StoredParticipant =>
  slot.status === 'PARTICIPANT_STATUS_ACTIVE' ? { ...slot, status: 'PARTICIPANT_STATUS_SKIPPED' } : slot;

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
