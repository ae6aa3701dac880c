export const WRONG_CLOCK_MS = 120_000;
