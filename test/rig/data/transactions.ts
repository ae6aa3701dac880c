import { recordHeld } from '../../../src/ledger/record/record.ts';
import { type AccountTransaction, NO_OPTIONAL_FIELDS } from '../../../src/ledger/transaction.ts';
import type { Store } from '../../../src/store/store.ts';
import { tagged } from '../database/isolation.ts';

export const DAY = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

export const SAMPLE: AccountTransaction = {
  account: 'store-1',
  reference: 'pay_1',
  merchantReference: null,
  status: 'pending',
  amountMinor: 1250,
  currencyCode: 'EUR',
  paidAtMs: null,
  createdAtMs: DAY('2026-03-01'),
  ...NO_OPTIONAL_FIELDS,
};

export function transaction(
  account: string,
  name: string,
  fields: Partial<Omit<AccountTransaction, 'account' | 'reference'>> = {},
): AccountTransaction {
  const createdAtMs = fields.createdAtMs ?? SAMPLE.createdAtMs;
  const status = fields.status ?? 'completed';
  return {
    ...SAMPLE,
    account,
    reference: tagged(account, name),
    status,
    paidAtMs: status === 'completed' ? createdAtMs : null,
    createdAtMs,
    ...fields,
  };
}

export async function record(store: Store, transactions: readonly AccountTransaction[]): Promise<void> {
  for (const [index, result] of (await store.record(transactions)).entries()) {
    const one = transactions[index] as AccountTransaction;
    const outcome = result.outcome === 'held' ? await recordHeld(store, one) : result;
    if (!['recorded', 'changed', 'unchanged'].includes(outcome.outcome))
      throw new Error(`a row of the test was not recorded: ${JSON.stringify(outcome)}`);
  }
}

export const outcomesOf = (results: readonly { outcome: string }[]) => results.map(({ outcome }) => outcome);
