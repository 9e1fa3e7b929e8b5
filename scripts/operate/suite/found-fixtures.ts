/** Fixtures that the test tenants have without being made for the suite: they only need to be found. */
import type { Store } from '../../../handlers/data/store.ts';
import { withoutUndefined } from '../settings/values.ts';

/** The profile's `fixtures`, as far as the tenants have them. */
export type Fixtures = Record<string, string | { key: 'full'; employees_at_least: number }>;

const BIG = 10_001;

/** @param tenantId the tenant of most keys @param otherId the tenant of the key `other_tenant` */
export async function foundFixtures(store: Store, tenantId: string, otherId: string): Promise<Fixtures> {
  const [own, other, big] = await Promise.all([
    catalogueFixtures(store, tenantId),
    otherTenantFixtures(store, otherId),
    bigFixture(store, tenantId),
  ]);
  return withoutUndefined({ ...own, ...other, big }) as Fixtures;
}

async function catalogueFixtures(store: Store, tenantId: string) {
  const types = await store.document_types.find({ tenant_id: tenantId }).sort({ create_time: 1, _id: 1 }).toArray();
  const active = types.filter(({ status }) => status === 'ACTIVE');
  const open = active.filter(({ allow_api, allow_upload }) => allow_api && allow_upload);
  const withTemplate = open.find(({ template_id }) => template_id !== '');
  const hidden = open.find(({ confidential, _id }) => confidential && _id !== withTemplate?._id);
  return {
    document_template_id: withTemplate?.template_id,
    document_type_id: withTemplate?._id,
    document_category_id: withTemplate?.category_id,
    document_type_hidden_from_restricted_id: hidden?._id,
    document_type_confidential_id: hidden?._id,
    document_type_no_api_id: active.find(({ allow_api, allow_upload }) => !allow_api && allow_upload)?._id,
    document_type_no_upload_id: active.find(({ allow_api, allow_upload }) => allow_api && !allow_upload)?._id,
    document_type_archived_id: types.find(
      ({ status, allow_api, allow_upload }) => status === 'ARCHIVED' && allow_api && allow_upload,
    )?._id,
  };
}

async function otherTenantFixtures(store: Store, tenantId: string) {
  const tenant = await store.tenants.findOne({ _id: tenantId });
  const employee = await store.employees.findOne({
    tenant_id: tenantId,
    listed: true,
    status: 'EMPLOYEE_STATUS_ACTIVE',
    // A batch of ingest may have made employees without a department.
    department_id: { $ne: '' },
  });
  const template = await store.document_templates.findOne({ tenant_id: tenantId });
  return {
    time_zone_other_tenant: tenant?.time_zone,
    employee_other_tenant_id: employee?._id,
    department_other_tenant_id: employee?.department_id,
    document_template_other_tenant_id: template?._id,
    document_type_other_tenant_id: template?.type_id,
  };
}

async function bigFixture(store: Store, tenantId: string): Promise<Fixtures[string] | undefined> {
  const count = await store.employees.countDocuments({ tenant_id: tenantId, listed: true }, { limit: BIG });
  return count < BIG ? undefined : { key: 'full', employees_at_least: BIG };
}
