import { type ListFilter, NO_FILTER } from '../../src/ledger/list/list.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';

import { FULL_ACCOUNTS } from './full-database.ts';
import type { VerifiedStore } from './healthy-database.ts';

const ALL = 1_000_000;

const FILTERS: readonly ListFilter[] = [null, 'pending', 'completed', 'refunded'].flatMap((status) =>
  [null, 'EUR', 'JPY', 'USD'].flatMap((currency) =>
    [null, 'order 1', 'order 4'].flatMap((merchantReference) =>
      [null, '2026-01-01'].map((from) => ({
        ...NO_FILTER,
        status,
        currency,
        merchantReference,
        from,
        to: from && '2026-02-28',
      })),
    ),
  ),
);

/** The parameters of the queries, read while the database is whole. */
export interface Questions {
  references: ReadonlyMap<string, readonly string[]>;
  hashes: readonly string[];
}

export async function questionsOf(store: VerifiedStore): Promise<Questions> {
  const references = new Map<string, string[]>();
  for (const account of FULL_ACCOUNTS) {
    const { changes } = await store.listChanges({ account, after: 0, limit: ALL });
    references.set(account, [...new Set(changes.map(({ transaction }) => transaction.reference))]);
  }
  return { references, hashes: (await store.listApiKeys(null, null, 100)).map(({ hash }) => hash) };
}

/**
 * Every answer of a service: lists for all sets of filters, transactions by their references, totals, the
 * change feed, keys, accounts, webhooks and exports. An answer that fails is its error.
 */
export async function answersOf(store: VerifiedStore, questions: Questions): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const answer = async (name: string, read: () => Promise<unknown>) => {
    const value = await read().catch((error: Error) => `${error.name}: ${error.message}`);
    answers.set(name, JSON.stringify(value, shown));
  };
  for (const account of FULL_ACCOUNTS) {
    for (const filter of FILTERS)
      await answer(`list ${account} ${Object.values(filter)}`, () =>
        store.listTransactions({ account, filter, after: null }, ALL),
      );
    for (const reference of questions.references.get(account) ?? []) {
      await answer(`get ${account} ${reference}`, () => store.retrieveTransaction(account, reference));
      await answer(`changes ${account} ${reference}`, () => store.listTransactionChanges(account, reference));
    }
    const totals = { account, ...NO_FILTER, days: { from: null, to: null } };
    for (const byDay of [true, false])
      await answer(`totals ${account} ${byDay}`, () => store.readStoredTotals({ ...totals, byDay }));
    await answer(`feed ${account}`, () => store.listChanges({ account, after: 0, limit: ALL }));
    await answer(`webhooks ${account}`, () => readWebhooks(store, account));
    for (const id of EXPORTS)
      await answer(`export ${account} ${id}`, () => store.findExport(account, id(account)));
  }
  for (const hash of questions.hashes) await answer(`key ${hash}`, () => store.findApiKey(hash));
  for (const account of [null, ...FULL_ACCOUNTS, OPERATOR_ACCOUNT])
    await answer(`keys ${account}`, async () =>
      sorted(await store.listApiKeys(account, null, 100), ({ id }) => id),
    );
  await answer('accounts', () => store.listAccounts({ after: null, prefix: null }, 100));
  await answer('unsealed', () => store.listUnsealed('', 100));
  await answer('deliverable', async () =>
    sorted(await store.listDeliverable({ after: null, limit: 1000 }), ({ account, id }) => account + id),
  );
  return answers;
}

const EXPORTS = Array.from(
  { length: 10 },
  (_, count) => (account: string) => `exp_${account.replace('-', '')}${String(count).padStart(10, '0')}`,
);

/** Lists in the order of a value that nothing repeats. */
const sorted = <Item>(items: readonly Item[], by: (item: Item) => string): Item[] =>
  items.toSorted((left, right) => (by(left) < by(right) ? -1 : 1));

async function readWebhooks(store: VerifiedStore, account: string): Promise<unknown> {
  const webhooks = sorted(await store.listWebhooks(account), ({ id }) => id);
  const failures = webhooks.map(async ({ id }) => [
    await store.findWebhook(account, id),
    sorted(await store.listWebhookFailures(account, id, 0, 100), ({ nextAttemptAtMs }) =>
      String(nextAttemptAtMs),
    ),
  ]);
  return [webhooks, await Promise.all(failures)];
}

/**
 * Leaves out the values that nothing in a database repeats: docs/backup.md lists them under "Verify". Which
 * transactions, keys, exports, endpoints and failures there are stays.
 */
function shown(this: object, name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (name === 'paidAtMs' || name === 'recordedAtMs' || name === 'nonce') return undefined;
  const isOther = ['hash', 'url', 'attempts', 'startedAtMs'].some((field) => field in this);
  return isOther && !REPEATED.has(name) ? undefined : value;
}

/** Indexes that repeat values of keys, endpoints, failures and exports. */
const REPEATED: ReadonlySet<string> = new Set([
  'id',
  'account',
  'hash',
  'nextAttemptAtMs',
  'failures',
  'hasFailures',
]);
