/** The time by the database's clock, in milliseconds, for times that several instances compare. */
export const DATABASE_NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
