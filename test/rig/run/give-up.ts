/**
 * When a wait or a test that hangs is ended. Nothing takes a tenth of it on a quiet machine, so a busy one
 * does not reach it.
 */
export const GIVE_UP_MS = 600_000;
