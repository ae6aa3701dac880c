/** The time by the clock of the machine, in milliseconds, for times that several processes compare. */
export const DATABASE_NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
