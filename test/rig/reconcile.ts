import { Readable } from 'node:stream';
import { readCsv } from '../../src/cli/read-csv.ts';
import { parseMappings, reconcileHeader } from '../../src/cli/reconcile-header.ts';
import type { ComparedFields, KeyField, ShownTransaction } from '../../src/core/reconcile/compared-fields.ts';
import { type Difference, Reconciliation } from '../../src/core/reconcile/find-differences.ts';
import { stageFile } from '../../src/core/reconcile/stage-file.ts';
import { openReconcileStaging } from '../../src/store/reconcile-staging.ts';

export interface ReconcileCase {
  csv: string | Buffer;
  transactions: readonly ShownTransaction[];
  key: KeyField;
  columns?: readonly string[];
  decimalComma?: boolean;
}

export interface Reconciled {
  /** `line 2, amount: ...` */
  faults: string[];
  /** Empty if there are faults. */
  differences: Difference[];
}

/** Compares a file with transactions as the command does. */
export async function reconcile(given: ReconcileCase): Promise<Reconciled> {
  const { csv, transactions, key, columns = [], decimalComma = false } = given;
  const staging = openReconcileStaging();
  try {
    const rules = { key, decimalComma, fields: [] as ComparedFields['fields'] };
    const header = reconcileHeader(parseMappings(columns), key, ({ fields }) => {
      rules.fields = fields;
    });
    const faults: string[] = [];
    const bytes = Buffer.from(csv);
    const half = Math.floor(bytes.length / 2);
    const input = Readable.from([bytes.subarray(0, half), bytes.subarray(half)]);
    const { passes, faultyLines } = await stageFile(readCsv(input, header), rules, staging, {
      onFault: async (line, field, detail) => {
        faults.push(`line ${line}${field === null ? '' : `, ${field}`}: ${detail}`);
      },
      onProgress: () => {},
    });
    if (faultyLines > 0) return { faults, differences: [] };
    const reconciliation = new Reconciliation(rules, passes, staging);
    const streamed = async function* () {
      yield* transactions;
    };
    await reconciliation.stageTransactions(streamed(), () => {});
    reconciliation.matchEqual(() => {});
    return { faults, differences: [...reconciliation.differences()] };
  } finally {
    staging.close();
  }
}
