import { changeId } from '../../ledger/changes/change-id.ts';
import type { StoredRow } from '../verify/verify-reader.ts';
import { type Contradiction, Contradictions } from './contradiction.ts';
import type { ChangeRange, CopyReader } from './copy-reader.ts';
import { headPages } from './heads.ts';

/** The range of one change. */
export const rangeOf = (account: string, sequence: number): ChangeRange => ({
  account,
  after: sequence - 1,
  upTo: sequence,
});

/** The nonce of the change at a number, from the rows of a range that has it; undefined if there is none. */
export function nonceIn(rows: readonly StoredRow[], sequence: number): number | undefined {
  for (const { pendingSequence, pendingNonce, finalSequence, finalNonce } of rows) {
    if (pendingSequence === sequence) return pendingNonce as number;
    if (finalSequence === sequence) return finalNonce as number;
  }
  return undefined;
}

/** Both sides have another change at a number: their histories are not the same up to it, because the source was restored. */
export function historyContradiction(
  account: string,
  sequence: number,
  source: number | undefined,
  target: number | undefined,
): Contradiction {
  const shown = (nonce: number | undefined) =>
    nonce === undefined ? 'no such change' : `id ${changeId(account, { sequence, nonce })}`;
  return {
    account,
    place: `change ${sequence}`,
    source: shown(source),
    target: shown(target),
  };
}

/**
 * Compares the last change of each account of the target with that of the source. Changes before one that is the same are the same too.
 *
 * Throws: TargetContradicts.
 */
export async function compareHistories(source: CopyReader, target: CopyReader): Promise<void> {
  const contradictions = new Contradictions();
  for await (const heads of headPages(target)) {
    const ranges = heads.filter(({ head }) => head > 0).map(({ account, head }) => rangeOf(account, head));
    const [ours, theirs] = await Promise.all([source.readChanges(ranges), target.readChanges(ranges)]);
    for (const [index, { account, upTo }] of ranges.entries()) {
      const [sourceNonce, targetNonce] = [ours, theirs].map((rows) => nonceIn(rows[index] ?? [], upTo));
      if (sourceNonce !== targetNonce)
        contradictions.add(historyContradiction(account, upTo, sourceNonce, targetNonce));
    }
  }
  contradictions.refuse();
}
