/** What a rule used in a run, which is what it needs in the next one. */
import type { OperationId } from '../../generated/contract.ts';
import type { AdminCommand, FixtureName, KeyName } from '../profile/schema.ts';

/** What must be available. If something is missing, the rule is UNTESTED and the reason says what. */
export interface Needs {
  keys?: readonly KeyName[];
  fixtures?: readonly FixtureName[];
  admin?: readonly AdminCommand[];
  clock?: true;
  replica?: true;
  callbacks?: true;
  /** Needs a tenant with more than 10,000 employees. */
  big?: true;
  /** Operations that may not be built yet; only rules that name one may be UNTESTED for that reason. */
  operations?: readonly OperationId[];
}

const LISTS = ['keys', 'fixtures', 'admin', 'operations'] as const;
const FLAGS = ['big', 'callbacks', 'clock', 'replica'] as const;

type Flag = (typeof FLAGS)[number];

/** What a rule can ask for before it uses it. */
export type OptionalNeed = KeyName | AdminCommand | 'clock' | 'callbacks';

/** What one rule has used, or what was used to make something that rules share. */
export class Uses {
  readonly keys = new Set<KeyName>();
  readonly fixtures = new Set<FixtureName>();
  readonly admin = new Set<AdminCommand>();
  readonly operations = new Set<OperationId>();
  readonly flags = new Set<Flag>();
  /** What the rule asked for before it used it: it does without if it is absent. */
  readonly optional = new Set<OptionalNeed>();
  /** The rule goes over the operations that the target has, and needs none of them. */
  isOverOperations = false;

  readonly #shared = new Set<Uses>();

  /** Adds what something that this rule uses was made with. It needs all that this needs, even what it asks for itself. */
  add(shared: Uses): void {
    this.#shared.add(shared);
  }

  /** What the next run will know that the rule needs. */
  get needs(): Needs {
    const all = [this.#own, ...[...this.#shared].map(({ needs }) => needs)];
    const named = LISTS.flatMap((name) => {
      const isNone = name === 'operations' && this.isOverOperations;
      const found = new Set(isNone ? [] : all.flatMap((needs): readonly string[] => needs[name] ?? []));
      return found.size > 0 ? [[name, [...found].toSorted()]] : [];
    });
    const flags = FLAGS.filter((flag) => all.some((needs) => needs[flag]));
    return Object.fromEntries([...named, ...flags.map((flag) => [flag, true])]) as Needs;
  }

  get #own(): Needs {
    const isNeeded = (name: OptionalNeed) => !this.optional.has(name);
    const flags = [...this.flags].filter((flag) => isNeeded(flag as OptionalNeed));
    return {
      // Every profile has the key full.
      keys: [...this.keys].filter((name) => name !== 'full' && isNeeded(name)),
      fixtures: [...this.fixtures],
      admin: [...this.admin].filter(isNeeded),
      operations: [...this.operations],
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
    };
  }
}
