/**
 * The time after which a hanging wait or test ends. On a quiet machine nothing takes a tenth of this time, so
 * a busy machine does not reach it.
 */
export const GIVE_UP_MS = 600_000;
