import { makeApiKey } from '../../src/keys/api-key.ts';
import { recordOnce } from '../../src/ledger/record/record.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { completed, recordOrWait } from '../rig/data/changes.ts';
import { DAY, transaction } from '../rig/data/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import { someEntry } from '../rig/store/audit.ts';
import { importInto } from '../rig/store/import.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';
import { someExport, type VerifiedStore } from './healthy-database.ts';

export const FULL_ACCOUNTS = ['store-1', 'store-2'];
const FULL_NOW_MS = Date.UTC(2026, 5, 15);

const DAYS = ['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01'].map(DAY);
const KEYS_PER_ACCOUNT = 30;
const WEBHOOKS_PER_ACCOUNT = 20;
const EXPORTS_PER_ACCOUNT = 10;
const IDEMPOTENCY_KEYS = 40;

export async function recordFull(store: VerifiedStore, random: Random, rows: number): Promise<void> {
  for (const account of FULL_ACCOUNTS) await recordSome(store, account, random, { first: 0, rows });
  for (const account of [...FULL_ACCOUNTS, OPERATOR_ACCOUNT]) await createKeys(store, account, random);
  for (const account of FULL_ACCOUNTS) await createOthers(store, account);
  await store.storeCursorSecret(Buffer.from(random.bytes(32)).toString('base64url'));
  await store.leaseWebhooks({ instance: 'one', rules: '', leaseMs: 6000 });
}

async function recordSome(
  store: VerifiedStore,
  account: string,
  random: Random,
  { first, rows }: { first: number; rows: number },
): Promise<void> {
  const recorded = Array.from({ length: rows }, (_, index) =>
    randomTransaction(account, first + index, random),
  );
  await recordOrWait(store, recorded);
  const pending = recorded.filter(({ status }) => status === 'pending' && random.chance(0.5));
  await recordOrWait(store, pending.map(completed));
}

const randomTransaction = (account: string, index: number, random: Random): AccountTransaction =>
  transaction(account, `${random.integer(0, 9)}-${index}`, {
    status: random.pick(['pending', 'completed', 'completed', 'refunded']),
    amountMinor: random.integer(-90_000, 90_000),
    currencyCode: random.pick(['EUR', 'JPY', 'USD']),
    merchantReference: random.chance(0.4) ? `order ${random.integer(1, 5)}` : null,
    createdAtMs: random.pick(DAYS) + random.integer(0, 86_399_999),
  });

async function createKeys(store: VerifiedStore, account: string, random: Random): Promise<void> {
  for (let count = 0; count < KEYS_PER_ACCOUNT; count++) {
    const fields = { account, label: `till ${count}`, expiresAtMs: count % 2 === 0 ? null : FULL_NOW_MS };
    const { stored } = makeApiKey(fields, FULL_NOW_MS + count, (length) => random.bytes(length));
    await store.createApiKey(stored, someEntry());
    if (count % 3 === 0) await store.revokeApiKey(stored.id, FULL_NOW_MS, someEntry());
  }
}

async function createOthers(store: VerifiedStore, account: string): Promise<void> {
  for (let count = 0; count < IDEMPOTENCY_KEYS; count++)
    await recordOnce(store, transaction(account, `once-${count}`), {
      key: `key ${count}`,
      fingerprint: 'a'.repeat(64),
    });
  for (let count = 0; count < EXPORTS_PER_ACCOUNT; count++) {
    const id = `exp_${account.replace('-', '')}${String(count).padStart(10, '0')}`;
    const created = someExport(id, { account, startedAtMs: FULL_NOW_MS + count });
    await store.createExport(created, { expiredMs: 0, perAccount: EXPORTS_PER_ACCOUNT });
  }
  for (let count = 0; count < WEBHOOKS_PER_ACCOUNT; count++) {
    const disabled = count % 4 === 0 ? ({ reason: 'gone', atMs: FULL_NOW_MS } as const) : null;
    const fields = { account, disabled, acknowledgedSequence: 3, label: 'l'.repeat(90) };
    await store.createWebhook(webhook(count, fields), WEBHOOKS_PER_ACCOUNT, someEntry());
    const failed = [failure(4), failure(5, { nextAttemptAtMs: null })];
    await store.storeProgress(account, idOf(count), 1, progress(5, { failed }));
  }
}

export async function useFull(store: VerifiedStore, random: Random): Promise<() => Promise<void>> {
  await recordFull(store, random, 50);
  let count = 0;
  return async () => {
    const nowMs = FULL_NOW_MS + ++count;
    const account = random.pick(FULL_ACCOUNTS);
    if (random.chance(0.6))
      return recordSome(store, account, random, { first: 50 * count, rows: random.integer(1, 20) });
    const name = String(count).padStart(16, '0');
    const { id } = random.pick(await store.listApiKeys(account, null, 100));
    const [endpoint] = await store.listWebhooks(account);
    const head = (await store.readHeads([account])).get(account) as number;
    const newKey = { account, label: null, expiresAtMs: null };
    await random.pick<() => Promise<unknown>>([
      () =>
        store.createApiKey(makeApiKey(newKey, nowMs, (length) => random.bytes(length)).stored, someEntry()),
      () => store.revokeApiKey(id, nowMs, someEntry()),
      () => store.touchApiKeys([{ account, id, usedAtMs: nowMs }]),
      () => recordOnce(store, transaction(account, name), { key: name, fingerprint: 'ab'.repeat(32) }),
      () =>
        importInto(
          store,
          [1, 2, 3].map((nth) => transaction(account, `${name}-${nth}`)),
        ),
      () => store.createWebhook(webhook(100 + count, { account }), 1000, someEntry()),
      async () => {
        if (endpoint === undefined) return;
        const { id, acknowledgedSequence: after } = endpoint;
        if (head > after)
          await store.storeProgress(account, id, 1, progress(head, { after, failed: [failure(head)] }));
        else await store.deleteWebhook(account, id, someEntry());
      },
      () => store.storeCursorSecret(Buffer.from(random.bytes(32)).toString('base64url')),
    ])();
  };
}
