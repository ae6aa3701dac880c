import type { TestContext } from 'node:test';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { completed } from '../rig/data/changes.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import type { Archiving } from '../rig/store/archive.ts';

export const ACCOUNT = 'store-1';
export const OTHER = 'store-2';
export const BEFORE = DAY('2026-03-10');

const ODD_TEXT = '\uFEFFgrößer, "x";\u2028\u2029\u00a0😀 ';

export async function recordMarch(
  store: Store,
  account: string,
  count: number,
): Promise<AccountTransaction[]> {
  const random = new Random(seed + count);
  const rows = Array.from({ length: count }, (_, index) =>
    transaction(account, `${index}`, {
      status: random.chance(0.4) ? 'pending' : 'completed',
      merchantReference: random.chance(0.2) ? ODD_TEXT : `order-${index}`,
      amountMinor: random.integer(-500, 100_000),
      currencyCode: random.chance(0.5) ? 'EUR' : 'USD',
      createdAtMs: DAY('2026-03-01') + random.integer(0, 20 * 86_400_000 - 1),
    }),
  );
  await record(store, rows);
  const later = rows.filter(({ status }) => status === 'pending' && random.chance(0.6)).map(completed);
  await record(store, later);
  const now = new Map([...rows, ...later].map((row) => [row.reference, row]));
  return [...now.values()];
}

export const isOld = ({ status, createdAtMs }: AccountTransaction) =>
  status !== 'pending' && createdAtMs < BEFORE;

export type Opened = Pick<Archiving, 'url' | 'store' | 'folder' | 'beforeMs'>;

export type MakeUrl = () => Promise<string>;

export async function opened(t: TestContext, makeUrl: MakeUrl): Promise<Opened> {
  const url = await makeUrl();
  const { store } = await openStore(url, Date.now);
  const { path: folder, remove } = temporaryFolder();
  t.after(() => {
    remove();
    return store.close();
  });
  return { url, store, folder, beforeMs: BEFORE };
}
