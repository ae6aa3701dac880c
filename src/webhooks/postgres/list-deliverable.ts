import pg from 'pg';
import { TABLES } from '../../../values/tables.ts';
import { arrayText, type BackgroundConnections } from '../../db/postgres/driver/index.ts';
import { readWorker, shardOf } from '../../db/postgres/read-worker.ts';
import type { Topology } from '../../db/postgres/topology.ts';
import type { Value } from '../../db/statement.ts';
import { readRows } from '../../db/statement-text.ts';
import type { DeliverablePart, WebhookDeliverer } from '../webhook.ts';
import { readDeliverable } from '../webhook-rows.ts';

/** The turns of delivering among the background work: no account has this name. */
const DELIVERING = '*delivering';

const columns = (failures: string, isWatched: string) => `${TABLES.webhook_endpoints.columns.join(', ')},
  (SELECT f.sequence FROM ${failures} AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1), ${isWatched}`;
const rowsOf = (endpoints: string, part: DeliverablePart) =>
  `FROM ${endpoints} AS e WHERE ${isOfPart(part)} AND e.disabled_at_ms IS NULL`;
const isOfPart = (part: DeliverablePart) =>
  'accounts' in part
    ? `e.account = ANY (${pg.escapeLiteral(arrayText(part.accounts))}::text[])`
    : `(e.account, e.id) > (${pg.escapeLiteral(part.after?.account ?? '')}, ${pg.escapeLiteral(part.after?.id ?? '')})`;
const inOrder = (part: DeliverablePart) =>
  'accounts' in part ? '' : ` ORDER BY account, id LIMIT ${part.limit}`;
/** On a cluster, all accounts count as watched: nobody has to watch them. */
const WATCHED_ON_CLUSTER = '1::bigint';
/** True if the account is watched. A plan for EXISTS could read all accounts. */
const IS_WATCHED = 'coalesce((SELECT 1 FROM watched_accounts AS w WHERE w.account = e.account), 0)::bigint';

/** Lists what one worker of a cluster has of a part, for `readWorker`. */
const ofWorker = (part: DeliverablePart) => ({
  tables: ['webhook_endpoints', 'webhook_failures'],
  select: `SELECT json_build_array(${columns(shardOf(1), WATCHED_ON_CLUSTER)}), e.account, e.id ${rowsOf(shardOf(0), part)}`,
  columns: 'values, account, id',
  order: inOrder(part),
});

/**
 * Lists the enabled endpoints of a part, each with its first failure. It first says to the policies of the
 * tables that it delivers. The values are part of the text, because Citus has no plan with parameters of a
 * statement that reads every shard.
 */
function listSql(topology: Topology, part: DeliverablePart): string {
  const isWatched = topology === 'cluster' ? WATCHED_ON_CLUSTER : IS_WATCHED;
  const list = `SELECT ${columns('webhook_failures', isWatched)}
${rowsOf('webhook_endpoints', part)}${inOrder(part)}`;
  return topology === 'cluster' ? list : `SELECT set_config('transactions.delivering', 'on', true);\n${list}`;
}

export const deliverableLister = (
  background: BackgroundConnections,
  topology: Topology,
): Pick<WebhookDeliverer, 'listDeliverable'> => ({
  listDeliverable: async (part, server = '') => {
    if ('accounts' in part && part.accounts.length === 0) return [];
    const rows =
      server === ''
        ? (await background.script(DELIVERING, listSql(topology, part))).at(-1)
        : await readWorker(background, server, ofWorker(part));
    return readRows({ readRow: readDeliverable }, rows as Value[][]);
  },
});
