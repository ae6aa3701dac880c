/** The time by the database's clock, in milliseconds: to compare among instances, whose own clocks differ. */
export const DATABASE_NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
