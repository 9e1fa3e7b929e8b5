/** Moves the target's clock, for rules that run alone. */

/** Reserve for the time that the steps of a test take. */
export const MARGIN_MS = 60_000;
export const DAY_MS = 86_400_000;
/** The clocks of two machines may differ by this much before a rule about time fails. */
export const SKEW_MS = 5_000;

/**
 * Whether a row was changed while the target's clock was ahead, as an earlier run leaves it. No instant of a row goes
 * back, so the next change of such a row is an event of the future: a rule takes another row.
 */
export const isOfTheFuture = ({ update_time }: { update_time: string }): boolean =>
  Date.parse(update_time) > Date.now() + SKEW_MS;
