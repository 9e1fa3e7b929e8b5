/**
 * Who waits for something that all tenants share (D-33): the tenants take turns, and of each tenant whoever came first. So
 * what a tenant waits depends on how many tenants want it, never on how much another one wants.
 */
export class Turns<Waiter> {
  /** In the order of their turns. A tenant is here as long as somebody of it waits. */
  readonly #tenants = new Map<string, Set<Waiter>>();

  /** Tenants that wait. */
  get tenants(): number {
    return this.#tenants.size;
  }

  /** How many of a tenant wait. */
  of(tenantId: string): number {
    return this.#tenants.get(tenantId)?.size ?? 0;
  }

  add(tenantId: string, waiter: Waiter): void {
    const waiting = this.#tenants.get(tenantId);
    if (waiting) waiting.add(waiter);
    else this.#tenants.set(tenantId, new Set([waiter]));
  }

  /** Takes one out who waits no longer. */
  delete(tenantId: string, waiter: Waiter): void {
    const waiting = this.#tenants.get(tenantId);
    waiting?.delete(waiter);
    if (waiting?.size === 0) this.#tenants.delete(tenantId);
  }

  /**
   * Takes out whoever is next; the tenant's next turn comes after that of all others.
   * @param may whether it is possible now for that tenant's first; else the next tenant is asked
   */
  next(may: (tenantId: string, waiter: Waiter) => boolean): Waiter | undefined {
    for (const [tenantId, waiting] of this.#tenants) {
      const [first] = waiting;
      if (first === undefined || !may(tenantId, first)) continue;
      this.#tenants.delete(tenantId);
      waiting.delete(first);
      if (waiting.size > 0) this.#tenants.set(tenantId, waiting);
      return first;
    }
    return undefined;
  }
}
