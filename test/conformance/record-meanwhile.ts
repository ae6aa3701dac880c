import { setTimeout } from 'node:timers/promises';
import type { RunningServer } from './right-server/server.ts';
import type { Transaction } from './right-server/transaction.ts';

const PAUSE_MS = 3;
const DAY_MS = 86_400_000;

/** Records into the first account until `work` ends: new transactions, old ones, ties and payments. */
export async function recordMeanwhile<T>({ service }: RunningServer, work: () => Promise<T>): Promise<T> {
  const ledger = service.ledger('store-1');
  let isDone = false;
  const recording = (async () => {
    for (let index = 0; !isDone; index++) {
      ledger.save(arriving(index), Date.now());
      const pending = ledger.snapshot().filter(({ status }) => status === 'pending');
      const paid = pending[(index * 31) % pending.length];
      if (paid !== undefined) ledger.save({ ...paid, status: 'completed', paidAtMs: Date.now() }, Date.now());
      await setTimeout(PAUSE_MS);
    }
  })();
  try {
    return await work();
  } finally {
    isDone = true;
    await recording;
  }
}

/** By turns now, on one of the last days, and in the millisecond of the one before. */
function arriving(index: number): Transaction {
  const nowMs = Date.now();
  return {
    reference: `live_${String(index).padStart(6, '0')}`,
    merchantReference: null,
    status: 'pending',
    amountMinor: BigInt(index),
    currencyCode: 'EUR',
    paidAtMs: null,
    createdAtMs: index % 3 === 0 ? nowMs : nowMs - (nowMs % DAY_MS) - (index % 40) * DAY_MS,
  };
}
