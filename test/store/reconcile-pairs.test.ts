import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { explainLine } from '../../client/commands/reconcile/explain-line.ts';
import { openTable } from '../../client/commands/reconcile/open-table.ts';
import { parseMappings, reconcileHeader } from '../../client/commands/reconcile/reconcile-header.ts';
import { openReconcileStaging } from '../../client/commands/reconcile/sqlite-reconcile-staging.ts';
import { FileComparison } from '../../client/reconcile/compare-file.ts';
import {
  type ComparedFields,
  EXACTLY,
  type KeyField,
  type MatchRules,
} from '../../client/reconcile/compared-fields.ts';
import type { Difference } from '../../client/reconcile/find-differences.ts';
import { stageFile } from '../../client/reconcile/stage-file.ts';
import type { ShownTransaction } from '../../src/ledger/transaction-fields.ts';
import { readCsv } from '../../values/read-csv.ts';

interface ReconcileCase {
  csv: string;
  transactions: readonly ShownTransaction[];
  key: KeyField;
  rules?: MatchRules;
}

async function reconcile({
  csv,
  transactions,
  key,
  rules: match = EXACTLY,
}: ReconcileCase): Promise<{ faults: string[]; differences: Difference[] }> {
  const staging = openReconcileStaging();
  try {
    const rules = { key, decimalComma: false, currency: undefined, fields: [] as ComparedFields['fields'] };
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

const transaction = (
  reference: string,
  merchantReference: string | null,
  amount: string,
): ShownTransaction => ({
  reference,
  merchantReference,
  status: 'completed',
  amount,
  currencyCode: 'EUR',
  paidAt: '2026-03-01T12:00:00.000Z',
  createdAt: '2026-03-01T11:00:00.000Z',
});

const summary = async (csv: string, transactions: readonly ShownTransaction[]) => {
  const { faults, differences } = await reconcile({ csv, transactions, key: 'merchantReference' });
  assert.deepEqual(faults, []);
  return differences.map(({ kind, line, account }) => [kind, line, account?.reference ?? null]);
};

test('of lines and transactions that share a key, equal ones are paired first, then the rest by their values', async () => {
  const transactions = [
    transaction('t1', 'order-1', '10.00'),
    transaction('t2', 'order-1', '10.00'),
    transaction('t3', 'order-1', '25.00'),
    transaction('t4', 'order-1', '15.00'),
    transaction('t5', 'order-2', '1.00'),
  ];
  const csv = 'merchantReference,amount\norder-1,24\norder-1,10.0\norder-1,14\norder-3,1\n';
  assert.deepEqual(await summary(csv, transactions), [
    ['differing', 4, 't2'],
    ['differing', 2, 't4'],
    ['missing_there', null, 't3'],
    ['missing_there', null, 't5'],
    ['missing_here', 5, null],
  ]);
});

test('a line with a time is paired before a line with a day, whatever their order in the file', async () => {
  const transactions = [
    transaction('t1', 'a', '1.00'),
    { ...transaction('t2', 'a', '1.00'), createdAt: '2026-03-01T23:00:00.000Z' },
  ];
  for (const lines of ['a,2026-03-01\na,2026-03-01T11:00:00Z\n', 'a,2026-03-01T11:00:00Z\na,2026-03-01\n'])
    assert.deepEqual(await summary(`merchantReference,createdAt\n${lines}`, transactions), []);
});

test('two lines are refused if each has a day in a column where the other has a time', async () => {
  const csv =
    'merchantReference,createdAt,paidAt\na,2026-03-01,2026-03-01T12:00:00Z\nb,2026-03-01T11:00:00Z,2026-03-01\n';
  const { faults, differences } = await reconcile({ csv, transactions: [], key: 'merchantReference' });
  assert.deepEqual(
    [faults, differences],
    [
      [
        'line 3: has a day and a time, and line 2 has the day where this line has the time; write only days or only times in a column',
      ],
      [],
    ],
  );
});

test('with a tolerance, the days of a pair differ by at most the tolerance, and pairs follow the order of the days', async () => {
  const at = (reference: string, paidAt: string, amount = '10.00') => ({
    ...transaction(reference, 'order-1', amount),
    paidAt,
  });
  const csv =
    'merchantReference,amount,paidAt\norder-1,10,2026-03-05\norder-1,10,2026-03-03\norder-1,20,2026-03-03\n';
  const transactions = [
    at('t1', '2026-03-01T23:30:00.000Z'),
    at('t2', '2026-03-03T12:00:00.000Z'),
    at('t3', '2026-02-27T12:00:00.000Z', '20.00'),
  ];
  const found = async (toleranceDays: number) => {
    const rules = { timeZone: 'Europe/Berlin', toleranceDays };
    const { differences } = await reconcile({ csv, transactions, key: 'merchantReference', rules });
    return differences.map(({ kind, line, account, fields }) => [kind, line, account?.reference, fields]);
  };
  assert.deepEqual(await found(0), [
    ['differing', 2, 't1', ['paidAt']],
    ['differing', 4, 't3', ['paidAt']],
  ]);
  assert.deepEqual(await found(1), [
    ['differing', 2, 't2', ['paidAt']],
    ['differing', 4, 't3', ['paidAt']],
  ]);
  for (const days of [2, 3]) assert.deepEqual(await found(days), [['differing', 4, 't3', ['paidAt']]]);
  assert.deepEqual(await found(4), []);
  const booked = 'merchantReference,amount,paidAt\norder-1,10,2026-03-09\norder-1,10,2026-03-10\n';
  const paid = [at('t1', '2026-03-06T12:00:00.000Z'), at('t2', '2026-03-09T12:00:00.000Z')];
  const rules = { timeZone: null, toleranceDays: 3 };
  const week = await reconcile({ csv: booked, transactions: paid, key: 'merchantReference', rules });
  assert.deepEqual(week.differences, []);
});
