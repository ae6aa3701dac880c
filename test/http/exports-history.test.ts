import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NumberedNonce } from '../../src/ledger/changes/change.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const EXPORT = '/v1/transactions.csv';

/** A service whose last change can be replaced by another one, as after a restore. */
async function serveExport() {
  const { store } = await openStore(IN_MEMORY_URL, () => 0);
  const rows = ['a', 'b', 'c'].map((name) => transaction('store-1', name, { merchantReference: 'order' }));
  for (const row of rows) await record(store, [row]);
  const state = { isRestored: false };
  const shown = <Numbered extends NumberedNonce>(change: Numbered) =>
    state.isRestored && change.sequence === 3 ? { ...change, nonce: change.nonce + 1 } : change;
  const listChanges: Store['listChanges'] = async (query) => {
    const { last, changes, ...ends } = await store.listChanges(query);
    return { last: last && shown(last), changes: changes.map(shown), ...ends };
  };
  const app = await buildTestApp({ store: storeWith(store, { listChanges }) });
  const key = await app.makeKey('store-1');
  return { app, key, state };
}

test('an export whose last change is lost while it is sent never ends normally', async () => {
  const { app, key, state } = await serveExport();
  const { store } = app;
  const complete: unknown[] = [];
  const replaceExport = store.replaceExport;
  store.replaceExport = (replaced) => {
    complete.push(replaced.result);
    return replaceExport(replaced);
  };
  const { createExport } = store;
  store.createExport = async (...values) => {
    const isStored = await createExport(...values);
    state.isRestored = true;
    return isStored;
  };
  await assert.rejects(app.send(EXPORT, { key }));
  assert.deepEqual(complete, []);
  assert.match(app.logged.join(), /history_changed|another id/);
});
