import type { Transaction } from '../src/transaction.ts';
import type { ComparableField, MatchRules } from './compared-fields.ts';
import { daysAfter, dayText } from './days.ts';
import { DAY_CHARACTERS } from './file-values.ts';
import type { StagedRow } from './reconcile-staging.ts';

export type LineValues = Readonly<Partial<Record<ComparableField, string | null>>>;

export type Difference =
  | { kind: 'missing_here'; line: number; file: LineValues; account: null; fields: readonly [] }
  | { kind: 'missing_there'; line: null; file: null; account: Transaction; fields: readonly [] }
  | {
      kind: 'differing';
      line: number;
      file: LineValues;
      account: Transaction;
      fields: readonly ComparableField[];
    };

export const missingThere = (account: Transaction): Difference => ({
  kind: 'missing_there',
  line: null,
  file: null,
  account,
  fields: [],
});

export const missingHere = ({ line, values }: { line: number; values: LineValues }): Difference => ({
  kind: 'missing_here',
  line,
  file: values,
  account: null,
  fields: [],
});

export function isSame(
  field: ComparableField,
  theirs: string | null,
  ours: string | null,
  { timeZone, toleranceDays }: MatchRules,
): boolean {
  const isDay = (field === 'createdAt' || field === 'paidAt') && theirs?.length === DAY_CHARACTERS;
  if (!isDay || ours === null) return theirs === ours;
  if (toleranceDays === 0) return theirs === dayText(ours, timeZone);
  return Math.abs(daysAfter(theirs, ours, timeZone)) <= toleranceDays;
}

export function* counted<Row>(rows: Iterable<Row>, onRow: () => void): Generator<Row> {
  for (const row of rows) {
    onRow();
    yield row;
  }
}

/** Leaves out lines and transactions that are equal. With `keepsKeys`, all rows that have a key are kept. */
export function* withoutEqualPairs(
  rows: Iterable<StagedRow>,
  keepsKeys: boolean,
): Generator<StagedRow, void, undefined> {
  let key: string | null = null;
  let content = '';
  let lines: number[] = [];
  let paired = 0;
  const unpaired = function* (): Generator<StagedRow> {
    for (const line of lines.slice(paired)) yield { line, key, content, rest: null };
  };
  for (const row of rows) {
    if (keepsKeys && row.key !== null) {
      yield row;
      continue;
    }
    if (row.key !== key || row.content !== content) {
      yield* unpaired();
      ({ key, content } = row);
      lines = [];
      paired = 0;
    }
    if (row.line !== null) lines.push(row.line);
    else if (paired < lines.length) paired++;
    else yield row;
  }
  yield* unpaired();
}
