import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type ApiKey, makeApiKey } from '../../src/keys/api-key.ts';
import { KeyCache } from '../../src/keys/key-cache.ts';
import { recordOnce } from '../../src/ledger/record/record.ts';
import { UNSEALED } from '../../src/ledger/seals/seal.ts';
import { openStore } from '../../src/store/open-store.ts';
import { DAY_MS } from '../../values/calendar.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { changesOf } from '../rig/data/changes.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { queryDatabase } from '../rig/database/query-database.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { someEntry } from '../rig/store/audit.ts';
import { assertVerified, beside, type Contents, contentsOf } from '../rig/store/copy.ts';
import { erase } from '../rig/store/erase.ts';
import { sealAll } from '../rig/store/seal.ts';
import { FULL_ACCOUNTS, recordFull } from '../verify/full-database.ts';
import { type VerifiedStore, verifyDatabase } from '../verify/healthy-database.ts';

const [ERASED, OTHER] = FULL_ACCOUNTS as [string, string];

const ofAccount = ({ heads, rows, records }: Contents, account: string) => ({
  head: heads[account],
  rows: rows[account],
  records: Object.entries(records)
    .filter(([table]) => !table.endsWith('_audit'))
    .flatMap(([, all]) => all)
    .filter((one) => one['account'] === account),
});

type Opened = { url: string; store: VerifiedStore };

const isRefused = (error: unknown) => error instanceof StoreUnavailable && error.reason === 'account_erased';

async function isInterrupted({ url, store }: Opened, after: number): Promise<boolean> {
  await record(
    store,
    Array.from({ length: 700 }, (_, index) => transaction(ERASED, `r${index}`)),
  );
  await recordOnce(store, transaction(ERASED, 'x'), { key: 'k', fingerprint: 'a'.repeat(64) });
  await sealAll(store, ERASED);
  assert.equal((await store.readSeal(ERASED)).sequence, 701);
  let calls = 0;
  const before = async () => {
    if (++calls > after) throw new Error('interrupted');
  };
  return erase(url, ERASED, { store, before }).then(
    () => false,
    (error) => error.message === 'interrupted',
  );
}

async function checkClosed({ url, store }: Opened, interrupted: number): Promise<void> {
  const again = transaction(ERASED, `new${interrupted}`);
  const [refused, other] = await store.record([again, transaction(OTHER, `r${interrupted}`)]);
  assert.ok(refused?.outcome === 'failed' && isRefused(refused.error), JSON.stringify(refused));
  assert.equal(other?.outcome, 'recorded');
  const once = { key: 'k', fingerprint: 'a'.repeat(64) };
  await recordOnce(store, transaction(ERASED, 'x'), once).then(
    ({ outcome }) => assert.equal(outcome, 'repeated'),
    (error) => assert.ok(isRefused(error), String(error)),
  );
  await assert.rejects(recordOnce(store, again, { key: 'new', fingerprint: 'a'.repeat(64) }), isRefused);
  const { disagreements } = await verifyDatabase(url);
  assert.deepEqual(
    disagreements.map(({ check, account }) => [check, account]),
    [['erasure', ERASED]],
  );
  await erase(url, ERASED, { store });
  assert.deepEqual(ofAccount(await contentsOf(url), ERASED), { head: 0, rows: [], records: [] });
  assert.deepEqual(await store.readSeal(ERASED), UNSEALED);
  await assertVerified(url);
}

async function isNoDisagreement({ url, store }: Opened, call: string): Promise<void> {
  await recordFull(store, new Random(seed), 50);
  let isErased = false;
  const before = async (name: string) => {
    if (name !== call || isErased) return;
    isErased = true;
    await erase(url, ERASED, { store });
  };
  const { lines } = await verifyDatabase(url, { through: (reader) => beside(reader, before) });
  assert.deepEqual([lines, isErased], [[], true], call);
}

async function isCompleted(database: Opened): Promise<void> {
  for (let calls = 1; await isInterrupted(database, calls); calls++) await checkClosed(database, calls);
}

const makeKey = (account: string, byte: number): ApiKey =>
  makeApiKey({ account, label: null, expiresAtMs: null }, Date.now(), (length) =>
    new Uint8Array(length).fill(byte),
  ).stored;

const revokedAhead = (url: string, { id }: ApiKey) =>
  queryDatabase(
    url,
    `UPDATE api_keys SET end_recorded_at_ms = end_recorded_at_ms + ${30 * DAY_MS} WHERE id = '${id}'`,
  );

