import { changeId } from '../../ledger/changes/change.ts';
import { changesIn, rowUpTo } from '../row-up-to.ts';
import type { StoredRow } from '../stored-rows.ts';
import { closedInCopyError, type HeadPair, headPairs, isSameLife } from './account-heads.ts';
import { beginAccount } from './begin-account.ts';
import { type Contradiction, type CopyContext, CopyFailed, TargetContradicts } from './copy-context.ts';
import type { AccountHead, ChangeRange, CopyReader } from './copy-reader.ts';
import type { ChangeChunk } from './copy-target.ts';

/** Reading or writing this many changes takes a few tens of milliseconds. */
const CHANGES_PER_WRITE = 4000;
const ACCOUNTS_PER_WRITE = 200;

export interface Round {
  changes: number;
  accounts: number;
}

/** An account that was erased or archived since it was copied is copied again from its beginning. */
export async function copyChanges(context: CopyContext): Promise<Round> {
  const { source, target, copied } = context;
  const round: Round = { changes: 0, accounts: 0 };
  const batches = inBatches(missingRanges(context, round));
  let recent: RangeOf<AccountHead>[][] = [];
  const next = async () => {
    const { done, value: ranges } = await batches.next();
    if (done === true || context.isStopped()) return undefined;
    recent = [...recent.slice(-target.writesInFlight), ranges];
    return readChunks(source, ranges);
  };
  const inFlight: { chunks: readonly ChangeChunk[]; writing: Promise<void> }[] = [];
  let reading = next();
  try {
    for (;;) {
      const read = await reading;
      if (read !== undefined) {
        const writing = target.writeChanges(read);
        // Rejections are handled where the promise is awaited.
        writing.catch(() => {});
        inFlight.push({ chunks: read, writing });
        reading = next();
        reading.catch(() => {});
        if (inFlight.length < target.writesInFlight) continue;
      }
      const first = inFlight.shift();
      if (first === undefined) return round;
      await first.writing;
      for (const { after, upTo } of first.chunks) copied.changes += upTo - after;
      context.onProgress();
    }
  } catch (error) {
    if (!(error instanceof CopyFailed || error instanceof TargetContradicts)) throw error;
    await Promise.allSettled([reading, ...inFlight.map(({ writing }) => writing)]);
    for (const { head } of recent.flat()) {
      if (!(await isStill(source, head))) return round;
      const here = await context.targetReader.findHead(head.account);
      await refuseOther(context, { account: head.account, source: head, target: here });
    }
    throw error;
  } finally {
    await Promise.allSettled([reading, ...inFlight.map(({ writing }) => writing)]);
  }
}

export type RangeOf<Head> = ChangeRange & { head: Head };

async function* missingRanges(context: CopyContext, round: Round): AsyncGenerator<RangeOf<AccountHead>> {
  for await (const pair of headPairs(context)) {
    const { account, source, target } = pair;
    if (source?.isClosed === true) continue;
    let after = target?.head ?? 0;
    const isSame = isSameLife(source, target);
    if (!isSame) await refuseOther(context, pair);
    else refuseMore(pair);
    if (source === undefined) continue;
    if (!isSame) {
      if (!(await beginAccount(context, source, target))) continue;
      after = 0;
    }
    if (after === source.head) continue;
    round.accounts++;
    round.changes += source.head - after;
    if (context.compareAgainAfter?.has(account) === false) context.compareAgainAfter.set(account, after);
    yield { account, after, upTo: source.head, head: source };
  }
}

/** Throws if the target has a change, an archive or an erasure of the account that the source lacks. */
export function refuseMore({ account, source, target }: HeadPair): void {
  const [erased, copiedErased] = [source?.erasedAtMs ?? 0, target?.erasedAtMs ?? 0];
  // If the source has erased the account since the copy, the target may have more changes than the source.
  if (erased > copiedErased) return;
  const compare = (place: string, there = 0, here = 0) => {
    if (here > there) contradict({ account, place, source: String(there), target: String(here) });
  };
  compare('time of the erasure', erased, copiedErased);
  compare('head sequence', source?.head, target?.head);
  compare('archived sequence', source?.floorSequence, target?.floorSequence);
}

