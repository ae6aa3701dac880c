import type { ArchivedDays } from '../../ledger/archives/archived-days.ts';
import { createdOnArchivedDay, RefusedRecording } from '../../ledger/record/recording-limits.ts';
import type { AccountTransaction } from '../../ledger/transaction.ts';
import type { ImportConnection, ImportOutcome, RecordedBatch } from './import-connection.ts';

/** A connection that records no new transaction on an archived day: an archive can begin after the lines were checked. */
export function refuseArchived(
  connection: ImportConnection,
  archivedDays: Pick<ArchivedDays, 'archived'>,
): Pick<ImportConnection, 'recordTransactions' | 'batchesInFlight'> {
  const check = async (transactions: readonly AccountTransaction[]) => {
    const archived = await archivedDays.archived(transactions);
    const fresh = archived.size === 0 ? [] : await newOnes([...archived.keys()], connection);
    return new Map([...fresh].map((one) => [one, createdOnArchivedDay(archived.get(one) as number)]));
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    batchesInFlight: connection.batchesInFlight,
    recordTransactions: (transactions) => {
      // One check after the other: batches are sent in the order of the calls, which is that of the numbers.
      const checked = last.then(() => check(transactions));
      last = checked.catch(() => {});
      return checked.then(async (faults): Promise<RecordedBatch> => {
        if (faults.size === 0) return connection.recordTransactions(transactions);
        const { outcomes, tookMs } = await connection.recordTransactions(
          transactions.filter((one) => !faults.has(one)),
        );
        const next = outcomes.values();
        const outcomeOf = (one: AccountTransaction): ImportOutcome => {
          const fault = faults.get(one);
          if (fault === undefined) return next.next().value as ImportOutcome;
          return { outcome: 'failed', error: new RefusedRecording(fault) };
        };
        return { outcomes: transactions.map(outcomeOf), tookMs };
      });
    },
  };
}

/** Returns the transactions that are not recorded. */
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
