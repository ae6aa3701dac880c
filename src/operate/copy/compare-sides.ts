import { formatChange } from '../../ledger/changes/change.ts';
import { BLOCK_CHANGES, NO_SEAL, sealedText } from '../../ledger/seals/seal.ts';
import { type HistorySeal, sealFrom } from '../verify/compare-seals.ts';
import { headPairs } from './copy-changes.ts';
import type { CopyContext } from './copy-context.ts';
import { type Contradiction, Contradictions } from './copy-context.ts';
import type { AccountHead, CopyReader } from './copy-reader.ts';

export interface ComparedSides {
  /** The accounts that have a change on both sides, and these changes. */
  accounts: number;
  changes: number;
  /** Changes that one side alone has: the source records. They were not compared. */
  behind: number;
}

/** A seal of fewer changes is computed again. */
const MIN_KEPT = 1000;
const CHANGES_PER_READ = 1000;

const NOTHING_SEALED: HistorySeal = { sequence: 0, id: null, seal: NO_SEAL };

/**
 * Compares the seal of each account at its head, or at the lower one if a side has more changes: equal seals are equal changes. Changes that a
 * side has not sealed are read.
 *
 * Throws: TargetContradicts.
 */
export async function compareSides(context: CopyContext): Promise<ComparedSides> {
  const { computed } = context;
  const compared: ComparedSides = { accounts: 0, changes: 0, behind: 0 };
  const contradictions = new Contradictions();
  for await (const { account, source, target } of headPairs(context)) {
    compared.behind += Math.abs((source?.head ?? 0) - (target?.head ?? 0));
    const head = Math.min(source?.head ?? 0, target?.head ?? 0);
    if (source !== undefined && target !== undefined && head > 0) {
      compared.accounts++;
      compared.changes += head;
      const ours = await sealAt(context.source, source, head, computed.get(account));
      if (head - source.sealedSequence >= MIN_KEPT) computed.set(account, ours);
      const theirs = await sealAt(context.targetReader, target, head);
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

/** The seal of an account at a change, computed from the last one that is known before it. */
async function sealAt(
  reader: CopyReader,
  { account, sealedSequence, seal }: AccountHead,
  sequence: number,
  known: HistorySeal = NOTHING_SEALED,
): Promise<HistorySeal> {
  const stored =
    sealedSequence <= sequence
      ? { sequence: sealedSequence, id: null, seal }
      : await sealBefore(reader, account, sequence);
  const isBetter = known.sequence > stored.sequence && known.sequence <= sequence;
  return sealFrom(reader, account, isBetter ? known : stored, sequence);
}

/** The seal of the last whole block up to a change; without one, that of the floor. */
async function sealBefore(reader: CopyReader, account: string, sequence: number): Promise<HistorySeal> {
  const last = sequence - (sequence % BLOCK_CHANGES);
  const [block] = await reader.readSealBlocks(account, last - 1, last);
  if (block !== undefined) return { sequence: last, id: null, seal: block.seal };
  const { floorSequence = 0, floorSeal = NO_SEAL } = (await reader.readArchive(account)) ?? {};
  return floorSequence <= sequence ? { sequence: floorSequence, id: null, seal: floorSeal } : NOTHING_SEALED;
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
