import type { CollectionDeclaration } from '../collection.ts';

/**
 * A signature value that was accepted for one act, which proves no other (D-21). `_id`: tenant, `:`,
 * `VerifiedCms.identity`.
 */
export interface AcceptedSignatureRow {
  _id: string;
  tenant_id: string;
  document_id: string;
  participant_id: string;
  create_time: Date;
}

export const acceptedSignatures: CollectionDeclaration<AcceptedSignatureRow> = { indexes: [] };
