/** What a rule used in a run, which is what it needs in the next one. */
import type { OperationId } from '../../generated/operations.ts';
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

const KINDS = ['keys', 'fixtures', 'admin', 'operations', 'flags'] as const;

type Flag = 'clock' | 'replica' | 'callbacks' | 'big';

/** What one rule has used. */
export class Uses {
  readonly keys = new Set<KeyName>();
  readonly fixtures = new Set<FixtureName>();
  readonly admin = new Set<AdminCommand>();
  readonly operations = new Set<OperationId>();
  readonly flags = new Set<Flag>();
  /** What the rule asked for before it used it: it does without if it is absent. */
  readonly optional = new Set<KeyName | 'clock'>();
  /** The rule goes over the operations that the target has, and needs none of them. */
  isOverOperations = false;

  /** Adds what was used to make something that this rule uses, too. */
  add(other: Uses): void {
    for (const kind of KINDS) for (const one of other[kind]) (this[kind] as Set<unknown>).add(one);
  }

  /** What was used since an earlier state. */
  since(before: Uses): Uses {
    const found = new Uses();
    found.add(this);
    for (const kind of KINDS) for (const one of before[kind]) (found[kind] as Set<unknown>).delete(one);
    return found;
  }

  /** What the next run will know that the rule needs. */
  get needs(): Needs {
    const lists = {
      // Every profile has the key full.
      keys: [...this.keys].filter((name) => name !== 'full' && !this.optional.has(name)),
      fixtures: [...this.fixtures],
      admin: [...this.admin],
      operations: this.isOverOperations ? [] : [...this.operations],
    };
    const named = Object.entries(lists).flatMap(([name, all]) => (all.length > 0 ? [[name, all.toSorted()]] : []));
    const flags = [...this.flags].filter((flag) => flag !== 'clock' || !this.optional.has(flag));
    return Object.fromEntries([...named, ...flags.toSorted().map((flag) => [flag, true])]) as Needs;
  }
}
