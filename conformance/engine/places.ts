/** Where a rule is checked: which tenant, and which keys, it has for itself meanwhile. */
import type { Profile } from '../profile/profile.ts';
import type { Rule } from '../rules/rule.ts';
import { missingFor } from './needs.ts';
import { costOf } from './recorded.ts';
import type { Place, Tenants } from './tenants.ts';

type PlacedRule = Pick<Rule, 'id' | 'runs' | 'holds'>;

/** How many rules may hold a name at the same time: as many as there are equivalent keys of that name. */
const most = (name: string, { keys }: Profile): number =>
  name === 'load' ? Math.max(1, [keys.load ?? []].flat().length) : 1;

/** In place of a file's name, for rules that only the main tenant has everything for. */
const MAIN = undefined;

type FileOf = (id: string) => string | undefined;

/** The places of a phase's rules. */
export class Places {
  readonly #tenants: Tenants;
  /** Of each rule that changes a tenant. */
  readonly #homes: ReadonlyMap<string, Profile>;
  readonly #taken = new Map<PlacedRule, Place>();

  /** @param fileOf the file of a rule, by its id */
  constructor(tenants: Tenants, rules: readonly Rule[], fileOf: FileOf) {
    this.#tenants = tenants;
    this.#homes = homesOf(rules, tenants, fileOf);
  }

  /** Those of the pool first: their tenants stand still until they begin. */
  inOrder(rules: readonly Rule[]): Rule[] {
    const isOfMain = (rule: Rule) => Number(this.#homeOf(rule) === this.#tenants[0]);
    return rules.toSorted((a, b) => isOfMain(a) - isOfMain(b));
  }

  /** A place for the rule, which is taken until {@link leave}; undefined while others are in its way. */
  take(rule: PlacedRule): Place | undefined {
    const tenant = this.#homeOf(rule);
    const others = [...this.#taken];
    const isInUse = others.some(([other, { tenant: theirs }]) => theirs === tenant && areApart(rule, other));
    if (isInUse || rule.holds?.some((name) => this.#holdersOf(name).length >= most(name, tenant))) return undefined;
    const place = { tenant, profile: this.#profileFor(rule, tenant) };
    this.#taken.set(rule, place);
    return place;
  }

  leave(rule: PlacedRule): void {
    this.#taken.delete(rule);
  }

  #homeOf({ id }: PlacedRule): Profile {
    return this.#homes.get(id) ?? this.#tenants[0];
  }

  #holdersOf(name: string): Place[] {
    return [...this.#taken].flatMap(([{ holds }, place]) => (holds?.includes(name) ? [place] : []));
  }

  /** Of several keys `load`, a rule that holds one knows only that. */
  #profileFor({ holds }: PlacedRule, tenant: Profile): Profile {
    const keys = [tenant.keys.load ?? []].flat();
    if (keys.length < 2 || !holds?.includes('load')) return tenant;
    const used = this.#holdersOf('load').map(({ profile }) => profile.keys.load);
    const [load = ''] = keys.filter((key) => !used.includes(key));
    return { ...tenant, keys: { ...tenant.keys, load } };
  }
}

const areApart = (one: PlacedRule, other: PlacedRule): boolean =>
  [one.runs, other.runs].includes('changing') && [one.runs, other.runs].every(touchesTenant);

const touchesTenant = (runs: Rule['runs']) => runs === 'quiet' || runs === 'changing';

/**
 * The tenants of the rules that change one. What rules of a file or of a world have made serves them all, so they are
 * checked in one tenant, but for those for which it lacks something. The longest of these come first, each to where least is
 * to do.
 */
function homesOf(rules: readonly Rule[], tenants: Tenants, fileOf: FileOf): Map<string, Profile> {
  const [main, ...pool] = tenants;
  const fits = (rule: Rule) => rule.needs !== undefined && pool.every((tenant) => !missingFor(rule, tenant));
  const changing = rules.filter(({ runs }) => runs === 'changing');
  const files = Map.groupBy(changing, (rule) =>
    pool.length > 0 && fits(rule) ? (rule.world ?? fileOf(rule.id)) : MAIN,
  );
  const toDo = new Map(tenants.map((tenant) => [tenant, 0]));
  const homes = new Map<string, Profile>();
  const timeOf = (file: readonly Rule[]) => file.reduce((sum, { id }) => sum + costOf(id).ms, 0);
  const longestFirst = [...files].toSorted(([, a], [, b]) => timeOf(b) - timeOf(a));
  for (const [name, file] of longestFirst) {
    const [least = main] = pool.toSorted((a, b) => (toDo.get(a) ?? 0) - (toDo.get(b) ?? 0));
    const home = name === MAIN ? main : least;
    toDo.set(home, (toDo.get(home) ?? 0) + timeOf(file));
    for (const { id } of file) homes.set(id, home);
  }
  return homes;
}
