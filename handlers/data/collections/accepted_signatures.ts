import { type CollectionDeclaration, query, SHARD_KEY } from '../collection.ts';

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

export const acceptedSignatures: CollectionDeclaration<AcceptedSignatureRow> = {
  keeps: {
    holds: 'digests of signature values, with ids of the document and the slot',
    until: 'the tenant is deleted',
    because: 'a signature proves one act for ever; one small row for each',
  },
  life: {
    document_id: 'kept',
    participant_id: 'kept',
    create_time: 'kept',
  },
  indexes: [{ key: SHARD_KEY, serves: [query.find('settings: what leaves with its tenant')] }],
};
