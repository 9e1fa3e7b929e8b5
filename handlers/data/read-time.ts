/** How long the database may work on one read of a request, in milliseconds. */
export const READ_TIME_MS = 4_000;
