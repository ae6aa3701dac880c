import { openStore } from '../../../src/store/open-store.ts';
import { makePostgresDatabase } from '../database/postgres.ts';
import { someInTier } from '../run/tier.ts';
import { failure, progress } from '../webhooks/webhooks.ts';

const ALL: readonly (readonly [name: string, makeUrl: () => Promise<string>])[] = [
  ['SQLite', async () => 'sqlite:data/transactions.db'],
  ['PostgreSQL', () => makePostgresDatabase()],
];

/** The databases on which commands print the same: one of them with each seed, both in the long tier. */
export const DATABASES = someInTier(ALL, 1);

/**
 * `progress ACCOUNT ENDPOINT SEQUENCE FAILED...` stores what deliveries have reached: all changes up to a number, without those that
 * failed. With `since`, the endpoint fails since 2026-06-15.
 */
export async function storeProgress(
  [account = '', id = '', upTo, ...failed]: readonly string[],
  { databaseUrl }: { databaseUrl: string },
): Promise<undefined> {
  const { store } = await openStore(databaseUrl, Date.now);
  const failingSinceMs = failed[0] === 'since' ? Date.parse('2026-06-15T12:34:56.789Z') : null;
  const failures = failed.filter((one) => one !== 'since').map((one) => failure(Number(one)));
  const isStored = await store.storeProgress(
    account,
    id,
    1,
    progress(Number(upTo), { failed: failures, failingSinceMs }),
  );
  await store.close();
  if (!isStored) throw new Error(`The progress of ${id} was not stored.`);
}
