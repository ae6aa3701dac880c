import { rowUpTo } from '../row-up-to.ts';
import { readAllRecords, STORED_FIELDS, type StoredField, type StoredRow } from '../stored-rows.ts';
import { headPairs, isSameLife } from './account-heads.ts';
import { inBatches, isStill, type RangeOf } from './copy-changes.ts';
import { type CopyContext, TargetContradicts } from './copy-context.ts';
import type { AccountHead } from './copy-reader.ts';
import type { CopyStatement } from './copy-target.ts';

const REMOVED: readonly StoredField[] = ['details', 'finalDetails', 'detailsRemovedAtMs'];

/**
 * Compares the copied transactions. With { 'store-1' => 40 } as `startAfter`, only the account store-1 is
 * compared, from change 41 on. With null, everything is compared. Details that the source has removed since
 * the copy are removed from the target too.
 */
export async function compareRows(
  context: CopyContext,
  startAfter: ReadonlyMap<string, number> | null,
): Promise<void> {
  const { source, targetReader } = context;
  for await (const ranges of inBatches(copiedRanges(context, startAfter))) {
    if (context.isStopped()) return;
    const [ours, theirs] = await Promise.all([source.readChanges(ranges), targetReader.readChanges(ranges)]);
    for (const [at, { account, head }] of ranges.entries()) {
      const then = (ours[at] ?? []).flatMap((row) => rowUpTo(row, head.copied) ?? []);
      await compare(context, {
        account,
        ours: then,
        theirs: theirs[at] ?? [],
        isStill: () => isStill(source, head),
      });
    }
    context.onProgress();
  }
}

/** Compares the transactions whose details were removed. The source's audit trail lists their references. */
export async function compareRemoved(context: CopyContext): Promise<void> {
  const { source, targetReader } = context;
  for await (const entries of readAllRecords(source, 'account_audit', null)) {
    const removals = entries.filter(({ action }) => action === 'details.removed');
    const references = Map.groupBy(removals, (entry) => String(entry['account']));
    for (const [account, some] of references) {
      const subjects = [...new Set(some.map(({ subject }) => String(subject)))];
      const head = await targetReader.findHead(account);
      const [ours = [], theirs = []] = await Promise.all(
        [source, targetReader].map((reader) => reader.findRows(account, subjects)),
      );
      const then = ours.flatMap((row) => rowUpTo(row, head?.head ?? 0) ?? []);
      await compare(context, { account, ours: then, theirs, isStill: () => isStill(source, head) });
    }
  }
}

async function* copiedRanges(
  context: CopyContext,
  startAfter: ReadonlyMap<string, number> | null,
): AsyncGenerator<RangeOf<AccountHead & { copied: number }>> {
  for await (const { account, source, target } of headPairs(context)) {
    const after = startAfter === null ? 0 : startAfter.get(account);
    if (after === undefined || source === undefined || target === undefined) continue;
    if (source.isClosed || !isSameLife(source, target)) continue;
    yield { account, after, upTo: target.head, head: { ...source, copied: target.head } };
  }
}

interface Compared {
  account: string;
  ours: readonly StoredRow[];
  theirs: readonly StoredRow[];
  isStill(): Promise<boolean>;
}

async function compare({ target }: CopyContext, compared: Compared): Promise<void> {
  const { account, ours, theirs, isStill } = compared;
  const left = new Map(theirs.map((row) => [row.reference, row]));
  const removals: CopyStatement[] = [];
  const different: string[] = [];
  for (const row of ours) {
    const copied = left.get(row.reference);
    left.delete(row.reference);
    const fields = STORED_FIELDS.filter((field) => row[field] !== copied?.[field]);
    if (fields.length === 0) continue;
    if (copied?.detailsRemovedAtMs === null && row.detailsRemovedAtMs !== null && fields.every(isRemoved))
      removals.push({ text: REMOVE, values: [row.detailsRemovedAtMs, account, row.reference] });
    else different.push(row.reference);
  }
  const [reference] = [...different, ...left.keys()];
  if (reference !== undefined && (await isStill())) {
    const [there, here] = [ours, theirs].map((rows) => rows.find((row) => row.reference === reference));
    const fields = STORED_FIELDS.filter((field) => there?.[field] !== here?.[field]).join(', ');
    throw new TargetContradicts({
      ...{ account, place: `transaction ${reference}` },
      source: there === undefined ? 'none' : here === undefined ? 'one' : `other values of ${fields}`,
      target: here === undefined ? 'none' : 'one',
    });
  }
  if (removals.length > 0) await target.run(removals);
}

const isRemoved = (field: StoredField) => REMOVED.includes(field);

const REMOVE =
  'UPDATE transactions SET details = NULL, final_details = NULL, details_removed_at_ms = $1 WHERE account = $2 AND reference = $3';
