import { accountLister } from '../accounts/account.ts';
import { auditReader } from '../audit/read-audit.ts';
import type { Db } from '../db/db.ts';
import { instanceStore } from '../instances/instance.ts';
import { apiKeyStore, cursorSecretStore } from '../keys/keys.ts';
import { archiveReader } from '../ledger/archives/archive.ts';
import { accountWatching, storedChanges } from '../ledger/changes/changes.ts';
import { exportStore } from '../ledger/exports/export.ts';
import { relatedLister, transactionRetriever } from '../ledger/list/read-transactions.ts';
import { detailsRemover } from '../ledger/record/remove-details.ts';
import { statusReader } from '../ledger/recorded-statuses.ts';
import { sealStore } from '../ledger/seals/seals.ts';
import { transactionSearcher } from '../ledger/search/search-store.ts';
import { webhookStore } from '../webhooks/webhooks.ts';

export const callsOnDb = (db: Db, now: () => number) => ({
  ...apiKeyStore(db),
  ...cursorSecretStore(db, now),
  ...auditReader(db),
  ...accountLister(db),
  ...instanceStore(db),
  ...transactionRetriever(db),
  ...relatedLister(db),
  ...archiveReader(db),
  ...accountWatching(db),
  ...storedChanges(db),
  ...statusReader(db),
  ...exportStore(db),
  ...webhookStore(db),
  ...detailsRemover(db),
  ...sealStore(db),
  ...transactionSearcher(db),
});

export interface DbCalls extends ReturnType<typeof callsOnDb> {}
