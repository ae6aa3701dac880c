export const CITUS_URL = process.env['TEST_CITUS_URL'];
/** The workers as HOST:PORT. Without workers, the coordinator has the shards. */
export const CITUS_WORKERS = (process.env['TEST_CITUS_WORKERS'] ?? '')
  .split(',')
  .filter((worker) => worker !== '');
