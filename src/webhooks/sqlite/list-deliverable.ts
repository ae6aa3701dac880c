import type { DatabaseSync } from 'node:sqlite';
import { TABLES } from '../../../values/tables.ts';
import type { Value } from '../../db/statement.ts';
import { readRows } from '../../db/statement-text.ts';
import type { DeliverableEndpoint, DeliverableQuery } from '../webhook.ts';
import { readDeliverable } from '../webhook-rows.ts';

const DELIVERABLE = `SELECT ${TABLES.webhook_endpoints.columns.join(', ')},
  (SELECT f.sequence FROM webhook_failures AS f WHERE f.account = e.account AND f.endpoint_id = e.id ORDER BY f.sequence LIMIT 1),
  EXISTS (SELECT 1 FROM watched_accounts AS w WHERE w.account = e.account)
FROM webhook_endpoints AS e`;

const LIST_PAGE = `${DELIVERABLE} INDEXED BY webhook_endpoints_enabled
WHERE (account, id) > (?, ?) AND disabled_at_ms IS NULL ORDER BY account, id LIMIT ? + 0`;
const LIST_OF_ACCOUNTS = `${DELIVERABLE} WHERE account IN (SELECT value FROM json_each(?)) AND disabled_at_ms IS NULL`;

export function deliverableLister(db: DatabaseSync): (query: DeliverableQuery) => DeliverableEndpoint[] {
  const [listPage, listOfAccounts] = [LIST_PAGE, LIST_OF_ACCOUNTS].map((text) => {
    const list = db.prepare(text);
    list.setReturnArrays(true);
    return (...values: (string | number)[]) =>
      readRows({ readRow: readDeliverable }, list.all(...values) as unknown as Value[][]);
  }) as [List, List];
  return (query) =>
    'accounts' in query
      ? listOfAccounts(JSON.stringify(query.accounts))
      : listPage(query.after?.account ?? '', query.after?.id ?? '', query.limit);
}

type List = (...values: (string | number)[]) => DeliverableEndpoint[];
