import { openStore } from '../../../src/store/open-store.ts';
import { makePostgresDatabase } from '../database/postgres.ts';
import { someInTier } from '../run/tier.ts';
import type { Outcome } from '../service/process.ts';
import { someEntry } from '../store/audit.ts';
import { failure, idOf, progress, webhook } from '../webhooks/webhooks.ts';

const ALL: readonly (readonly [name: string, makeUrl: () => Promise<string>])[] = [
  ['SQLite', async () => 'sqlite:data/transactions.db'],
  ['PostgreSQL', () => makePostgresDatabase()],
];

export const DATABASES = someInTier(ALL, 1);

/** `endpoint NUMBER ACCOUNT URL LABEL` stores an endpoint and prints its id. `disabled` can follow. */
export async function storeEndpoint(
  [number = '', account = '', url = '', label, disabled]: readonly string[],
  { databaseUrl }: { databaseUrl: string },
): Promise<Outcome> {
  const { store } = await openStore(databaseUrl, Date.now);
  const createdAtMs = Date.now();
  const fields = { account, url, label: label || null, createdAtMs };
  const created = webhook(Number(number), {
    ...fields,
    ...(disabled === 'disabled' && { disabled: { reason: 'requested', atMs: createdAtMs } }),
  });
  await store.createWebhook(created, Number(number), {
    ...someEntry(),
    id: `au_${number.padStart(16, '0')}`,
  });
  await store.close();
  return { status: 0, signal: null, stdout: `${idOf(Number(number))}\n`, stderr: '' };
}

/** `progress ACCOUNT ENDPOINT SEQUENCE FAILED...`: changes up to SEQUENCE were delivered, except FAILED. */
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
