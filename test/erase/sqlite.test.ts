import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/sqlite/open-database.ts';
import { openStore } from '../../src/store/open-store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { erase } from '../rig/store/erase.ts';
import type { VerifiedStore } from '../verify/healthy-database.ts';
import { eraseContract } from './erase-contract.ts';
import { suspendedContract } from './suspended-contract.ts';

const PAGE_BYTES = 4096;
/** The length of a page's header by the type of the page. Source: the SQLite file format. */
const HEADER_BYTES: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };
const FILE_HEADER_BYTES = 100;

/** Leaves out the free space in each page, because SQLite leaves copies of moved cells there. */
function textOfPages(path: string): string {
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
    const header = at === 0 ? FILE_HEADER_BYTES : at;
    const headerBytes = HEADER_BYTES[bytes[header] ?? 0];
    if (headerBytes === undefined) continue;
    const cells = header + headerBytes + 2 * bytes.readUInt16BE(header + 3);
    bytes.fill(0, cells, at + (bytes.readUInt16BE(header + 5) || 65_536));
  }
  return bytes.toString('latin1');
}

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
