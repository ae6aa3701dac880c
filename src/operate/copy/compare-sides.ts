import { formatChange } from '../../ledger/changes/format-change.ts';
import { sealedText } from '../../ledger/seals/seal.ts';
import { type HistorySeal, sealFrom } from '../verify/compare-seals.ts';
import { type Contradiction, Contradictions } from './contradiction.ts';
import { headPairs } from './copy-changes.ts';
import type { CopyContext } from './copy-context.ts';
import type { AccountHead, CopyReader } from './copy-reader.ts';

export interface ComparedSides {
  /** The accounts that have a change, and their changes. */
  accounts: number;
  changes: number;
  /** Changes that one side alone has: the source records. Their accounts were not compared. */
  behind: number;
}

/** A seal of fewer changes is computed again. */
const MIN_KEPT = 1000;
const CHANGES_PER_READ = 1000;

/**
 * Compares the head and the seal of each account: equal seals are equal changes. Changes that a side has not sealed are read.
 *
 * Throws: TargetContradicts.
 */
export async function compareSides(context: CopyContext): Promise<ComparedSides> {
  const { computed } = context;
  const compared: ComparedSides = { accounts: 0, changes: 0, behind: 0 };
  const contradictions = new Contradictions();
  for await (const { account, source, target } of headPairs(context)) {
    const [head, copied] = [source?.head ?? 0, target?.head ?? 0];
    if (head !== copied) compared.behind += Math.abs(head - copied);
    else if (source !== undefined && target !== undefined && head > 0) {
      compared.accounts++;
      compared.changes += head;
      const ours = await sealOf(context.source, source, computed.get(account));
      if (head - source.sealedSequence >= MIN_KEPT) computed.set(account, ours);
      const theirs = await sealOf(context.targetReader, target);
      const reached = Math.min(ours.sequence, theirs.sequence);
      // A head without its change is damage, also where both sides have it.
      if (reached < head) contradictions.add(missingChange(account, reached + 1, { ours, theirs }));
      else if (ours.seal !== theirs.seal)
        contradictions.add(await firstDifference(context, account, head, contradictions.isFull));
    }
  }
  contradictions.refuse();
  return compared;
}

/** The seal of an account at its head. */
function sealOf(
  reader: CopyReader,
  { account, head, sealedSequence: sequence, seal }: AccountHead,
  known?: HistorySeal,
): Promise<HistorySeal> {
  const from = known !== undefined && known.sequence > sequence ? known : { sequence, id: null, seal };
  return sealFrom(reader, account, from, head);
}

function missingChange(
  account: string,
  sequence: number,
  { ours, theirs }: Record<'ours' | 'theirs', HistorySeal>,
): Contradiction {
  const [source, target] = [ours, theirs].map((seal) => (seal.sequence < sequence ? 'none' : 'a change'));
  return { account, place: `change ${sequence}`, source, target } as Contradiction;
}

/** The first change that differs, as both sides have it. */
async function firstDifference(
  { source, targetReader }: CopyContext,
  account: string,
  head: number,
  isBrief: boolean,
): Promise<Contradiction> {
  for (let after = 0; after < head && !isBrief; after += CHANGES_PER_READ) {
    const [ours, theirs] = await Promise.all(
      [source, targetReader].map((reader) => readTexts(reader, account, after, after + CHANGES_PER_READ)),
    );
    for (let sequence = after + 1; sequence <= Math.min(head, after + CHANGES_PER_READ); sequence++) {
      const [there, here] = [ours?.get(sequence) ?? 'none', theirs?.get(sequence) ?? 'none'];
      if (there !== here) return { account, place: `change ${sequence}`, source: there, target: here };
    }
  }
  return {
    account,
    place: `seal of change ${head}`,
    source: 'the seal of other changes than those it has now',
    target: 'the seal of the changes that the source has now',
  };
}

async function readTexts(
  reader: CopyReader,
  account: string,
  after: number,
  upTo: number,
): Promise<Map<number, string>> {
  const changes = await reader.readFeed(account, after, upTo);
  return new Map(changes.map((change) => [change.sequence, sealedText(formatChange(account, change))]));
}
