import { StoreUnavailable } from '../../../values/store-errors.ts';
import { arrayText, type BackgroundConnections, readStatement } from './driver/index.ts';

/** In the `select` of a WorkerRead, this placeholder becomes the name of a shard of `tables[table]`. */
export const shardOf = (table: number): string => `%${table + 1}$s`;

const READ = readStatement(
  `WITH shards AS (
  SELECT nodename, nodeport, array_agg(shard_name(logicalrelid, shardid) ORDER BY nth) AS names
  FROM unnest($3::text[]) WITH ORDINALITY AS given (name, nth)
  JOIN pg_dist_shard ON logicalrelid = given.name::regclass
  JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
  WHERE noderole = 'primary' AND nodename || ':' || nodeport = $1
  GROUP BY nodename, nodeport, shardminvalue
), worker AS (
  SELECT nodename, nodeport,
    'SELECT coalesce(json_agg(found.values), ''[]'') FROM (' || string_agg(format($2, VARIADIC names), ' UNION ALL ') || $4 || ') AS found (' || $5 || ')' AS command
  FROM shards GROUP BY nodename, nodeport
)
SELECT run.success::int::bigint, run.result
FROM worker CROSS JOIN LATERAL master_run_on_worker(ARRAY[nodename], ARRAY[nodeport], ARRAY[command], false) AS run`,
  (row) => ({ isRead: row.integer() === 1, result: row.text() }),
);

interface WorkerRead {
  tables: readonly string[];
  /** Reads one shard of each table. */
  select: string;
  /** The names of the columns of `select`. The column `values` is the result of a row, as a JSON array. */
  columns?: string;
  order?: string;
}

/** Queries a single worker. If a query used all workers, it would fail as soon as one of them fails. */
export async function readWorker(
  background: BackgroundConnections,
  worker: string,
  { tables, select, columns = 'values', order = '' }: WorkerRead,
): Promise<unknown[][]> {
  const [answer] = await background.read(READ, [worker, select, arrayText(tables), order, columns]);
  if (answer === undefined) return [];
  if (!answer.isRead)
    throw new StoreUnavailable('database_connection', `the worker ${worker} can't be read: ${answer.result}`);
  return JSON.parse(answer.result);
}
