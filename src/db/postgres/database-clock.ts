/**
 * The time by the clock of the database, in milliseconds: for what several instances compare, whose own
 * clocks differ.
 */
export const DATABASE_NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
