import type { ConnectionPurpose, ConnectionUse } from '../db/connection-use.ts';
import type { ChangeReader } from '../ledger/changes/change.ts';
import type { ExportStore } from '../ledger/exports/export.ts';
import type { TransactionLister } from '../ledger/list/list.ts';
import type { NodesOfAccounts, TransactionRecorder } from '../ledger/record/record.ts';
import type { Sealer } from '../ledger/seals/seals.ts';
import type { ListedSummer, TotalsReader } from '../ledger/totals/total.ts';
import type { ImportConnection } from '../operate/import/import-connection.ts';
import type { WebhookStore } from '../webhooks/webhook.ts';
import type { DbCalls } from './calls-on-db.ts';

export interface DatabaseClock {
  nowMs: number;
  /** If true, `nowMs` can be behind the true time, but is never ahead. */
  isLeast: boolean;
}

export interface OwnCalls
  extends TransactionLister,
    TransactionRecorder,
    Omit<ChangeReader, 'listTransactionChanges'>,
    Omit<TotalsReader, 'readNonce'>,
    ListedSummer,
    Pick<Sealer, 'sealChanges'>,
    Pick<ExportStore, 'listNumbered'>,
    Pick<WebhookStore, 'listDeliverable'> {
  /** The connection is not shared with requests. */
  openImport(): Promise<ImportConnection>;
  ping(): Promise<void>;
  readClock(): Promise<DatabaseClock>;
}

/** Each call rejects with StoreUnavailable if the database can't answer now. */
export interface StoreCalls extends DbCalls, OwnCalls {}

export interface Store extends StoreCalls, NodesOfAccounts, Pick<ExportStore, 'listsOnThisThread'> {
  close(): Promise<void>;
  /** Null if the database runs in this process. */
  connectionUse(): Partial<Record<ConnectionPurpose, ConnectionUse>> | null;
  /** A later call replaces the listener of an earlier call. */
  onReconnected(listener: () => void): void;
}
