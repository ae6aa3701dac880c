import { type Statement, statement } from './driver/index.ts';
import { hashText } from './hash-text.ts';

/** A shard of the transactions: the accounts whose hash is `from` or more, up to the next shard, and the worker that has it. */
export interface Shard {
  from: number;
  /** The host and port of the worker. */
  worker: string;
}

export type ShardRow = [from: number, worker: string, probeHash: number];

const PROBE = 'probe';

const READ = statement(
  `SELECT shardminvalue::int AS "from", min(nodename || ':' || nodeport) AS worker, worker_hash('${PROBE}'::text) AS probe_hash
FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
WHERE logicalrelid = 'transactions'::regclass AND noderole = 'primary'
GROUP BY shardminvalue ORDER BY shardminvalue::int`,
);

/** The shards of a cluster, in the order of their hashes. None if Citus assigns accounts in a way that is not known here. */
export async function readShards(query: (read: Statement) => Promise<ShardRow[]>): Promise<Shard[]> {
  const rows = await query(READ);
  if (rows.some(([, , probeHash]) => probeHash !== hashText(PROBE))) return [];
  return rows.map(([from, worker]) => ({ from, worker }));
}

/** The worker that has an account. There must be a shard. */
export function workerOf(shards: readonly Shard[], account: string): string {
  const hash = hashText(account);
  let low = 0;
  let high = shards.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((shards[middle] as Shard).from <= hash) low = middle;
    else high = middle;
  }
  return (shards[low] as Shard).worker;
}
