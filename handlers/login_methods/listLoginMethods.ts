import type { Handler } from '../http/handler.ts';

/** The enabled login methods of the tenant, by slug (D-16). */
export const listLoginMethods: Handler<'listLoginMethods'> = async ({ caller }) => {
  const rows = await caller.inTenant('login_methods').list({ enabled: true }, { slug: 1 });
  return { items: rows.map(({ enabled, slug, title, type }) => ({ enabled, slug, title, type })) };
};
