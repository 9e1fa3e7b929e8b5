import type { Handler } from '../runtime/handler.ts';

/** The enabled login methods of the tenant, by slug (D-16). */
export const listLoginMethods: Handler<'listLoginMethods'> = async ({ caller }) => {
  const rows = await caller.store.login_methods
    .find({ tenant_id: caller.tenant.id, enabled: true })
    .sort({ slug: 1 })
    .toArray();
  return { items: rows.map(({ enabled, slug, title, type }) => ({ enabled, slug, title, type })) };
};
