import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { backUpDatabase, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { buildTestApp, testClock } from '../rig/service/app.ts';

const ACCOUNTS = ['store-1', 'store-2'] as const;
const CURSOR_SECRETS = ['a secret that the backup does not contain, 32 characters'];

async function walk(
  app: Awaited<ReturnType<typeof buildTestApp>>,
  key: string,
  from = '/v1/transactions',
): Promise<string[]> {
  const references: string[] = [];
  for (let url: string | null = from; url !== null; ) {
    const { status, body } = await app.send(url, { key });
    assert.equal(status, 200);
    references.push(...body.data.map((row: { reference: string }) => row.reference));
    url = body.nextCursor && `/v1/transactions?cursor=${body.nextCursor}`;
  }
  return references;
}

async function isRecorded(store: Store, one: AccountTransaction): Promise<boolean> {
  try {
    await record(store, [one]);
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
}

/** Fills a store, copies it while it is open, and compares every walk, key and cursor with the copy's. */
async function drill(
  open: () => Promise<Store>,
  copy: () => Promise<void>,
  openCopy: () => Promise<Store>,
): Promise<void> {
  const clock = testClock();
  const store = await open();
  await record(
    store,
    ACCOUNTS.flatMap((account) =>
      Array.from({ length: 300 }, (_, index) =>
        transaction(account, `r${index}`, { createdAtMs: DAY('2026-03-01') + Math.floor(index / 7) }),
      ),
    ),
  );
  const app = await buildTestApp({ store, clock, cursorSecrets: CURSOR_SECRETS });
  const keys = await Promise.all(ACCOUNTS.map((account) => app.makeKey(account)));
  const { body } = await app.send('/v1/transactions', { key: keys[0] as string });
  const before = await Promise.all(keys.map((key) => walk(app, key)));

  await copy();
  const later = transaction('store-1', 'after-the-backup', { createdAtMs: DAY('2026-04-01') });
  // The service may have lost its connections, and connects again.
  while (!(await isRecorded(store, later)));
  await store.close();

  const restored = await openCopy();
  const restoredApp = await buildTestApp({ store: restored, clock, cursorSecrets: CURSOR_SECRETS });
  assert.deepEqual(await Promise.all(keys.map((key) => walk(restoredApp, key))), before);
  const rest = await walk(restoredApp, keys[0] as string, `/v1/transactions?cursor=${body.nextCursor}`);
  assert.deepEqual(rest, before[0]?.slice(10));
  await record(restored, [transaction('store-1', 'after-the-restore')]);
  await restored.close();
}

test('a backup of SQLite made while the service runs restores the same lists, keys and cursors', async (t) => {
  const folder = temporaryFolder(t);
  const path = `${folder.path}/transactions.db`;
  const open = async () => (await openStore(`sqlite:${path}`, Date.now)).store;
  await drill(
    open,
    async () => {
      await backUpDatabase(`sqlite:${path}`, `${folder.path}/backup.db`, () => {});
    },
    async () => {
      for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
      return (await openStore(`sqlite:${folder.path}/backup.db`, Date.now)).store;
    },
  );
});

test('a copy of a whole PostgreSQL database restores the same lists, keys and cursors', async () => {
  const source = await makePostgresDatabase();
  const name = new URL(source).pathname.slice(1);
  const copyUrl = `${source}_copy`;
  const server = source.replace(/[^/]+$/, 'postgres');
  try {
    await drill(
      async () => (await openStore(source, Date.now)).store,
      async () => {
        await queryPostgres(
          server,
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
          [name],
        );
        await queryPostgres(server, `CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
      },
      async () => (await openStore(copyUrl, Date.now)).store,
    );
  } finally {
    await queryPostgres(server, `DROP DATABASE IF EXISTS ${name}_copy WITH (FORCE)`);
  }
});
