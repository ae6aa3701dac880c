import assert from 'node:assert/strict';
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { changeId } from '../../src/ledger/changes/change.ts';
import { listChanges } from '../../src/ledger/changes/changes.ts';
import { NO_FILTER } from '../../src/ledger/list/list.ts';
import { RefusedRecording, recordOnce } from '../../src/ledger/record/record.ts';
import { readTotals } from '../../src/ledger/totals/totals.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { ArchiveFailed } from '../../src/operate/archive/account-archiver.ts';
import { openStore } from '../../src/store/open-store.ts';
import { ALL_TOTALS } from '../rig/data/all-totals.ts';
import { changesOf, completed } from '../rig/data/changes.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { archive, archivedLines } from '../rig/store/archive.ts';
import { someEntry } from '../rig/store/audit.ts';
import { assertSameContents, assertVerified, contentsOf, copyBetween } from '../rig/store/copy.ts';
import { erase } from '../rig/store/erase.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';
import { ACCOUNT, BEFORE, isOld, type MakeUrl, type Opened, OTHER, opened, recordMarch } from './march.ts';

const referencesOf = (rows: Iterable<{ reference: string }>) =>
  [...rows].map(({ reference }) => reference).sort();

async function assertLeft({ url, store }: Opened, account: string, left: readonly AccountTransaction[]) {
  const query = { account, filter: NO_FILTER, after: null };
  const { transactions } = await store.listTransactions(query, 10_000);
  assert.deepEqual(referencesOf(transactions), referencesOf(left));
  const sums = new Map<string, [number, bigint]>();
  for (const { currencyCode, status, amountMinor } of transactions) {
    const [count, amount] = sums.get(`${currencyCode} ${status}`) ?? [0, 0n];
    sums.set(`${currencyCode} ${status}`, [count + 1, amount + BigInt(amountMinor)]);
  }
  const { totals, asOf, asOfId } = await readTotals(store, { account, ...ALL_TOTALS });
  assert.deepEqual(
    new Map(totals.map((one) => [`${one.currencyCode} ${one.status}`, [one.count, one.amountMinor]])),
    sums,
  );
  const { floorSequence = 0, floorNonce } = (await store.readArchive(account)) ?? {};
  const page = await listChanges(store, { account, after: floorSequence, limit: 10_000 });
  assert.equal(asOf, page.headSequence);
  const last =
    page.changes.at(-1) ??
    (floorNonce === undefined ? undefined : { sequence: floorSequence, nonce: floorNonce });
  assert.equal(asOfId, last === undefined ? null : changeId(account, last));
  await assertVerified(url);
}

type Run = (database: Opened, more: { t: TestContext; makeUrl: MakeUrl }) => Promise<void>;

