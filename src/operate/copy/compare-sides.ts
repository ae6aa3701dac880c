import { rowUpTo } from '../row-up-to.ts';
import { isRemovedSince, isSameRow } from '../stored-rows.ts';
import { readAllRows } from '../verify/read-rows.ts';
import { accountsAfter } from '../verify/verify.ts';
import type { StoredRow } from '../verify/verify-reader.ts';
import { type Contradictions, headContradiction, missingRow, rowContradictions } from './contradiction.ts';
import type { CopyReader } from './copy-reader.ts';
import { byText, mergePages } from './merge-pages.ts';

const ROWS_PER_READ = 2000;

export interface ComparedSides {
  accounts: number;
  transactions: number;
}

interface CompareOptions {
  /** The accounts to compare. */
  accounts: AsyncIterable<string>;
  contradictions: Contradictions;
  onProgress(compared: ComparedSides): void;
  /** As in `RowsCompared`. */
  onRemoved?: RowsCompared['onRemoved'];
}

interface RowsCompared {
  contradictions: Contradictions;
  /** If it is given, the target is written meanwhile: both sides are compared up to this head, which the target has had. */
  head?: number;
  /** Called with a transaction of the source whose details were removed after it was copied. Everything else of it is equal. */
  onRemoved?: ((account: string, row: StoredRow) => Promise<void>) | undefined;
}

/**
 * Compares the transactions of both sides, up to the heads of the target: what the source recorded after them is left out. The target
 * does not change meanwhile.
 */
export async function compareSides(
  source: CopyReader,
  target: CopyReader,
  { accounts, contradictions, onProgress, onRemoved }: CompareOptions,
): Promise<ComparedSides> {
  const compared: ComparedSides = { accounts: 0, transactions: 0 };
  for await (const account of accounts) {
    for await (const rows of comparedRows(source, target, account, { contradictions, onRemoved })) {
      compared.transactions += rows;
      onProgress(compared);
    }
    compared.accounts++;
  }
  return compared;
}

/** The accounts of both sides after one, whatever table has them. */
export async function* accountsOf(
  source: CopyReader,
  target: CopyReader,
  after = '',
): AsyncGenerator<string, undefined> {
  const pages = mergePages(accountPages(source, after), accountPages(target, after), byText);
  for await (const pairs of pages) for (const [ours, theirs] of pairs) yield ours ?? (theirs as string);
  return undefined;
}

async function* accountPages(reader: CopyReader, after: string): AsyncGenerator<string[], undefined> {
  for await (const account of accountsAfter(reader, after)) yield [account];
  return undefined;
}

/** Compares an account, and yields how many transactions were compared in each step. */
export async function* comparedRows(
  source: CopyReader,
  target: CopyReader,
  account: string,
  { contradictions, head, onRemoved }: RowsCompared,
): AsyncGenerator<number, undefined> {
  // First the target's: the head of the source only grows.
  const upTo = head ?? (await target.readHead(account)).head ?? 0;
  const sourceHead = (await source.readHead(account)).head ?? 0;
  if (sourceHead < upTo) contradictions.add(headContradiction(account, sourceHead, upTo));
  const pages = mergePages(
    rowPages(source, account, (row) => rowsThen(row, upTo)),
    rowPages(target, account, (row) => (head === undefined ? [row] : rowsThen(row, upTo))),
    (left, right) => left.createdAtMs - right.createdAtMs || byText(left.reference, right.reference),
  );
  for await (const pairs of pages) {
    for (const [ours, theirs] of pairs) {
      if (ours !== undefined && theirs !== undefined) {
        if (isRemovedSince(ours, theirs)) await onRemoved?.(account, ours);
        else if (!isSameRow(ours, theirs)) contradictions.add(...rowContradictions(account, ours, theirs));
      } else if (ours !== undefined) contradictions.add(missingRow(account, ours, 'target'));
      else contradictions.add(missingRow(account, theirs as StoredRow, 'source'));
    }
    yield pairs.length;
  }
  return undefined;
}

/** A row as it was at a head of the target: none, or one. A transaction without a number was not copied. */
function rowsThen(row: StoredRow, upTo: number): readonly StoredRow[] {
  if (row.pendingSequence === null && row.finalSequence === null) return [row];
  const then = rowUpTo(row, upTo);
  return then === undefined ? [] : [then];
}

async function* rowPages(
  source: CopyReader,
  account: string,
  shown: (row: StoredRow) => readonly StoredRow[],
): AsyncGenerator<StoredRow[], undefined> {
  for await (const rows of readAllRows(source, account, { pageSize: ROWS_PER_READ }))
    yield rows.flatMap(shown);
  return undefined;
}
