/** Finds departments and an organization among the cards of employees, and a large tenant. */
import type { Ask } from '../doctor/ask.ts';
import { type Card, NothingFound, totalOf, variableOf, type Walk } from '../doctor/lists.ts';
import type { Profile } from '../profile/profile.ts';
import { choose, type Discovery } from './found.ts';

const FEWEST = 5;
const MOST = 90;

/** The statuses of the employees of each department. @throws NothingFound if nobody can say how many it has */
function statusesIn({ rows, isCut }: Walk<Card>): Map<string, string[]> {
  if (isCut)
    throw new NothingFound('the tenant has more employees than were read, so nobody can say how many a department has');
  const groups = Map.groupBy(rows, ({ department_id }) => department_id);
  groups.delete('');
  return new Map([...groups].map(([id, cards]) => [id, cards.map(({ status }) => status)]));
}

/** A department chosen by the number of its employees; one that restricted_owner sees, if such a one fits. */
export function departmentFound(full: Walk<Card>, restricted: Walk<Card> | undefined): Discovery {
  const statuses = statusesIn(full);
  const familiar = new Set(restricted?.rows.map(({ department_id }) => department_id));
  const fits = [...statuses].filter(([, of]) => of.length >= FEWEST && of.length <= MOST && new Set(of).size > 1);
  const ids = fits.map(([id]) => id).toSorted((a, b) => Number(familiar.has(b)) - Number(familiar.has(a)));
  const words = `${FEWEST} to ${MOST} employees of at least two statuses`;
  return choose('department_id', ids, words, `none of ${statuses.size} departments has ${words}`);
}

/** The largest of the other departments that are not too large. @param first the one that was chosen before */
export function otherDepartmentFound(full: Walk<Card>, first: string | undefined): Discovery {
  const others = [...statusesIn(full)].filter(([id, of]) => id !== first && of.length <= MOST);
  const ids = others.toSorted(([, a], [, b]) => b.length - a.length).map(([id]) => id);
  return choose('department_other_id', ids, `another one with at most ${MOST} employees`, 'there is no second one');
}

/** Organizations appear only in the cards of employees. @param owner the employee who owns `full` */
export function organizationFound(full: Walk<Card>, owner: string | undefined): Discovery {
  const own = full.rows.find(({ id }) => id === owner)?.organization_id;
  // The oldest first: a batch may have created others.
  const all = [...new Set(full.rows.toReversed().map(({ organization_id }) => organization_id))].filter(
    (id) => id !== '',
  );
  const others = all.filter((id) => id !== own);
  const how = others.length > 0 && own !== undefined ? 'of employees, not of the owner of full' : 'of employees';
  return choose('organization_id', others.length > 0 ? others : all, how, 'no employee shows an organization_id');
}

const MORE_THAN = 10_000;

/** Requests totals, which are cheaper than lists. */
export async function bigFound(ask: Ask, ring: Pick<Profile, 'keys'>): Promise<Discovery> {
  const counts: string[] = [];
  for (const key of ['full', 'other_tenant'] as const) {
    const variable = variableOf(ring, key);
    if (variable === undefined) continue;
    const { total } = await totalOf(ask, variable);
    const big = { key, employees_at_least: MORE_THAN + 1 };
    if (total > MORE_THAN) return { fixture: 'big', big, how: `total_count of ${key} is ${total}` };
    counts.push(`${key} counts ${Number.isFinite(total) ? total : 'nothing'}`);
  }
  throw new NothingFound(`no tenant has more than 10,000 employees (${counts.join(', ')})`);
}