async function endsInSpiteOfClock({ url, store }: Opened): Promise<void> {
  await record(store, [transaction(ERASED, 'a')]);
  const [first, second] = [1, 2].map((byte) => makeKey(ERASED, byte)) as [ApiKey, ApiKey];
  for (const key of [first, second]) await store.createApiKey(key, someEntry());
  await store.revokeApiKey(first.id, Date.now(), someEntry());
  await revokedAhead(url, first);
  await erase(url, ERASED, { store });
  assert.deepEqual(ofAccount(await contentsOf(url), ERASED), { head: 0, rows: [], records: [] });
}

async function hidesNoRevocation({ url, store }: Opened, accountsAhead: readonly string[]): Promise<void> {
  const erased = [1, 2].map((byte) => makeKey(ERASED, byte));
  const others = [3, 4, 5].map((byte) => makeKey(OTHER, byte));
  for (const key of [...erased, ...others]) await store.createApiKey(key, someEntry());
  for (const account of accountsAhead) {
    const ahead = [...erased, ...others].find((key) => key.account === account) as ApiKey;
    await store.revokeApiKey(ahead.id, Date.now(), someEntry());
    await revokedAhead(url, ahead);
  }
  const { store: otherStore } = await openStore(url, Date.now);
  const cache = new KeyCache(otherStore, () => 0);
  const kept = others.slice(1);
  try {
    await cache.refresh();
    await erase(url, ERASED, { store, before: () => cache.refresh() });
    for (const { hash } of kept) assert.equal((await cache.find(hash))?.revokedAtMs, null);
    for (const { id } of kept) await store.revokeApiKey(id, Date.now(), someEntry());
    await cache.refresh();
    for (const { hash } of kept) assert.notEqual((await cache.find(hash))?.revokedAtMs, null);
    for (const { id } of kept) assert.notEqual(cache.endOf(id)?.revokedAtMs ?? null, null);
  } finally {
    await otherStore.close();
  }
}

async function openFor(t: TestContext, url: string): Promise<Opened> {
  const { store } = await openStore(url, Date.now);
  t.after(() => store.close());
  return { url, store: store as VerifiedStore };
}

export function eraseContract(name: string, makeUrl: () => Promise<string>): void {
  const opened = async (t: TestContext) => openFor(t, await makeUrl());

  describe(`erasing an account on ${name}`, () => {
    test('removes all of its data and no data of other accounts; its numbers begin at 1 again, with other ids', async (t) => {
      const { url, store } = await opened(t);
      await recordFull(store, new Random(seed), 600);
      const before = await contentsOf(url);
      const oldChanges = await changesOf(store, ERASED);
      const head = await erase(url, ERASED, { store });
      assert.equal(head, before.heads[ERASED]);
      const trail = (await store.listAudit(ERASED, null, 1000)).map(({ action }) => action);
      assert.deepEqual([trail.includes('key.created'), trail.at(-1)], [true, 'account.erased']);
      assert.ok(trail.includes('account.closed') && trail.includes('endpoint.deleted'));
      const after = await contentsOf(url);
      assert.deepEqual(ofAccount(after, ERASED), { head: 0, rows: [], records: [] });
      assert.deepEqual(ofAccount(after, OTHER), ofAccount(before, OTHER));
      assert.deepEqual(after.records['cursor_secret'], before.records['cursor_secret']);
      await assertVerified(url);
      assert.deepEqual(
        (await store.listAccounts({ after: null, prefix: null }, 10)).map(({ account }) => account),
        [OTHER],
      );

      const acknowledged = oldChanges.map(({ sequence, nonce }) => ({
        sequence,
        nonce,
        ageMs: 60_000,
      }));
      assert.deepEqual(await store.findMissingChanges(ERASED, acknowledged), []);
      const later = acknowledged.map((one) => ({ ...one, ageMs: -60_000 }));
      assert.equal((await store.findMissingChanges(ERASED, later)).length, later.length);

      await record(store, [transaction(ERASED, 'again')]);
      const [first, ...others] = await changesOf(store, ERASED);
      assert.deepEqual(others, []);
      assert.equal(first?.sequence, 1);
      assert.notEqual(first?.nonce, oldChanges[0]?.nonce);
      await assertVerified(url);
    });

    test('causes no disagreement in a verification that has begun to read the account', async (t) => {
      for (const call of ['readStoredTotals', 'readRows', 'readSealHead'])
        await isNoDisagreement(await opened(t), call);
    });

    test('is completed after an interruption at any step; until then only this account is closed', async (t) =>
      isCompleted(await opened(t)));

    test('ends even if the end of a key was recorded while the clock was 30 days ahead', async (t) =>
      endsInSpiteOfClock(await opened(t)));

    test('hides no later revocation, even if the latest key end was recorded while the clock was ahead', async (t) =>
      hidesNoRevocation(await opened(t), [ERASED]));

    test('hides no later revocation, even if the latest remaining key end was recorded while the clock was ahead', async (t) =>
      hidesNoRevocation(await opened(t), [OTHER, ERASED]));
  });
}