async function refuseOther(context: CopyContext, pair: HeadPair): Promise<void> {
  refuseMore(pair);
  const { account, source, target } = pair;
  // If the last change of the target is not above `floorSequence`, the source may have archived this change.
  if (source === undefined || target === undefined || target.head <= source.floorSequence) return;
  if (source.erasedAtMs !== target.erasedAtMs) return;
  const range = { account, after: target.head - 1, upTo: target.head };
  const [sourceNonce, targetNonce] = await Promise.all(
    [context.source, context.targetReader].map(async (reader) =>
      nonceIn((await reader.readChanges([range]))[0] ?? [], target.head),
    ),
  );
  // `targetNonce` is undefined if an earlier run was interrupted while `beginAccount` emptied the account.
  if (targetNonce === undefined || targetNonce === sourceNonce) return;
  if (await isStill(context.source, source)) contradictChange(account, target.head, sourceNonce, targetNonce);
}

function contradict(contradiction: Contradiction): never {
  throw new TargetContradicts(contradiction);
}

const contradictChange = (account: string, sequence: number, source?: number, target?: number): never =>
  contradict({
    ...{ account, place: `change ${sequence}` },
    ...{ source: shownId(account, sequence, source), target: shownId(account, sequence, target) },
  });

const shownId = (account: string, sequence: number, nonce: number | undefined): string =>
  nonce === undefined ? 'no such change' : `id ${changeId(account, { sequence, nonce })}`;

export async function isStill(reader: CopyReader, head: AccountHead | undefined): Promise<boolean> {
  if (head === undefined) return true;
  const now = await reader.findHead(head.account);
  return now?.isClosed === false && isSameLife(now, head);
}

/** Each account has at most one range in a batch. */
export async function* inBatches<Head>(
  ranges: AsyncIterable<RangeOf<Head>>,
): AsyncGenerator<RangeOf<Head>[]> {
  let batch: RangeOf<Head>[] = [];
  let size = 0;
  for await (const { account, after: begin, upTo: end, head } of ranges)
    for (let after = begin; after < end; ) {
      const upTo = Math.min(end, after + CHANGES_PER_WRITE - size);
      batch.push({ account, after, upTo, head });
      size += upTo - after;
      after = upTo;
      if (size < CHANGES_PER_WRITE && batch.length < ACCOUNTS_PER_WRITE) continue;
      yield batch;
      batch = [];
      size = 0;
    }
  if (batch.length > 0) yield batch;
}

async function readChunks(
  source: CopyReader,
  ranges: readonly RangeOf<AccountHead>[],
): Promise<ChangeChunk[]> {
  // Also reads the change at `after`, so that `writeChanges` can compare its nonce.
  const read = await source.readChanges(
    ranges.map(({ account, after, upTo }) => ({ account, after: Math.max(0, after - 1), upTo })),
  );
  return ranges.map(({ account, after, upTo, head: { floorSequence } }, index) => {
    const found = read[index] ?? [];
    const rows = found.flatMap((row) => {
      const then = rowUpTo(row, upTo);
      return then !== undefined && changesIn(then, after, upTo) > 0 ? [then] : [];
    });
    const numbers = new Set(found.flatMap((row) => [row.pendingSequence, row.finalSequence]));
    // The source may have archived changes up to its `floorSequence`, so they are not required.
    for (let sequence = Math.max(after, floorSequence + 1, 1); sequence <= upTo; sequence++)
      if (!numbers.has(sequence)) contradictChange(account, sequence);
    return {
      account,
      after,
      upTo,
      afterNonce: after > floorSequence ? nonceIn(found, after) : undefined,
      rows,
    };
  });
}

function nonceIn(rows: readonly StoredRow[], sequence: number): number | undefined {
  for (const { pendingSequence, pendingNonce, finalSequence, finalNonce } of rows) {
    if (pendingSequence === sequence) return pendingNonce as number;
    if (finalSequence === sequence) return finalNonce as number;
  }
  return undefined;
}

/** An account that is being erased has already lost some rows, so it cannot be copied. */
export async function refuseClosed(context: CopyContext): Promise<void> {
  for await (const { account, source } of headPairs(context))
    if (source?.isClosed === true) throw closedInCopyError('source', account);
}
