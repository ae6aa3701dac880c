/** SQL for the database's time in milliseconds. Times that several instances compare come from it. */
export const DATABASE_NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
