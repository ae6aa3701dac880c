import pg from 'pg';
import { TABLES } from '../../../values/tables.ts';
import { arrayText, type BackgroundConnections } from '../../db/postgres/driver/index.ts';
import { readWorker, shardOf } from '../../db/postgres/read-worker.ts';
import type { Topology } from '../../db/postgres/topology.ts';
import type { Value } from '../../db/statement.ts';
import { readRows } from '../../db/statement-text.ts';
import type { DeliverableQuery, WebhookDeliverer } from '../webhook.ts';
import { readDeliverable } from '../webhook-rows.ts';

/** Account names contain no asterisk, so this key of BackgroundConnections differs from every account. */
const DELIVERING = '*delivering';

const columns = (failures: string, isWatched: string) => `${TABLES.webhook_endpoints.columns.join(', ')},
  (SELECT f.sequence FROM ${failures} AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1), ${isWatched}`;
const rowsOf = (endpoints: string, query: DeliverableQuery) =>
  `FROM ${endpoints} AS e WHERE ${isOfQuery(query)} AND e.disabled_at_ms IS NULL`;
const isOfQuery = (query: DeliverableQuery) =>
  'accounts' in query
    ? `e.account = ANY (${pg.escapeLiteral(arrayText(query.accounts))}::text[])`
    : `(e.account, e.id) > (${pg.escapeLiteral(query.after?.account ?? '')}, ${pg.escapeLiteral(query.after?.id ?? '')})`;
const inOrder = (query: DeliverableQuery) =>
  'accounts' in query ? '' : ` ORDER BY account, id LIMIT ${query.limit}`;
const WATCHED_ON_CLUSTER = '1::bigint';
/** Written without EXISTS, because for EXISTS PostgreSQL may read all watched accounts. */
const IS_WATCHED = 'coalesce((SELECT 1 FROM watched_accounts AS w WHERE w.account = e.account), 0)::bigint';

const ofWorker = (query: DeliverableQuery) => ({
  tables: ['webhook_endpoints', 'webhook_failures'],
  select: `SELECT json_build_array(${columns(shardOf(1), WATCHED_ON_CLUSTER)}), e.account, e.id ${rowsOf(shardOf(0), query)}`,
  columns: 'values, account, id',
  order: inOrder(query),
});

/** The values are in the text, because Citus cannot plan a statement with parameters over all shards. */
function listSql(topology: Topology, query: DeliverableQuery): string {
  const isWatched = topology === 'cluster' ? WATCHED_ON_CLUSTER : IS_WATCHED;
  const list = `SELECT ${columns('webhook_failures', isWatched)}
${rowsOf('webhook_endpoints', query)}${inOrder(query)}`;
  return topology === 'cluster' ? list : `SELECT set_config('transactions.delivering', 'on', true);\n${list}`;
}

export const deliverableLister = (
  background: BackgroundConnections,
  topology: Topology,
): Pick<WebhookDeliverer, 'listDeliverable'> => ({
  listDeliverable: async (query, node = '') => {
    if ('accounts' in query && query.accounts.length === 0) return [];
    const rows =
      node === ''
        ? (await background.script(DELIVERING, listSql(topology, query))).at(-1)
        : await readWorker(background, node, ofWorker(query));
    return readRows({ readRow: readDeliverable }, rows as Value[][]);
  },
});
