import type { AccountLister } from '../accounts/account.ts';
import type { AuditReader } from '../audit/audit.ts';
import type { ConnectionPurpose, ConnectionUse } from '../db/connection-use.ts';
import type { InstanceStore } from '../instances/instance.ts';
import type { ApiKeyStore, CursorSecretStore } from '../keys/api-key-store.ts';
import type { ArchiveReader } from '../ledger/archives/archive.ts';
import type { ChangeReader } from '../ledger/changes/change.ts';
import type { AccountWatching } from '../ledger/changes/watched-accounts.ts';
import type { ExportStore } from '../ledger/exports/export.ts';
import type { RelatedLister, TransactionLister, TransactionRetriever } from '../ledger/list/list-query.ts';
import type { DetailsRemover } from '../ledger/record/details-remover.ts';
import type { ServersOfAccounts, TransactionRecorder } from '../ledger/record/transaction-recorder.ts';
import type { StatusReader } from '../ledger/recorded-statuses.ts';
import type { Sealer, UnsealedLister } from '../ledger/seals/seals.ts';
import type { TransactionSearcher } from '../ledger/search/search-query.ts';
import type { ListedSummer, TotalsReader } from '../ledger/totals/totals.ts';
import type { ImportConnection } from '../operate/import/import-connection.ts';
import type { WebhookStore } from '../webhooks/webhook.ts';

/** The time by the clock of the database's server; of a file only the least that the time can be, from its last write before it was opened. */
export interface DatabaseClock {
  nowMs: number;
  isLeast: boolean;
}

/**
 * Every query and every write of the service, in the service's terms.
 *
 * Each rejects with StoreUnavailable if the database can't answer now. A failed read never returns a result.
 */
export interface StoreCalls
  extends TransactionLister,
    TransactionRetriever,
    RelatedLister,
    TransactionSearcher,
    TransactionRecorder,
    DetailsRemover,
    StatusReader,
    ChangeReader,
    AccountWatching,
    ArchiveReader,
    TotalsReader,
    ListedSummer,
    Sealer,
    UnsealedLister,
    Omit<ExportStore, 'listsOnThisThread'>,
    WebhookStore,
    ApiKeyStore,
    CursorSecretStore,
    AuditReader,
    AccountLister,
    InstanceStore {
  /** Opens a connection for an import, which no request shares. */
  openImport(): Promise<ImportConnection>;
  /** Resolves if the database answers. */
  ping(): Promise<void>;
  /** What the clock of the service is compared with. */
  readClock(): Promise<DatabaseClock>;
}

/** The port to a database. */
export interface Store extends StoreCalls, ServersOfAccounts, Pick<ExportStore, 'listsOnThisThread'> {
  close(): Promise<void>;
  /** The current use of the connections to the database, by purpose; null if the database runs in this process. */
  connectionUse(): Partial<Record<ConnectionPurpose, ConnectionUse>> | null;
  /** Calls `listener`, and no earlier one, each time that a connection is there again after one was lost: the database can have an earlier state than before. */
  onReconnected(listener: () => void): void;
}
