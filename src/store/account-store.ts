import type { ConnectionPurpose, ConnectionUse } from '../db/connection-use.ts';
import type { PostgresAddress } from '../db/postgres/driver/index.ts';
import { type PostgresOptions, StoreConnections } from '../db/postgres/store-connections.ts';
import type { ChangeReader } from '../ledger/changes/change.ts';
import { changeReader } from '../ledger/changes/postgres/list-changes.ts';
import type { ExportStore } from '../ledger/exports/export.ts';
import { exportStore } from '../ledger/exports/postgres/exports.ts';
import type { TransactionLister, TransactionRetriever } from '../ledger/list/list-query.ts';
import { transactionLister } from '../ledger/list/postgres/list-transactions.ts';
import { transactionRetriever } from '../ledger/list/postgres/retrieve-transaction.ts';
import { transactionRecorder } from '../ledger/record/postgres/record-transactions.ts';
import type { TransactionRecorder } from '../ledger/record/transaction-recorder.ts';
import { totalsStore } from '../ledger/totals/postgres/totals.ts';
import type { TotalsFolder, TotalsReader } from '../ledger/totals/totals.ts';
import { webhookStore } from '../webhooks/postgres/webhooks.ts';
import type { WebhookStore } from '../webhooks/webhook.ts';

export interface AccountStoreOptions extends PostgresOptions {
  address: PostgresAddress;
  rowLevelSecurity: boolean;
  now: () => number;
}

/** Reads and writes the rows of accounts, over connections of its own. */
export interface AccountStore
  extends TransactionLister,
    TransactionRetriever,
    TransactionRecorder,
    ChangeReader,
    TotalsReader,
    TotalsFolder,
    ExportStore,
    WebhookStore {
  readonly connections: StoreConnections;
}

/** Its connections are opened when they are first needed. */
export function makeAccountStore(options: AccountStoreOptions): AccountStore {
  const { address, rowLevelSecurity, now } = options;
  const connections = new StoreConnections(address, rowLevelSecurity, options);
  const { requests, replicas, recordings, heldRecordings, background, rowWaitMs, heldTimeoutMs } =
    connections;
  return {
    connections,
    ...transactionLister({ primary: requests, replicas, rowLevelSecurity }),
    ...transactionRetriever(requests, rowLevelSecurity),
    ...transactionRecorder({
      connections: recordings,
      rowLevelSecurity,
      headWaitMs: rowWaitMs,
      rowWaitMs,
      now,
      held: { lane: heldRecordings, timeoutMs: heldTimeoutMs },
    }),
    ...changeReader({ primary: requests, replicas, rowLevelSecurity }),
    ...totalsStore({ primary: requests, background, rowLevelSecurity }),
    ...exportStore({ primary: requests, background, rowLevelSecurity }),
    ...webhookStore({ primary: requests, background, rowLevelSecurity }),
  };
}

type Uses = Partial<Record<ConnectionPurpose, ConnectionUse>>;

/** The use of the connections of all stores, by purpose. */
export function useOfStores(stores: readonly AccountStore[]): Uses {
  const sum: Uses = {};
  for (const { connections } of stores)
    for (const [name, { size, open, inFlight }] of Object.entries(connections.use)) {
      const purpose = name as ConnectionPurpose;
      const before = sum[purpose] ?? { size: 0, open: 0, inFlight: 0 };
      sum[purpose] = {
        size: before.size + size,
        open: before.open + open,
        inFlight: before.inFlight + inFlight,
      };
    }
  return sum;
}
