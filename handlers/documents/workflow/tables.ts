/** The words and tables of the documents' state machine (D-18 to D-21), which `workflow.ts` runs. */
import type { ErrorName } from '../../../generated/errors.ts';
import type {
  DocumentRow,
  PendingEvent,
  StoredDocumentFile,
  StoredDocumentStatus,
  StoredStep,
} from '../../data/store.ts';
import type { Seen } from '../../data/ways.ts';
import type { Violation } from '../../http/errors.ts';
import type { RouteStep } from './route.ts';

/** What the machine reads of a document: all that a handler gets of it. */
export type WorkflowRow = Seen<DocumentRow>;

/** What a signature leaves behind (D-21). */
export interface SignatureFacts {
  /** Of the document's PDF, lower-case hex. */
  readonly pdf_sha256: string;
  /** The CMS of an EDS slot; null for a SIMPLE one. */
  readonly file: StoredDocumentFile | null;
  /** Of the certificate of an EDS slot, in hex; else `''`. */
  readonly certificate_serial: string;
}

interface Acting {
  /** The employee who acts; `''` for an owner who is none, who may do nothing. */
  readonly by: string;
}

/** An act in a slot of the route. */
export interface SlotAct extends Acting {
  readonly kind: 'approve' | 'sign' | 'reject' | 'request_changes';
  /** The key that acts; `''` for the interactive application. */
  readonly apiKeyId: string;
  /** The slot that is meant; undefined for the active one. */
  readonly participantId?: string | undefined;
  readonly comment: string;
  /** For `sign`. */
  readonly signature?: SignatureFacts;
}

/** Everything that anybody may do to a document. */
export type Act =
  | SlotAct
  /** `unfit` says which participants cannot be: found out by whoever can look employees up. */
  | (Acting & {
      readonly kind: 'set_route';
      readonly steps: readonly RouteStep[];
      readonly unfit: readonly Violation[];
    })
  | (Acting & { readonly kind: 'send' | 'delete' })
  /** `initiatorManager` is the direct manager of the initiator, `''` where there is none. */
  | (Acting & { readonly kind: 'revoke'; readonly initiatorManager: string });

/** What an act makes of a document, as one write with its events. */
export interface Change {
  readonly refused: false;
  readonly set: Partial<DocumentRow>;
  /** Employees who from now on see the document whatever its type. */
  readonly actors: readonly string[];
  /** Employees who from now on see the document, the actors included. */
  readonly viewers: readonly string[];
  /** In the order in which they happened. */
  readonly events: readonly PendingEvent[];
  /** The slot in which the act took place; `''` for an act without one. */
  readonly slotId: string;
}

/** Why an act does not take place; nothing changes. */
export interface Refusal {
  readonly refused: true;
  readonly error: ErrorName;
  /** With INVALID_ARGUMENT, and with nothing else. */
  readonly violations: readonly Violation[];
  /** With a state that forbids the act: what it is, and what to do where that is not the act's own doing. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** When an act takes place, and where ids come from. */
export interface Moment {
  readonly now: Date;
  readonly newId: () => string;
}

const FLOWING: readonly StoredDocumentStatus[] = ['DOCUMENT_STATUS_ON_APPROVAL', 'DOCUMENT_STATUS_ON_SIGN'];
const PREPARED: readonly StoredDocumentStatus[] = ['DOCUMENT_STATUS_DRAFT', 'DOCUMENT_STATUS_CHANGE_REQUESTED'];

/** In which states of the document an act is possible. */
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

/** What the document is while a step of the type is active, and the event when it becomes that. */
export const stages = {
  STEP_TYPE_APPROVAL: { document: 'DOCUMENT_STATUS_ON_APPROVAL', event: 'document.approval_started' },
  STEP_TYPE_SIGNING: { document: 'DOCUMENT_STATUS_ON_SIGN', event: 'document.signing_started' },
} as const satisfies Readonly<Record<StoredStep['step_type'], { document: StoredDocumentStatus; event: string }>>;

/** Acts that complete a slot: of which steps, and what the slot becomes. A repeat of them is a state error. */
export const completing = {
  approve: { step: 'STEP_TYPE_APPROVAL', slot: 'PARTICIPANT_STATUS_APPROVED' },
  sign: { step: 'STEP_TYPE_SIGNING', slot: 'PARTICIPANT_STATUS_SIGNED' },
} as const;

/** Acts that end a route before its time: the last table of D-19. */
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

/** The state of the document forbids the act. @param message instead of the usual one */
export const stateForbids = ({ status }: Pick<WorkflowRow, 'status'>, message?: string): Refusal => ({
  ...{ refused: true, error: 'DOCUMENT_INVALID_STATUS_TRANSITION', violations: [], metadata: { status } },
  ...(message !== undefined && { message }),
});
/** Whoever acts sees the document, but the act is another's. */
export const NOT_ALLOWED: Refusal = { refused: true, error: 'DOCUMENT_ACTION_NOT_ALLOWED', violations: [] };
/** What was asked for cannot be. */
export const invalid = (field: string, description: string): Refusal => ({
  refused: true,
  error: 'INVALID_ARGUMENT',
  violations: [{ field, description }],
});
