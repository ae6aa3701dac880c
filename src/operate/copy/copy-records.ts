import { TABLES } from '../../values/tables.ts';
import { readAllRecords } from '../verify/read-rows.ts';
import { textOf } from '../verify/record-rules.ts';
import type { StoredRecord, VerifyReader } from '../verify/verify-reader.ts';
import { type Contradiction, Contradictions } from './contradiction.ts';
import { type CopiedRules, isMoreThanUse, mergedRecord, recordContradictions } from './copied-tables.ts';
import { copyAccount } from './copy-changes.ts';
import type { CopyContext } from './copy-context.ts';
import { mergePages } from './merge-pages.ts';

/** What a merge of a table found. */
interface MergedRecords {
  /** Records of the source. */
  records: number;
  /** Differences that were written to the target, without those of the last use alone. */
  written: number;
}

/**
 * Makes a small table of the target that of the source: reads both in the order of the key. Nothing is written after the first page with a
 * contradiction, and nothing of that page.
 *
 * Throws: TargetContradicts if there are any.
 */
export async function copyRecords(context: CopyContext, rules: CopiedRules): Promise<MergedRecords> {
  const { source, target, targetReader, copied, onProgress } = context;
  const contradictions = new Contradictions();
  const merged: MergedRecords = { records: 0, written: 0 };
  for await (const step of mergedSteps(rules, source, targetReader, { isMarked: true })) {
    contradictions.add(...step.contradictions);
    merged.records += step.records;
    if (contradictions.count > 0) continue;
    for (const record of step.stored) await copyChangesBefore(context, rules, record);
    if (step.stored.length > 0) await target.writeRecords(rules.table, step.stored);
    // At the end, the account is compared again, and the details are removed from the target.
    for (const { action, account } of step.stored)
      if (action === 'details.removed') context.checked.drop(String(account));
    if (step.removed.length > 0) await target.deleteRecords(rules.table, step.removed);
    copied.records += step.stored.length + step.removed.length;
    merged.written += step.differences;
    onProgress();
    if (context.isStopped()) break;
  }
  contradictions.refuse();
  return merged;
}

/** Finds what contradicts in a small table of a target that no copy has marked, and writes nothing. */
export async function findRecordContradictions(
  source: VerifyReader,
  target: VerifyReader,
  rules: CopiedRules,
  contradictions: Contradictions,
): Promise<void> {
  for await (const step of mergedSteps(rules, source, target, { isMarked: false }))
    contradictions.add(...step.contradictions);
}

/** A number of a record can be beyond the head of the target, because the source has gone on. */
async function copyChangesBefore(
  context: CopyContext,
  { sequence }: CopiedRules,
  record: StoredRecord,
): Promise<void> {
  if (sequence === undefined) return;
  const account = textOf(record['account']);
  const { head } = await context.targetReader.readHead(account);
  if (Number(record[sequence]) > (head ?? 0)) await copyAccount(context, account);
}

interface Step {
  records: number;
  stored: StoredRecord[];
  removed: (string | number)[][];
  differences: number;
  contradictions: Contradiction[];
}

async function* readCopied(
  reader: VerifyReader,
  { table, stays }: CopiedRules,
): AsyncGenerator<StoredRecord[], undefined> {
  for await (const records of readAllRecords(reader, table, null))
    yield stays === undefined ? records : records.filter((record) => !stays(record));
  return undefined;
}

async function* mergedSteps(
  rules: CopiedRules,
  source: VerifyReader,
  target: VerifyReader,
  { isMarked }: { isMarked: boolean },
): AsyncGenerator<Step, undefined> {
  const pages = mergePages(readCopied(source, rules), readCopied(target, rules), byKey(rules));
  const isDeleted =
    rules.missing === 'deletion' || (isMarked && rules.missing === 'contradiction before the mark');
  for await (const pairs of pages) {
    const step: Step = { records: 0, stored: [], removed: [], differences: 0, contradictions: [] };
    for (const [ours, theirs] of pairs) {
      if (ours !== undefined) step.records++;
      if (theirs === undefined) step.stored.push(ours as StoredRecord);
      else if (ours !== undefined) mergeRecord(rules, ours, theirs, step);
      else if (isDeleted)
        step.removed.push(TABLES[rules.table].key.map((column) => theirs[column] as string | number));
      else step.contradictions.push(contradiction(rules, theirs, 'nothing', 'there'));
      if (ours === undefined || theirs === undefined) step.differences++;
    }
    yield step;
  }
  return undefined;
}

function mergeRecord(rules: CopiedRules, ours: StoredRecord, theirs: StoredRecord, step: Step): void {
  const found = recordContradictions(rules, ours, theirs);
  for (const [source, target] of found)
    step.contradictions.push(contradiction(rules, theirs, source, target));
  if (found.length > 0) return;
  const merged = mergedRecord(rules, ours, theirs);
  if (merged === undefined) return;
  step.stored.push(merged);
  if (isMoreThanUse(rules, ours, theirs)) step.differences++;
}

function contradiction({ place }: CopiedRules, record: StoredRecord, source: string, target: string) {
  const { account } = record;
  return { account: account === undefined ? null : textOf(account), place: place(record), source, target };
}

/** Texts are compared by bytes: those of a key are ASCII. */
const byKey =
  ({ table }: CopiedRules) =>
  (left: StoredRecord, right: StoredRecord): number => {
    for (const column of TABLES[table].key) {
      const [ours, theirs] = [left[column] ?? '', right[column] ?? ''];
      if (ours !== theirs) return ours < theirs ? -1 : 1;
    }
    return 0;
  };
