import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MIGRATIONS, migrate } from '../../src/db/sqlite/migrate.ts';
import { APPLICATION_ID, openDatabase, refuseOldSqlite } from '../../src/db/sqlite/open-database.ts';
import { makeDurable } from '../../src/db/sqlite/write-ahead-log.ts';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { recordOnce } from '../../src/ledger/record/record.ts';
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts';
import { StoreRefused, StoreUnavailable } from '../../values/store-errors.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';
import { someEntry } from '../rig/store/audit.ts';
import { keptHarnesses } from '../rig/store/kept-harness.ts';
import { sqliteHarness } from '../rig/store/store-harness.ts';
import { apiKey } from './api-keys-contract.ts';
import { changesContract } from './changes-contract.ts';
import { storeContract } from './contract.ts';
import { exportsContract } from './exports-contract.ts';
import { sealsContract } from './seals-contract.ts';
import { searchContract } from './search-contract.ts';
import { totalsContract } from './totals-contract.ts';
import { webhooksContract } from './webhooks-contract.ts';

const NOW_MS = Date.UTC(2026, 5, 15);
const now = () => NOW_MS;

const harness = keptHarnesses(sqliteHarness);

storeContract('SQLite', harness);
changesContract('SQLite', harness);
totalsContract('SQLite', harness);
exportsContract('SQLite', harness);
searchContract('SQLite', harness);
sealsContract('SQLite', harness);
webhooksContract('SQLite', harness);

