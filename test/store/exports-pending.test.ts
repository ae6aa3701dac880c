import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExportFilter, NO_EXPORT_FILTER } from '../../src/ledger/exports/export.ts';
import { type ExportTurns, MAX_CHANGES_SINCE } from '../../src/ledger/exports/read-export-rows.ts';
import { runExport } from '../../src/ledger/exports/run-export.ts';
import { startExport } from '../../src/ledger/exports/start-export.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { record, SAMPLE, transaction } from '../rig/data/transactions.ts';
import { storeWith } from '../rig/store/store-with.ts';

const ACCOUNT = 'store-1';

const openEmpty = async (now = Date.now) => (await openStore(IN_MEMORY_URL, now)).store;

async function beginExport(store: Store, more: Partial<ExportFilter> = {}) {
  const request = {
    format: 'csv' as const,
    filter: { ...NO_EXPORT_FILTER, status: 'pending', ...more },
    spreadsheet: false,
  };
  const exported = await startExport(store, ACCOUNT, request, {
    nowMs: Date.now(),
    randomBytes,
    mostStored: 1000,
  });
  return async (reader: Store, turns: ExportTurns) => {
    let text = '';
    for await (const piece of runExport(reader, exported, turns)) text += Buffer.from(piece).toString();
    return text;
  };
}

const turnsOf = (rows: number): ExportTurns => ({ rows, next: () => nextTurn() });

async function withFewPending(store: Store, others: number): Promise<AccountTransaction[]> {
  const rows = Array.from({ length: others }, (_, index) =>
    transaction(ACCOUNT, `t${index}`, {
      status: index % (others / 5) === 0 ? 'pending' : 'completed',
      createdAtMs: SAMPLE.createdAtMs + index,
    }),
  );
  await record(store, rows);
  return rows.filter(({ status }) => status === 'pending');
}

test('an export of pending transactions reads only these, and those that were completed since it began', async () => {
  const store = await openEmpty();
  const pending = await withFewPending(store, 5000);
  assert.equal(pending.length, 5);
  const before = await (await beginExport(store))(store, turnsOf(5000));
  const read = await beginExport(store);
  await record(store, [{ ...pending[2], status: 'completed', paidAtMs: 0 } as AccountTransaction]);
  let rowsRead = 0;
  const counting = storeWith(store, {
    listNumbered: async (query, limit) => {
      const rows = await store.listNumbered(query, limit);
      rowsRead += rows.length;
      return rows;
    },
  });
  assert.equal(await read(counting, turnsOf(2)), before);
  assert.equal(rowsRead, 4);
});

test('after too many changes, an export of pending transactions reads all transactions from its position on', async () => {
  const store = await openEmpty();
  const pending = await withFewPending(store, 500);
  const before = await (await beginExport(store))(store, turnsOf(500));
  const read = await beginExport(store);
  let pages = 0;
  const recording = storeWith(store, {
    listNumbered: async (query, limit) => {
      if (++pages === 2) {
        const since = Array.from({ length: MAX_CHANGES_SINCE }, (_, index) =>
          transaction(ACCOUNT, `since-${index}`, { createdAtMs: SAMPLE.createdAtMs + index }),
        );
        const completed = pending.map((row) => ({ ...row, status: 'completed', paidAtMs: 0 }));
        await record(store, [...completed, ...since]);
      }
      return store.listNumbered(query, limit);
    },
  });
  assert.equal(await read(recording, turnsOf(2)), before);
  assert.ok(pages > 500 / 2, `${pages} pages were read`);
});

test('with recordedAt, an export has the time at which each transaction became pending, even if it was completed since', async () => {
  let nowMs = 1000;
  const store = await openEmpty(() => nowMs);
  const row = transaction(ACCOUNT, 'late', { status: 'pending' });
  await record(store, [row]);
  const read = await beginExport(store, { recordedAt: 'true' });
  nowMs = 2000;
  await record(store, [{ ...row, status: 'completed', paidAtMs: 0 }]);
  const [, line = ''] = (await read(store, turnsOf(2))).split('\r\n');
  assert.match(line, /pending.*,1970-01-01T00:00:01.000Z,1970-01-01T00:00:01.000Z$/);
});
