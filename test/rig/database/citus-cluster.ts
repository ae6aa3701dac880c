/** The coordinator of a cluster in which databases can be created. No package includes one. */
export const CITUS_URL = process.env['TEST_CITUS_URL'];
/** Its workers, as HOST:PORT. Without workers, the coordinator has the shards. */
export const CITUS_WORKERS = (process.env['TEST_CITUS_WORKERS'] ?? '')
  .split(',')
  .filter((worker) => worker !== '');
