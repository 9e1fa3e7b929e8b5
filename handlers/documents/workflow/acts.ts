/** What may be done with a document, as the state machine is asked for it. */
import type { DocumentRow, StoredDocumentFile } from '../../data/collections/documents.ts';
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
  readonly participantId?: string;
  readonly comment: string;
  /** For `sign`. */
  readonly signature?: SignatureFacts;
}

/** Every act that is possible on a document. */
export type Act = SlotAct | InitiatorAct | GiveOnAct;

/** An act of the initiator, or of the initiator's direct manager. */
export type InitiatorAct =
  | (ActingRole & { readonly kind: 'set_route'; readonly steps: readonly RouteStep[] })
  | (ActingRole & { readonly kind: 'send' | 'delete' | 'revoke' });

/** An administrator gives the waiting slot of somebody who has left to another employee (D-37). */
export interface GiveOnAct {
  readonly kind: 'give_on';
  /** The leaver. */
  readonly by: string;
  readonly participantId: string;
  readonly to: string;
}
