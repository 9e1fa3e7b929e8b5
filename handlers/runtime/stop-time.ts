/** How long a stop may take, in milliseconds, before the process exits anyway, with 1. */
export const LONGEST_STOP_MS = 12_000;
