import assert from 'node:assert/strict';
import type { TotalsBody } from '../../src/ledger/totals/http/totals-schemas.ts';
import { bodyOf } from '../model/transactions.ts';
import { FeedTotals, type TotalsParameters } from '../rig/data/feed-totals.ts';
import type { Random } from '../rig/run/random.ts';
import type { KnownKey } from './known-key.ts';
import { CREATED_DAYS } from './random-transactions.ts';
import type { SimulatedResponse, Simulation } from './simulation.ts';

const TOTALS = '/v1/totals';
/** Days around those of the transactions, so that ranges have whole months, and begin and end within one. */
const DAYS = [...CREATED_DAYS, '2026-02-28', '2026-04-30', '2025-12-31', '2027-01-01'];

/** Reads random totals through faults. */
export async function runTotalsReader(
  simulation: Simulation,
  random: Random,
  requests: number,
): Promise<void> {
  for (let count = 0; count < requests; count++) {
    await readTotals(simulation, random.pick(simulation.keys), randomParameters(random));
    await simulation.time.delay(random.integer(0, 5) * 100);
  }
}

export function randomParameters(random: Random): TotalsParameters {
  const days = [random.pick(DAYS), random.pick(DAYS)].sort();
  return {
    ...(random.chance(0.3) && { status: random.pick(['pending', 'completed']) }),
    ...(random.chance(0.3) && { currency: random.pick(['EUR', 'USD', 'JPY']) }),
    ...(random.chance(0.4) && { from: days[0] as string }),
    ...(random.chance(0.4) && { to: days[1] as string }),
    ...(random.chance(0.4) && { by: 'day' }),
  };
}

/** Reads totals. They are those of the model's transactions at a number that the account had during the request. */
export async function readTotals(
  simulation: Simulation,
  key: KnownKey,
  parameters: TotalsParameters,
): Promise<SimulatedResponse | undefined> {
  const { account } = key;
  const headOf = () => simulation.model.changes.get(account)?.length ?? 0;
  const least = headOf();
  const url = `${TOTALS}?${new URLSearchParams(parameters)}`;
  const response = await simulation.send({ to: 'public', method: 'GET', url, key });
  if (response === undefined) return undefined;
  if (response.status !== 200) {
    assert.ok([401, 429, 503].includes(response.status), `totals got ${response.text}`);
    return response;
  }
  const { data, asOf } = response.body as TotalsBody;
  assert.ok(asOf >= least, `totals are as of ${asOf}, and ${least} was recorded before`);
  assert.ok(asOf <= headOf(), `totals are as of ${asOf}, beyond the head`);
  const expected = new FeedTotals();
  for (const row of simulation.model.transactionsAt(account, asOf)) {
    const transaction = { reference: row.reference, ...bodyOf(row) };
    expected.apply({ previousStatus: null, transaction });
  }
  assert.equal(
    JSON.stringify(data),
    JSON.stringify(expected.rows(parameters)),
    `the totals at ${asOf} differ`,
  );
  return response;
}
