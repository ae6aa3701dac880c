import { fromMinorUnits, toMinorUnits } from './amount.ts';
import { ExportDamagedError } from './errors.ts';
import { type ExportedTransaction, type ExportManifest, readRow } from './export-manifest.ts';

export interface ExportItems<Item> {
  read(rows: Uint8Array): Item[];
  /** @throws ExportDamagedError if the totals of the items differ from the manifest's totals. */
  verify(manifest: ExportManifest): void;
}

export const fileItems = (): ExportItems<Uint8Array> => ({ read: (rows) => [rows], verify: () => {} });

const decoder = new TextDecoder();

export function exportedTransactions(): ExportItems<ExportedTransaction> {
  const sums = new Map<string, [count: number, minor: bigint]>();
  return {
    read: (rows) => {
      const transactions = decoder.decode(rows).trimEnd().split('\n').map(readRow);
      for (const { currencyCode, status, amount } of transactions) {
        const [count, minor] = sums.get(`${currencyCode} ${status}`) ?? [0, 0n];
        sums.set(`${currencyCode} ${status}`, [count + 1, minor + toMinorUnits(amount)]);
      }
      return transactions;
    },
    verify: ({ totals }) => {
      const own = [...sums].map(([key, [count, minor]]) => `${key}: ${count}, ${fromMinorUnits(minor)}`);
      const said = totals.map(
        ({ currencyCode, status, count, amount }) => `${currencyCode} ${status}: ${count}, ${amount}`,
      );
      const [ours, theirs] = [own, said].map((lines) => lines.sort().join('; '));
      if (ours !== theirs) throw new ExportDamagedError(`the totals are ${ours}, not ${theirs}`, null);
    },
  };
}
