import type { LoginMethodRow } from '../data/collections/login_methods.ts';
import { filterValues, type ListFilters } from '../data/list.ts';
import type { Handler } from '../http/handler.ts';

const loginMethodFilters: ListFilters<'listLoginMethods', LoginMethodRow> = {};

/** The enabled login methods of the tenant, by slug (D-16). */
export const listLoginMethods: Handler<'listLoginMethods'> = async ({ caller, query }) => {
  const { condition } = filterValues(loginMethodFilters, query);
  const rows = await caller.inTenant('login_methods').list({ enabled: true, ...condition }, { slug: 1 });
  return { items: rows.map(({ enabled, slug, title, type }) => ({ enabled, slug, title, type })) };
};
