export const DATABASE_NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
