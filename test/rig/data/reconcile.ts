import { Readable } from 'node:stream';
import { parseMappings, reconcileHeader } from '../../../src/cli/account/reconcile/reconcile-header.ts';
import { readCsv } from '../../../src/operate/import/read-csv.ts';
import type { ShownTransaction } from '../../../src/ledger/transaction-fields.ts';
import {
  type ComparedFields,
  comparedValue,
  EXACTLY,
  type KeyField,
  type MatchRules,
} from '../../../src/operate/reconcile/compared-fields.ts';
import { ContainedKeys } from '../../../src/operate/reconcile/contained-keys.ts';
import type { DateOrder } from '../../../src/operate/reconcile/file-values.ts';
import { type Difference, Reconciliation } from '../../../src/operate/reconcile/find-differences.ts';
import { openReconcileStaging } from '../../../src/operate/reconcile/sqlite/reconcile-staging.ts';
import { stageFile } from '../../../src/operate/reconcile/stage-file.ts';

interface ReconcileCase {
  csv: string | Buffer;
  transactions: readonly ShownTransaction[];
  key: KeyField;
  columns?: readonly string[];
  decimalComma?: boolean;
  dateOrder?: DateOrder;
  rules?: MatchRules;
  isContained?: boolean;
}

interface Reconciled {
  /** `line 2, amount: ...` */
  faults: string[];
  /** Empty if there are faults. */
  differences: Difference[];
}

/** Compares a file with transactions as the command does. */
export async function reconcile(given: ReconcileCase): Promise<Reconciled> {
  const { csv, transactions, key, columns = [], decimalComma = false, dateOrder, rules: match = EXACTLY } = given;
  const staging = openReconcileStaging();
  try {
    const rules = { key, decimalComma, dateOrder, fields: [] as ComparedFields['fields'] };
    const header = reconcileHeader(parseMappings(columns), key, ({ fields }) => {
      rules.fields = fields;
    });
    const faults: string[] = [];
    const bytes = Buffer.from(csv);
    const half = Math.floor(bytes.length / 2);
    const input = Readable.from([bytes.subarray(0, half), bytes.subarray(half)]);
    const { passes, faultyLines } = await stageFile(readCsv(input, header), rules, staging, {
      onFault: async ({ line, place, detail }) => {
        faults.push(`line ${line}${place === null ? '' : `, ${place}`}: ${detail}`);
      },
      onProgress: () => {},
    });
    if (faultyLines > 0) return { faults, differences: [] };
    const reconciliation = new Reconciliation(rules, passes, staging, match);
    const streamed = async function* () {
      yield* transactions;
    };
    await reconciliation.stageTransactions(streamed(), () => {});
    if (given.isContained) {
      const keys = new ContainedKeys();
      for (const one of transactions) keys.add(comparedValue(one, key) ?? '');
      staging.replaceKeys((text) => keys.keyOf(text));
    }
    reconciliation.matchEqual(() => {});
    return { faults, differences: [...reconciliation.differences()] };
  } finally {
    staging.close();
  }
}
