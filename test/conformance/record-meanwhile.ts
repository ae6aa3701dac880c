import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Served } from '../rig/service/process.ts';
import { type Row, toJsonLines } from './account-rows.ts';

const PAUSE_MS = 3;
const DAY_MS = 86_400_000;
const PAID_AFTER = 31;

export async function recordMeanwhile<T>(
  { operatorUrl }: Pick<Served, 'operatorUrl'>,
  operatorKey: string,
  work: () => Promise<T>,
): Promise<T> {
  let isDone = false;
  const recorded: Row[] = [];
  const recording = (async () => {
    while (!isDone) {
      const arriving = arrivingRow(recorded.length);
      const paid = recorded[recorded.length - PAID_AFTER];
      recorded.push(arriving);
      const rows = [
        arriving,
        ...(paid === undefined ? [] : [{ ...paid, status: 'completed' as const, paidAt: paid.createdAt }]),
      ];
      const response = await fetch(`${operatorUrl}/v1/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' },
        body: toJsonLines('store-1', rows),
      });
      assert.equal(response.status, 200);
      await response.arrayBuffer();
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

function arrivingRow(index: number): Row {
  const nowMs = Date.now();
  const createdAtMs = index % 3 === 0 ? nowMs : nowMs - (nowMs % DAY_MS) - (index % 40) * DAY_MS;
  return {
    reference: `live_${String(index).padStart(6, '0')}`,
    merchantReference: null,
    status: 'pending',
    amount: `${index}.00`,
    currencyCode: 'EUR',
    createdAt: new Date(createdAtMs).toISOString(),
    paidAt: null,
  };
}
