import { type CollectionDeclaration, query } from '../collection.ts';

/** A customer. While `developer_api_enabled` is false, every request with its keys gets FEATURE_FLAG.NOT_AVAILABLE. */
export interface TenantRow {
  _id: string;
  name: string;
  developer_api_enabled: boolean;
  /** When the flag was last switched on; events from before are sent to nobody (D-27). Absent if it never was off. */
  enabled_at?: Date;
  /** IANA name; decides what "today" is (D-17). */
  time_zone: string;
  create_time: Date;
  update_time: Date;
}

export const tenants: CollectionDeclaration<TenantRow> = {
  keeps: {
    holds: 'tenants',
    until: 'the tenant is deleted',
    because: 'they are the customers; the audit log keeps the id',
  },
  life: {
    name: 'kept',
    developer_api_enabled: 'kept',
    enabled_at: 'kept',
    time_zone: 'kept',
    create_time: 'kept',
    update_time: 'kept',
  },
  indexes: [{ key: { time_zone: 1 }, serves: [query.distinct('the daily pass: the time zones in use')] }],
  scans: [
    query.find('settings: a tenant by id or name', {
      upTo: 'listed',
      because: 'tenants are looked through for a name',
    }),
  ],
};