const TESTS: Readonly<Record<string, Run>> = {
  'moves final transactions of earlier days to a file, and changes nothing else': async (
    database,
    { makeUrl },
  ) => {
    const { url, store, folder } = database;
    const rows = await recordMarch(store, ACCOUNT, 300);
    await recordMarch(store, OTHER, 40);
    const paid = transaction(ACCOUNT, 'once', { createdAtMs: DAY('2026-03-02') });
    const once = { key: 'k', fingerprint: 'a'.repeat(64) };
    assert.equal((await recordOnce(store, paid, once)).outcome, 'recorded');
    rows.push(paid);
    const before = await contentsOf(url);
    const changes = await changesOf(store, ACCOUNT);
    const [result] = await archive([ACCOUNT, 'nobody'], database);
    assert.deepEqual([result?.account, result?.outcome], [ACCOUNT, 'archived']);

    const old = rows.filter(isOld);
    assert.deepEqual([...archivedLines(folder, ACCOUNT).keys()].sort(), referencesOf(old));
    const kept = rows.filter((row) => !isOld(row));
    await assertLeft(database, ACCOUNT, kept);
    const after = await contentsOf(url);
    const left = new Set(referencesOf(kept));
    assert.deepEqual(
      after.rows[ACCOUNT],
      before.rows[ACCOUNT]?.filter((row) => left.has(row.reference)),
    );
    assert.deepEqual([after.rows[OTHER], after.heads], [before.rows[OTHER], before.heads]);

    const { floorSequence } = (await store.readArchive(ACCOUNT)) ?? assert.fail();
    const read = (sequence: number, known = sequence) =>
      listChanges(store, {
        account: ACCOUNT,
        after: sequence,
        limit: 3,
        ...(sequence > 0 && { afterId: changeId(ACCOUNT, changes[known - 1] ?? assert.fail()) }),
      });
    for (const sequence of [0, 1, floorSequence - 1])
      await assert.rejects(read(sequence), { code: 'changes_archived' });
    assert.deepEqual((await read(floorSequence)).changes, changes.slice(floorSequence, floorSequence + 3));
    await assert.rejects(read(floorSequence, 1), { code: 'history_changed' });
    const acknowledged = changes.map(({ sequence, nonce }) => ({ sequence, nonce, ageMs: 60_000 }));
    assert.deepEqual(await store.findMissingChanges(ACCOUNT, acknowledged), []);

    const again = await recordOnce(store, paid, { ...once, repeatsOnly: true });
    assert.deepEqual(again, { outcome: 'not_recorded' });

    const target = await makeUrl();
    await (await openStore(target, Date.now)).store.close();
    assert.equal((await copyBetween(url, target)).end, 'equal');
    assertSameContents(await contentsOf(url), await contentsOf(target));
  },

  'continues later: later completions and later days are written to new files': async (database) => {
    const { store, folder } = database;
    const rows = await recordMarch(store, ACCOUNT, 120);
    await archive([ACCOUNT], database);
    const first = (await store.readArchive(ACCOUNT)) ?? assert.fail();
    const late = rows.filter((row) => row.status === 'pending').map(completed);
    await record(store, late);
    await archive([ACCOUNT], database);
    const second = (await store.readArchive(ACCOUNT)) ?? assert.fail();
    assert.ok(second.floorSequence > first.floorSequence);
    await archive([ACCOUNT], { ...database, beforeMs: DAY('2026-03-15') });
    const now = new Map([...rows, ...late].map((row) => [row.reference, row]));
    const { old = [], left = [] } = Object.groupBy(now.values(), ({ createdAtMs }) =>
      createdAtMs < DAY('2026-03-15') ? 'old' : 'left',
    );
    assert.deepEqual([...archivedLines(folder, ACCOUNT).keys()].sort(), referencesOf(old));
    await assertLeft(database, ACCOUNT, left);
    assert.deepEqual(await archive([ACCOUNT], database), []);
  },

  'is completed after an interruption anywhere: nothing is lost meanwhile': async (database) => {
    const { store, folder } = database;
    const rows = await recordMarch(store, ACCOUNT, 900);
    const all = referencesOf(rows);
    const step = inTier({ short: 4, long: 1 });
    for (let after = seed % step, isOver = false; !isOver; after += step) {
      let calls = 0;
      const before = async () => {
        if (++calls > after) throw new Error('interrupted');
      };
      isOver = await archive([ACCOUNT], { ...database, before }).then(
        () => true,
        (error) => error.message !== 'interrupted' && assert.fail(error),
      );
      const files = archivedLines(folder, ACCOUNT);
      const { transactions } = await store.listTransactions(
        { account: ACCOUNT, filter: NO_FILTER, after: null },
        10_000,
      );
      assert.deepEqual([...new Set([...files.keys(), ...referencesOf(transactions)])].sort(), all);
      await assertVerified(database.url);
    }
    await assertLeft(
      database,
      ACCOUNT,
      rows.filter((row) => !isOld(row)),
    );
  },

  'is final: no archived transaction is recorded again, whatever a service knew': async (database) => {
    const { url, store } = database;
    const rows = await recordMarch(store, ACCOUNT, 60);
    const paid = transaction(ACCOUNT, 'once', { createdAtMs: DAY('2026-03-02') });
    const once = { key: 'k', fingerprint: 'a'.repeat(64) };
    await recordOnce(store, paid, once);
    await archive([ACCOUNT], database);
    const left = await contentsOf(url);
    const [gone, waiting] = [rows.find(isOld), rows.find((row) => row.status === 'pending')];
    assert.ok(gone !== undefined && waiting !== undefined);

    const isArchived = (error: unknown) =>
      error instanceof RefusedRecording && error.fault.code === 'archived';
    const fresh = transaction(ACCOUNT, 'new', { createdAtMs: BEFORE - 1 });
    const results = await store.record([gone, fresh, waiting, { ...gone, account: OTHER }]);
    assert.deepEqual(
      results.map((one) => (one.outcome === 'failed' ? isArchived(one.error) : one.outcome)),
      [true, true, 'unchanged', 'recorded'],
    );
    await assert.rejects(recordOnce(store, paid, once), isArchived);
    const other = { key: 'other', fingerprint: 'b'.repeat(64) };
    await assert.rejects(recordOnce(store, { ...fresh, reference: 'assigned' }, other), isArchived);
    const importing = await store.openImport();
    const { outcomes } = await importing.recordTransactions([gone, waiting]).finally(() => importing.close());
    assert.deepEqual(
      outcomes.map((one) => (one.outcome === 'failed' ? isArchived(one.error) : one.outcome)),
      [true, 'unchanged'],
    );
    assert.deepEqual((await contentsOf(url)).rows[ACCOUNT], left.rows[ACCOUNT]);

    assert.equal((await store.record([completed(waiting)]))[0]?.outcome, 'changed');
    const later = { ...fresh, createdAtMs: BEFORE, reference: 'assigned' };
    const corrected = await recordOnce(store, later, { ...other, fingerprint: 'c'.repeat(64) });
    assert.equal(corrected.outcome, 'recorded');
    const moved = { ...gone, createdAtMs: BEFORE };
    assert.equal((await store.record([moved]))[0]?.outcome, 'recorded');
    await assertVerified(url);
  },

  'removes only what a file contains': async (database, { t }) => {
    const { url, store, folder } = database;
    await recordMarch(store, ACCOUNT, 60);
    const before = await contentsOf(url);
    const damage = async (call: string) => {
      if (call !== 'removeUnfinishedExports') return;
      for (const file of readdirSync(folder))
        if (file.endsWith('.csv')) appendFileSync(join(folder, file), 'x');
    };
    await assert.rejects(
      archive([ACCOUNT], { ...database, before: damage }),
      /has changed: it has \d+ bytes/,
    );
    assert.deepEqual((await contentsOf(url)).rows, before.rows);
    await assertVerified(url);
    const { path: elsewhere } = temporaryFolder(t);
    await assert.rejects(
      archive([ACCOUNT], { ...database, folder: elsewhere }),
      /name the folder that has its complete file/,
    );
  },

  'replaces a file that an interrupted archive left, whatever was removed since': async (database) => {
    const { store, folder } = database;
    const details = JSON.stringify({ customer: 'Ada' });
    const rows = await recordMarch(store, ACCOUNT, 60);
    const detailed = transaction(ACCOUNT, 'detailed', { createdAtMs: DAY('2026-03-02'), details });
    await record(store, [detailed]);
    const interrupted = async (call: string) => assert.notEqual(call, 'store', 'interrupted');
    await assert.rejects(archive([ACCOUNT], { ...database, before: interrupted }), /interrupted/);
    assert.deepEqual(readdirSync(folder).length, 1);
    await store.removeDetails(ACCOUNT, detailed.reference, someEntry());
    await archive([ACCOUNT], { ...database, beforeMs: DAY('2026-03-05') });
    await archive([ACCOUNT], database);
    const old = [...rows, detailed].filter(isOld);
    assert.deepEqual([...archivedLines(folder, ACCOUNT).keys()].sort(), referencesOf(old));
    const kept = rows.filter((row) => !isOld(row));
    await assertLeft(database, ACCOUNT, kept);
  },

  'by two commands at once is done by one of them': async (database) => {
    const { store } = database;
    const rows = await recordMarch(store, ACCOUNT, 60);
    const other = async (call: string) => {
      if (call === 'store') await archive([ACCOUNT], { ...database, beforeMs: DAY('2026-03-15') });
    };
    await assert.rejects(
      archive([ACCOUNT], { ...database, before: other }),
      (error) => error instanceof ArchiveFailed && /archived by another command/.test(error.message),
    );
    await assertLeft(
      database,
      ACCOUNT,
      rows.filter(({ status, createdAtMs }) => status === 'pending' || createdAtMs >= DAY('2026-03-15')),
    );
  },

  'is refused while deliveries need what it would remove, also for a replay in flight': async (database) => {
    const { url, store, folder } = database;
    await recordMarch(store, ACCOUNT, 60);
    const head = (await store.readHeads([ACCOUNT])).get(ACCOUNT) as number;
    await store.createWebhook(webhook(1, { account: ACCOUNT, acknowledgedSequence: head }), 20, someEntry());
    await store.createWebhook(webhook(2, { account: ACCOUNT, acknowledgedSequence: head }), 20, someEntry());
    await store.storeProgress(ACCOUNT, idOf(2), 1, progress(head, { after: head, failed: [failure(1)] }));
    const before = await contentsOf(url);
    const outstanding = async (during?: (call: string) => Promise<void>) =>
      (await archive([ACCOUNT], { ...database, ...(during && { before: during }) })).map((result) =>
        result.outcome === 'outstanding' ? result.outstanding.map(({ webhookId }) => webhookId) : [],
      );
    assert.deepEqual(await outstanding(), [[idOf(2)]]);
    assert.deepEqual(readdirSync(folder), []);
    await store.deleteWebhook(ACCOUNT, idOf(2), someEntry());
    const replayOf = async () => {
      const { failureCount: _, ...found } = (await store.findWebhook(ACCOUNT, idOf(1))) ?? assert.fail();
      const version = found.version + 1;
      const replayed = { ...found, version, replayVersion: version, acknowledgedSequence: 0 };
      return () => store.replaceWebhook(replayed, 'replay', someEntry());
    };
    const first = await replayOf();
    assert.deepEqual(await outstanding(async (call) => void (call === 'store' && assert.ok(await first()))), [
      [idOf(1)],
    ]);
    assert.deepEqual((await contentsOf(url)).rows, before.rows);
    assert.equal(await store.readArchive(ACCOUNT), undefined);
    assert.deepEqual(readdirSync(folder), []);
    const { version } = (await store.findWebhook(ACCOUNT, idOf(1))) ?? assert.fail();
    assert.ok(await store.storeProgress(ACCOUNT, idOf(1), version, progress(head, { after: 0 })));
    const second = await replayOf();
    await outstanding();
    assert.ok((await store.readArchive(ACCOUNT)) !== undefined);
    assert.equal(await second(), false);
    const stale = progress(head, { after: 0, failed: [failure(1)] });
    assert.ok(await store.storeProgress(ACCOUNT, idOf(1), version, stale));
    assert.deepEqual(await store.listWebhookFailures(ACCOUNT, idOf(1), 0, 10), []);
    await assertVerified(url);
  },

  'stores nothing for an account that was erased meanwhile': async (database) => {
    const { url, store } = database;
    await recordMarch(store, ACCOUNT, 20);
    const begins = async (call: string) => {
      if (call !== 'store') return;
      await erase(url, ACCOUNT, { store });
      await recordMarch(store, ACCOUNT, 20);
    };
    await assert.rejects(archive([ACCOUNT], { ...database, before: begins }), /was erased meanwhile/);
    assert.equal(await store.readArchive(ACCOUNT), undefined);
    await assertVerified(url);
  },

  'leaves out an account that is being erased': async (database) => {
    const { url, store, folder } = database;
    await recordMarch(store, ACCOUNT, 20);
    const cut = async (call: string) => assert.notEqual(call, 'removeRows', 'interrupted');
    await assert.rejects(erase(url, ACCOUNT, { store, before: cut }), /interrupted/);
    assert.deepEqual(await archive([ACCOUNT], database), []);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(await store.readArchive(ACCOUNT), undefined);
  },
};

export function archiveContract(name: string, makeUrl: MakeUrl): void {
  describe(`archiving on ${name}`, () => {
    for (const [what, run] of Object.entries(TESTS))
      test(what, async (t) => run(await opened(t, makeUrl), { t, makeUrl }));
  });
}
