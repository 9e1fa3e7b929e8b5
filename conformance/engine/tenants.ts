/** The tenants of a profile. */
import type { Profile } from '../profile/profile.ts';

/** What a rule knows of the deployment while it is checked. */
export interface Place {
  /** Of its tenant; the same object for all rules that are checked there. */
  readonly tenant: Profile;
  /** The same, with only those of its keys that no other rule holds meanwhile. */
  readonly profile: Profile;
}

/** The main one first. */
export type Tenants = readonly [Profile, ...Profile[]];

/** The main tenant of a profile, and each of its pool as if it were the main one. */
export function tenantsOf(profile: Profile): Tenants {
  const { pool = [], tenant } = profile;
  const others = pool.map(({ tag, keys, fixtures = {}, admin = {} }) => {
    const { cwd, runner } = profile.admin;
    return { ...profile, tenant: { ...tenant, tag }, keys, fixtures, admin: { ...admin, cwd, runner } } as Profile;
  });
  return [{ ...profile }, ...others];
}
