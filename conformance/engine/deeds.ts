/** What a target does by itself some time after a request, and which rule has found that it does not. */
export type Deed = 'event is delivered' | 'batch is applied';

/** What a run knows of the deeds of its target. */
export class Deeds {
  readonly #seen = new Set<Deed>();
  readonly #finders = new Map<Deed, string>();

  /** Notes that a rule has seen the deed, or has waited for it in vain. */
  note(deed: Deed, rule: string, isSeen: boolean): void {
    if (isSeen) this.#seen.add(deed);
    else if (!this.#seen.has(deed) && !this.#finders.has(deed)) this.#finders.set(deed, rule);
  }

  /** The rule that has found that it is never done. */
  finderOf(deed: Deed): string | undefined {
    return this.#seen.has(deed) ? undefined : this.#finders.get(deed);
  }
}