describe('the SQLite store', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = `${folder.path}/data/transactions.db`;
  });
  afterEach(() => folder.remove());

  const openAt = (at: string, timeoutMs = 60_000, mayMigrate = true) => {
    const opened = openSqliteStore(at, now, { timeoutMs }, { mayMigrate });
    assert.ok('store' in opened);
    return opened;
  };
  const open = () => openAt(path);
  const make = (sql: string) => {
    mkdirSync(`${folder.path}/data`, { recursive: true });
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
  };
  const refused = (message: RegExp) => {
    const before = readFileSync(path);
    assert.throws(open, (error) => error instanceof StoreRefused && message.test(error.message));
    assert.ok(readFileSync(path).equals(before), 'the file was changed');
  };

  test('a new key does not wait behind recordings', async () => {
    const { store } = open();
    await record(store, [transaction('store-1', 'first')]);
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const done: string[] = [];
    const recordings = Array.from({ length: 50 }, async (_, index) => {
      await store.record([transaction('store-1', `r${index}`)]);
      done.push('recording');
    });
    const created = store
      .createApiKey(apiKey('key_waiting000000000'), someEntry())
      .then(() => done.push('key'));
    other.close();
    await Promise.all([...recordings, created]);
    assert.ok(done.indexOf('key') <= 10, `${done.indexOf('key')} recordings came before the key`);
    await store.close();
  });

  test('makes its files readable only by their owner, and marks them with an application id', async () => {
    const { store } = open();
    await record(store, [transaction('store-1', 'a')]);
    const modeOf = (name: string) => statSync(name).mode & 0o777;
    assert.equal(modeOf(`${folder.path}/data`), 0o700);
    for (const suffix of ['', '-wal', '-shm']) assert.equal(modeOf(path + suffix), 0o600, suffix);
    await store.close();
    assert.equal(readFileSync(path).readUInt32BE(68), APPLICATION_ID);
    assert.equal(readFileSync(path).toString('latin1', 68, 72), 'txns');
  });

  test('a database that root creates belongs to the owner of its folder, and so does its log', {
    skip: process.getuid?.() !== 0 && 'only root can make files for another user',
  }, async () => {
    const SERVICE_USER = 1000;
    mkdirSync(dirname(path), { mode: 0o700 });
    chownSync(dirname(path), SERVICE_USER, SERVICE_USER);
    const { store } = open();
    await record(store, [transaction('store-1', 'a')]);
    for (const suffix of ['', '-wal', '-shm'])
      assert.equal(statSync(path + suffix).uid, SERVICE_USER, suffix);
    await store.close();
  });

  test('a database that root creates behind a link is not given to the owner of the folder', {
    skip: process.getuid?.() !== 0 && 'only root can give a file away',
  }, async () => {
    const SERVICE_USER = 1000;
    mkdirSync(dirname(path), { mode: 0o700 });
    chownSync(dirname(path), SERVICE_USER, SERVICE_USER);
    const target = `${folder.path}/of-root.db`;
    symlinkSync(target, path);
    await open().store.close();
    assert.equal(statSync(target).uid, 0);
  });

  test('acknowledges a commit only when it is on the disk, and its readers do not wait for writers', async () => {
    await open().store.close();
    const db = openDatabase(path);
    makeDurable(db);
    assert.deepEqual({ ...db.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'wal' });
    const FULL = 2;
    assert.deepEqual({ ...db.prepare('PRAGMA synchronous').get() }, { synchronous: FULL });
    db.close();
  });

  test('opens an empty file and an existing database, without migrating twice', async () => {
    mkdirSync(`${folder.path}/data`);
    writeFileSync(path, '');
    const first = open();
    assert.deepEqual(
      first.migrated.map(({ version }) => version),
      MIGRATIONS.map(({ version }) => version),
    );
    await first.store.close();
    const again = open();
    assert.deepEqual(again.migrated, []);
    await again.store.close();
  });

  test('refuses a newer schema, and changes nothing', async () => {
    await open().store.close();
    make("INSERT INTO schema_migrations VALUES (99, 'later', 'x', 0); PRAGMA journal_mode = DELETE");
    refused(/version 99 and this program knows up to \d+: run a newer program\. Nothing was changed\./);
  });

  for (const [what, sql] of [
    ['tables and no application id', 'CREATE TABLE transactions (id)'],
    ['no tables and another application id', 'PRAGMA application_id = 7; PRAGMA user_version = 1'],
  ] as const) {
    test(`refuses another program's database with ${what}, and changes nothing`, () => {
      make(sql);
      refused(/a SQLite database of another program\. Nothing was changed\./);
    });
  }

  test('refuses a file that is not a database, and changes nothing', () => {
    mkdirSync(`${folder.path}/data`);
    writeFileSync(path, 'account,reference,merchantReference\n'.repeat(100));
    refused(/not a SQLite database\. Nothing was changed\./);
  });

  test('refuses a folder in place of the file', () => {
    mkdirSync(path, { recursive: true });
    assert.throws(open, /^StoreRefused: it is not a file\.$/);
  });

  for (const [what, fileMode, folderMode] of [
    ['may not read the file', 0o000, 0o755],
    ['may read the file and not write it', 0o444, 0o555],
    ['may not make a file in the folder', null, 0o555],
  ] as const) {
    test(`reports in a sentence that its user ${what}`, async () => {
      await open().store.close();
      if (fileMode === null) path = `${folder.path}/data/another.db`;
      else chmodSync(path, fileMode);
      chmodSync(folder.path, 0o755);
      chmodSync(`${folder.path}/data`, folderMode);
      asOrdinaryUser(() => {
        assert.throws(open, /this user may not read and write it\. Give the user permission to the file/);
      });
    });
  }

  test('refuses a SQLite with a known bug, and accepts later ones', () => {
    for (const version of ['3.51.2', '3.9.9', '2.99.99', undefined]) {
      assert.throws(
        () => refuseOldSqlite(version),
        /3\.51\.3 or later is needed: install Node\.js 24\.15 or later\.$/,
      );
    }
    for (const version of ['3.51.3', '3.51.10', '3.52.0', '4.0.0']) {
      assert.doesNotThrow(() => refuseOldSqlite(version));
    }
  });

  test('a failing migration is undone, together with those before it', () => {
    const db = new DatabaseSync(':memory:');
    const failing = {
      version: MIGRATIONS.length + 1,
      name: 'failing',
      sql: 'CREATE TABLE half (id); nonsense',
      checksum: 'x',
    };
    assert.throws(() => migrate(db, NOW_MS, { waitMs: 0 }, [...MIGRATIONS, failing]), /syntax error/);
    assert.deepEqual(db.prepare('SELECT name FROM sqlite_schema').all(), []);
    db.close();
  });

  test('can be opened by several programs at once on a new file: one of them migrates', async () => {
    const options = { cwd: folder.path, env: { DATABASE_URL: `sqlite:${path}` } };
    const ran = await Promise.all(Array.from({ length: 4 }, () => run(['migrate'], options)));
    for (const { status, stderr } of ran) assert.equal(status, 0, stderr);
    assert.equal(ran.filter(({ stdout }) => /^Applied migration/m.test(stdout)).length, 1);
  });

  test('answers lists while any write waits for another program', async () => {
    const { store } = open();
    await record(store, [transaction('store-1', 'a')]);
    const writer = new DatabaseSync(path);
    const stored = apiKey('key_0000000000000001');
    const query = { account: 'store-1', filter: NO_FILTER, after: null };
    for (const write of [
      () => store.createApiKey(stored, someEntry()),
      () => store.revokeApiKey(stored.id, NOW_MS, someEntry()),
      () => store.touchApiKeys([{ account: 'store-1', id: stored.id, usedAtMs: 1 }]),
      () => recordOnce(store, transaction('other', 'b'), { key: 'k', fingerprint: 'f'.repeat(64) }),
      () => record(store, [transaction('other', 'c')]),
    ]) {
      writer.exec('BEGIN IMMEDIATE');
      let waiting = true;
      const written = write().finally(() => {
        waiting = false;
      });
      for (let list = 0; list < 20; list++) {
        assert.equal((await store.listTransactions(query, 10)).transactions.length, 1);
        await nextTurn();
      }
      assert.ok(waiting, `${write} did not wait`);
      writer.exec('ROLLBACK');
      await written;
    }
    writer.close();
    await store.close();
  });

  test('a migration waits for another program that writes, reports it, and is applied', () => {
    mkdirSync(`${folder.path}/data`);
    const db = openDatabase(path);
    makeDurable(db);
    const writer = new DatabaseSync(path);
    writer.exec('BEGIN IMMEDIATE');
    assert.throws(() => migrate(db, NOW_MS, { waitMs: 1 }), /locked/);
    let reports = 0;
    const onWaiting = () => {
      reports++;
      writer.exec('ROLLBACK');
    };
    assert.equal(migrate(db, NOW_MS, { waitMs: 60_000, onWaiting }).length, MIGRATIONS.length);
    assert.equal(reports, 1);
    writer.close();
    db.close();
  });

  test('a recording that waits for another program fails after its time limit, and the next one succeeds', async () => {
    const { store } = openAt(path, 1000);
    const writer = new DatabaseSync(path);
    writer.exec('BEGIN IMMEDIATE');
    await assert.rejects(store.record([transaction('store-1', 'b')]), StoreUnavailable);
    writer.exec('ROLLBACK');
    await record(store, [transaction('store-1', 'b')]);
    writer.close();
    await store.close();
  });

  test('records into a backup, which has no write-ahead log yet, however it is opened first', async () => {
    const { store } = open();
    await store.close();
    const backup = `${folder.path}/backup.db`;
    const db = new DatabaseSync(path);
    db.exec(`VACUUM INTO '${backup}'`);
    db.close();
    const opened = openAt(backup, 60_000, false);
    await record(opened.store, [transaction('store-1', 'a')]);
    await opened.store.close();
  });

  test('a recording after the store was closed is unavailable, and starts no thread', async () => {
    const { store } = open();
    await store.record([transaction('store-1', 'r1')]);
    const closing = store.close();
    const once = { key: 'k', fingerprint: 'f' };
    await assert.rejects(store.record([transaction('store-1', 'r2')]), StoreUnavailable);
    await closing;
    await assert.rejects(recordOnce(store, transaction('store-1', 'r3'), once), StoreUnavailable);
    assert.throws(() => statSync(`${path}-wal`), { code: 'ENOENT' });
  });
});

function asOrdinaryUser(work: () => void): void {
  const NOBODY = 65_534;
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
