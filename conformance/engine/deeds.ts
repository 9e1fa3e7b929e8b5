/** What a target does by itself some time after a request, and which rule has found that it does not. */
export type Deed = 'event is delivered' | 'batch is applied';

/** What a run knows of the deeds of its target, by tenant: a tenant may have lost one alone. */
export class Deeds {
  readonly #seen = new Set<string>();
  readonly #finders = new Map<string, string>();

  /** Notes that a rule has seen the deed, or has waited for it in vain. */
  note(deed: string, rule: string, isSeen: boolean): void {
    if (isSeen) this.#seen.add(deed);
    else if (!this.#seen.has(deed) && !this.#finders.has(deed)) this.#finders.set(deed, rule);
  }

  /** The rule that has found that it is never done. */
  finderOf(deed: string): string | undefined {
    return this.#seen.has(deed) ? undefined : this.#finders.get(deed);
  }
}
