import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/sqlite/open-database.ts';
import { openStore } from '../../src/store/open-store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { erase } from '../rig/store/erase.ts';
import { textOfPages } from '../rig/store/pages-of-file.ts';
import type { VerifiedStore } from '../verify/healthy-database.ts';
import { eraseContract } from './erase-contract.ts';
import { suspendedContract } from './suspended-contract.ts';

const folder = temporaryFolder();
after(folder.remove);
let databases = 0;

const makeUrl = async () => `sqlite:${folder.path}/${++databases}.db`;
eraseContract('SQLite', makeUrl);
suspendedContract('SQLite', makeUrl);

test('an erasure leaves no text of a transaction in the pages of the file, except copies that SQLite made when it split a page', async () => {
  const path = `${folder.path}/erased.db`;
  const { store } = await openStore(`sqlite:${path}`, Date.now);
  const rows = Array.from({ length: 3000 }, (_, index) =>
    transaction(index % 2 === 0 ? 'erased' : 'other', `${index}`, {
      merchantReference: `order-${index % 2 === 0 ? 'gone' : 'left'}-${index}`,
    }),
  );
  await record(store, rows);
  await erase(`sqlite:${path}`, 'erased', { store: store as VerifiedStore });
  await store.close();
  // Until the write-ahead log is written back, the file can hold earlier versions of its pages.
  const last = openDatabase(path);
  last.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  last.close();
  const text = textOfPages(path);
  assert.ok(text.includes('order-left-1'));
  assert.doesNotMatch(text, /order-gone/);
});
