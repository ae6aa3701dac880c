import { Readable } from 'node:stream';
import { explainLine } from '../../../client/commands/reconcile/explain-line.ts';
import { openTable } from '../../../client/commands/reconcile/open-table.ts';
import { parseMappings, reconcileHeader } from '../../../client/commands/reconcile/reconcile-header.ts';
import { openReconcileStaging } from '../../../client/commands/reconcile/sqlite-reconcile-staging.ts';
import { FileComparison } from '../../../client/reconcile/compare-file.ts';
import {
  type ComparedFields,
  EXACTLY,
  type KeyField,
  type MatchRules,
} from '../../../client/reconcile/compared-fields.ts';
import type { Difference } from '../../../client/reconcile/find-differences.ts';
import { stageFile } from '../../../client/reconcile/stage-file.ts';
import type { ShownTransaction } from '../../../src/ledger/transaction-fields.ts';
import { readCsv } from '../../../values/read-csv.ts';

interface ReconcileCase {
  csv: string;
  transactions: readonly ShownTransaction[];
  key: KeyField;
  currency?: string;
  rules?: MatchRules;
}

export async function reconcile({
  csv,
  transactions,
  key,
  currency,
  rules: match = EXACTLY,
}: ReconcileCase): Promise<{ faults: string[]; differences: Difference[] }> {
  const staging = openReconcileStaging();
  try {
    const rules = { key, decimalComma: false, currency, fields: [] as ComparedFields['fields'] };
    const faults: string[] = [];
    const bytes = Buffer.from(csv);
    const half = Math.floor(bytes.length / 2);
    const input = Readable.from([bytes.subarray(0, half), bytes.subarray(half)]);
    const opened = await openTable(input);
    const header = reconcileHeader(opened.table, parseMappings([]), key, ({ fields }) => {
      rules.fields = fields;
    });
    const { passes, faultyLines } = await stageFile(readCsv(opened.bytes, header), rules, staging, {
      onFault: (lineNumber, fault) => {
        const { line, place, detail } = explainLine(lineNumber, fault, rules);
        faults.push(`line ${line}${place === null ? '' : `, ${place}`}: ${detail}`);
      },
      onProgress: () => {},
    });
    if (faultyLines > 0) return { faults, differences: [] };
    const paid = { from: null, to: null };
    const comparison = new FileComparison({
      compared: rules,
      passes,
      staging,
      rules: { ...match, isContained: false },
      paid,
      hasTexts: false,
    });
    const streamed = async function* () {
      yield* transactions;
    };
    await comparison.readTransactions(streamed(), () => {});
    comparison.match(() => {});
    const nothing = () => {};
    return { faults, differences: [...comparison.differences(nothing, nothing)].flat() };
  } finally {
    staging.close();
  }
}
