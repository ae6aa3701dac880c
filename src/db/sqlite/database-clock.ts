/** SQL for the machine's time in milliseconds. Times that several processes compare come from it. */
export const DATABASE_NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
