import type { AccountTransaction } from '../../ledger/transaction.ts';
import type { ImportConnection } from './import-connection.ts';

/** Those of the transactions that are not recorded. */
export async function newOnes<Given extends AccountTransaction>(
  transactions: readonly Given[],
  { retrieveTransactions }: Pick<ImportConnection, 'retrieveTransactions'>,
): Promise<Set<Given>> {
  const found = new Set<Given>(transactions);
  for (const [account, own] of Map.groupBy(transactions, (one) => one.account)) {
    const recorded = await retrieveTransactions(account, [...new Set(own.map(({ reference }) => reference))]);
    const references = new Set(recorded.map(({ reference }) => reference));
    for (const one of own) if (references.has(one.reference)) found.delete(one);
  }
  return found;
}
