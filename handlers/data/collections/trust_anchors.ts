import { type CollectionDeclaration, query, SHORT_LIST } from '../collection.ts';

/** A certificate authority whose signers a tenant accepts (D-21). */
export interface TrustAnchorRow {
  _id: string;
  tenant_id: string;
  title: string;
  /** The certificate, DER in base64. */
  certificate: string;
  /** SHA-256 of the DER, lower-case hex. */
  fingerprint: string;
  not_before: Date;
  not_after: Date;
  create_time: Date;
}

export const trustAnchors: CollectionDeclaration<TrustAnchorRow> = {
  keeps: {
    holds: 'certificates of authorities',
    until: 'the tenant is deleted',
    because: 'they are settings',
  },
  life: {
    title: 'kept',
    certificate: 'kept',
    fingerprint: 'kept',
    not_before: 'kept',
    not_after: 'kept',
    create_time: 'kept',
  },
  indexes: [
    {
      key: { tenant_id: 1, fingerprint: 1 },
      options: { unique: true },
      serves: [query.find('whose signatures count', SHORT_LIST)],
    },
  ],
};
