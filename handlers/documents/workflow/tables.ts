/** The types and tables of the documents' state machine (D-18 to D-21), which `workflow.ts` runs. */
import type { ErrorName } from '../../../generated/errors.ts';
import type { Violation } from '../../answers/errors.ts';
import type {
  DocumentRow,
  StoredDocumentFile,
  StoredDocumentStatus,
  StoredRoute,
  StoredStep,
} from '../../data/collections/documents.ts';
import type { EventType, PendingEvent } from '../../data/outbox.ts';
import type { VisibleRow } from '../../data/reads.ts';
import type { RouteStep } from './route.ts';

/** A document as the state machine reads it, with the fields that handlers get. */
export type WorkflowRow = VisibleRow<DocumentRow>;

/** What is stored about a signature (D-21). */
export interface SignatureFacts {
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
  readonly error: ErrorName;
  /** Empty unless the error is INVALID_ARGUMENT. */
  readonly violations: readonly Violation[];
  /** When the state of the document forbids the act: that state. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Replaces the usual message, where another act has to come first. */
  readonly message?: string;
}

/** The time of an act, and the source of new ids. */
export interface ActMoment {
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
export const stages = {
  STEP_TYPE_APPROVAL: { document: 'DOCUMENT_STATUS_ON_APPROVAL', event: 'document.approval_started' },
  STEP_TYPE_SIGNING: { document: 'DOCUMENT_STATUS_ON_SIGN', event: 'document.signing_started' },
} as const satisfies Readonly<Record<StoredStep['step_type'], { document: StoredDocumentStatus; event: EventType }>>;

/** Acts that complete a slot: the type of its step, and the new status of the slot. Repeating one is a state error. */
export const completing = {
  approve: { step: 'STEP_TYPE_APPROVAL', slot: 'PARTICIPANT_STATUS_APPROVED' },
  sign: { step: 'STEP_TYPE_SIGNING', slot: 'PARTICIPANT_STATUS_SIGNED' },
} as const;

/** Acts that end a route early, with the new statuses: the last table of D-19. */
export const ending = {
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
export const stateForbids = ({ status }: Pick<WorkflowRow, 'status'>, message?: string): ActRefusal => ({
  refused: true,
  error: 'DOCUMENT_INVALID_STATUS_TRANSITION',
  violations: [],
  metadata: { status },
  ...(message !== undefined && { message }),
});
/** The caller sees the document, but only another person may do this. */
export const NOT_ALLOWED: ActRefusal = { refused: true, error: 'DOCUMENT_ACTION_NOT_ALLOWED', violations: [] };
/** A field of the request asks for something that is not possible. */
export const invalid = (field: string, description: string): ActRefusal => ({
  refused: true,
  error: 'INVALID_ARGUMENT',
  violations: [{ field, description }],
});
