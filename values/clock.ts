/** A clock that is further off than this is wrong. */
export const WRONG_CLOCK_MS = 120_000;
