import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transaction } from '../../../test/rig/transactions.ts';
import type { AccountTransaction } from '../../ledger/transaction.ts';
import type { ImportConnection } from './import-connection.ts';
import { refuseArchived } from './refuse-archived.ts';

const BEFORE_MS = Date.UTC(2026, 2, 1);
const old = (name: string) => transaction('store-1', name, { createdAtMs: BEFORE_MS - 1 });
const later = (name: string) => transaction('store-1', name, { createdAtMs: BEFORE_MS });

/** A connection that has some transactions. It notes what it is sent. */
function connectionWith(...recorded: readonly AccountTransaction[]) {
  const sent: string[][] = [];
  const connection = {
    batchesInFlight: 2,
    retrieveTransactions: async (_account: string, references: readonly string[]) =>
      recorded.filter(({ reference }) => references.includes(reference)),
    recordTransactions: async (transactions: readonly AccountTransaction[]) => {
      sent.push(transactions.map(({ reference }) => reference));
      return { outcomes: transactions.map(() => ({ outcome: 'unchanged' as const })), tookMs: 3 };
    },
  } as unknown as ImportConnection;
  return { connection, sent };
}

/** The look-up of each call takes as long as its number of promises says. */
const archivedAfter = (...turns: number[]) => ({
  archived: async <Given extends { createdAtMs: number }>(transactions: readonly Given[]) => {
    for (let left = turns.shift() ?? 0; left > 0; left--) await Promise.resolve();
    return new Map(
      transactions.filter(({ createdAtMs }) => createdAtMs < BEFORE_MS).map((one) => [one, BEFORE_MS]),
    );
  },
});

test('new transactions of archived days are refused in their places; the others, and those that are left, are sent', async () => {
  const { connection, sent } = connectionWith(old('left'));
  const batch = [old('new'), later('a'), old('left'), later('b'), old('newer')];
  const { outcomes, tookMs } = await refuseArchived(connection, archivedAfter()).recordTransactions(batch);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['failed', 'unchanged', 'unchanged', 'unchanged', 'failed'],
  );
  const [refused] = outcomes;
  assert.match(String(refused?.outcome === 'failed' && refused.error), /before 2026-03-01 were archived/);
  assert.deepEqual(sent, [[later('a'), old('left'), later('b')].map(({ reference }) => reference)]);
  assert.equal(tookMs, 3);
});

test('batches are sent in the order of the calls, whichever look-up ends first', async () => {
  const { connection, sent } = connectionWith();
  const guarded = refuseArchived(connection, archivedAfter(50, 0));
  await Promise.all([guarded.recordTransactions([later('1')]), guarded.recordTransactions([later('2')])]);
  assert.deepEqual(sent, [[later('1').reference], [later('2').reference]]);
});
