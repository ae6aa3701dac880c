import { makeApiKey } from '../../src/keys/api-key.ts';
import { type Export, type ExportStore, NO_EXPORT_FILTER } from '../../src/ledger/exports/export.ts';
import { recordOnce } from '../../src/ledger/record/record.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { Disagreement } from '../../src/operate/disagreement.ts';
import { verify } from '../../src/operate/verify/verify.ts';
import type { VerifyReader } from '../../src/operate/verify-reader.ts';
import { openStore, openVerifyReader } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { URL_MAX_CHARACTERS } from '../../values/interface/limits.ts';
import { completed } from '../rig/data/changes.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { someInstance } from '../rig/service/instances.ts';
import { someEntry } from '../rig/store/audit.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';

export type VerifiedStore = Store & ExportStore;

const NOW_MS = Date.UTC(2026, 5, 15);

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index);

const FIRST: AccountTransaction[] = [
  transaction('store-1', 'a', { merchantReference: 'order 1' }),
  transaction('store-1', 'b', { status: 'pending' }),
  transaction('store-1', 'c', { status: 'pending', currencyCode: 'USD', createdAtMs: DAY('2026-03-02') }),
];
const THEN: AccountTransaction[] = [
  completed(FIRST[1] as AccountTransaction),
  transaction('store-1', 'd', { amountMinor: 999, createdAtMs: DAY('2026-04-10') }),
  transaction('store-1', 'e', { status: 'refunded', amountMinor: -40, createdAtMs: DAY('1969-12-31') }),
  transaction('store-1', 'f', {
    merchantReference: 'order 2',
    amountMinor: 1,
    createdAtMs: DAY('2026-03-05'),
  }),
  transaction('store-2', 'a'),
  transaction('store-2', 'b', { status: 'pending' }),
];

export const someExport = (id: string, of: Pick<Export, 'account' | 'startedAtMs'>): Export => ({
  ...{ id, ...of, result: null },
  ...{ format: 'csv', spreadsheet: false, filter: NO_EXPORT_FILTER },
  ...{ created: null, asOf: 7, asOfId: null, seal: null, totals: [] },
});

export async function recordHealthy(store: VerifiedStore): Promise<void> {
  await record(store, FIRST);
  await record(store, THEN);
  for (const account of ['store-1', OPERATOR_ACCOUNT]) {
    const { stored } = makeApiKey(
      { account, label: 'till', expiresAtMs: null },
      NOW_MS,
      randomBytesFrom(account),
    );
    await store.createApiKey(stored, someEntry());
    await store.revokeApiKey(stored.id, NOW_MS, someEntry());
  }
  await recordOnce(store, transaction('store-2', 'once'), { key: 'key 1', fingerprint: 'a'.repeat(64) });
  await store.storeCursorSecret(Buffer.from(bytes(32)).toString('base64url'));
  await store.createExport(someExport('exp_0123456789abcdef', { account: 'store-1', startedAtMs: NOW_MS }), {
    expiredMs: 0,
    perAccount: 1,
  });
  const previousSecret = { secret: `whsec_${'A'.repeat(44)}`, untilMs: NOW_MS };
  const url = 'HTTP://example.com/'.padEnd(URL_MAX_CHARACTERS, 'a');
  const fields = { url, types: ['transaction.completed'], previousSecret, acknowledgedSequence: 3 };
  await store.createWebhook(webhook(1, fields), 20, someEntry());
  await store.storeProgress('store-1', idOf(1), 1, progress(5, { failed: [failure(4), failure(5)] }));
  const disabled = { reason: 'gone', atMs: NOW_MS } as const;
  await store.createWebhook(webhook(1, { account: 'store-2', disabled }), 20, someEntry());
  await store.leaseWebhooks({ instance: 'one', rules: '', leaseMs: 6000 });
  await store.noteInstance(someInstance('one'));
}

export async function makeHealthy(url: string): Promise<void> {
  const { store } = await openStore(url, () => NOW_MS);
  await recordHealthy(store as VerifiedStore);
  await store.close();
}

const randomBytesFrom = (account: string) => (length: number) =>
  bytes(length).map((value) => value + account.length);

interface HowToVerify {
  account?: string;
  pageSize?: number;
  through?: (reader: VerifyReader) => VerifyReader;
}

export async function verifyDatabase(
  url: string,
  { account, pageSize, through = (reader) => reader }: HowToVerify = {},
) {
  const opened = await openVerifyReader(url);
  if (!('reader' in opened)) throw new Error(`the database needs the migrations ${opened.pending}`);
  const disagreements: Disagreement[] = [];
  let indexesNotChecked = null as string | null;
  try {
    const verified = await verify(through(opened.reader), {
      account: account ?? null,
      ...(pageSize !== undefined && { pageSize }),
      onDisagreement: async (disagreement) => void disagreements.push(disagreement),
      onProgress: () => {},
      onIndexesNotChecked: (reason) => {
        indexesNotChecked = reason;
      },
    });
    const lines = disagreements.map(
      ({ account: owner, place, found }) => `${owner === null ? '' : `${owner}, `}${place}: ${found}`,
    );
    return { lines: lines.sort(), disagreements, verified, indexesNotChecked };
  } finally {
    await opened.reader.close();
  }
}
