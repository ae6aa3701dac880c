/** A clock is wrong if it differs by more than this. */
export const WRONG_CLOCK_MS = 120_000;
