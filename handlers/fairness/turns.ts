/**
 * The queue for something that all tenants share (D-33). The tenants take turns; within a tenant the first to come is
 * the first to go. So how long a tenant waits depends on how many tenants want it, never on how much another one wants.
 */
export class Turns<Waiter> {
  /** Tenants in the order of their turns. A tenant stands here while a request of it waits. */
  readonly #tenants = new Map<string, Set<Waiter>>();

  /** How many tenants wait. */
  get tenants(): number {
    return this.#tenants.size;
  }

  /** The tenants that wait, in the order of their turns. */
  tenantIds(): string[] {
    return [...this.#tenants.keys()];
  }

  /** How many requests of the tenant wait. */
  of(tenantId: string): number {
    return this.#tenants.get(tenantId)?.size ?? 0;
  }

  add(tenantId: string, waiter: Waiter): void {
    const waiting = this.#tenants.get(tenantId);
    if (waiting) waiting.add(waiter);
    else this.#tenants.set(tenantId, new Set([waiter]));
  }

  /** Removes one that no longer waits. */
  delete(tenantId: string, waiter: Waiter): void {
    const waiting = this.#tenants.get(tenantId);
    waiting?.delete(waiter);
    if (waiting?.size === 0) this.#tenants.delete(tenantId);
  }

  /**
   * Removes and returns the next one. Its tenant then goes to the end of the queue.
   * @param may whether the first of that tenant can go now; if not, the next tenant is tried
   */
  next(may: (tenantId: string, waiter: Waiter) => boolean = () => true): Waiter | undefined {
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
