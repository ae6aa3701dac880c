import { BLOCK_CHANGES, NO_SEAL } from '../../ledger/seals/seal.ts';
import { type HistorySeal, sealFrom } from '../compare-seals.ts';
import { headPairs, isSameLife } from './account-heads.ts';
import { refuseMore } from './copy-changes.ts';
import { type CopyContext, TargetContradicts } from './copy-context.ts';
import type { AccountHead, CopyReader } from './copy-reader.ts';

export interface ComparedSides {
  accounts: number;
  changes: number;
  /** The changes that one side lacks, plus 1 for each account that was erased or archived since its copy. */
  behind: number;
}

/** Compares one seal of each account. The seal of a change covers all changes up to it. */
export async function compareSides(context: CopyContext): Promise<ComparedSides> {
  const compared: ComparedSides = { accounts: 0, changes: 0, behind: 0 };
  for await (const pair of headPairs(context)) {
    const { account, source, target } = pair;
    compared.behind += Math.abs((source?.head ?? 0) - (target?.head ?? 0));
    if (!isSameLife(source, target)) compared.behind++;
    const head = Math.min(source?.head ?? 0, target?.head ?? 0);
    if (source === undefined || target === undefined || head === 0) continue;
    // The source may lack changes up to `head` if it has erased the account or archived beyond `head`.
    if (source.erasedAtMs !== target.erasedAtMs || head < source.floorSequence) continue;
    compared.accounts++;
    compared.changes += head;
    const sequence = Math.min(source.sealedSequence, head);
    const [ours, theirs] = await Promise.all([
      sealAt(context.source, source, sequence),
      sealAt(context.targetReader, target, sequence),
    ]);
    if (ours !== theirs)
      throw new TargetContradicts({
        ...{ account, place: `seal of change ${sequence}` },
        ...{ source: ours, target: theirs },
      });
  }
  return compared;
}

export async function refuseOtherTarget(context: CopyContext): Promise<void> {
  for await (const pair of headPairs(context)) refuseMore(pair);
  await compareSides(context);
}

async function sealAt(reader: CopyReader, head: AccountHead, sequence: number): Promise<string> {
  const { account, sealedSequence, seal } = head;
  const known = { sequence: sealedSequence, id: null, seal };
  const from = sealedSequence <= sequence ? known : await sealBefore(reader, account, sequence);
  const reached = await sealFrom(reader, account, from, sequence);
  return reached.sequence === sequence ? reached.seal : `none: the change ${reached.sequence + 1} is missing`;
}

/** Returns the last stored seal up to `sequence`: the seal of a block, or of the end of the archive. */
async function sealBefore(reader: CopyReader, account: string, sequence: number): Promise<HistorySeal> {
  const last = sequence - (sequence % BLOCK_CHANGES);
  const [block] = await reader.readSealBlocks(account, last - 1, last);
  const { floorSequence = 0, floorSeal = NO_SEAL } = (await reader.readArchive(account)) ?? {};
  return block !== undefined && floorSequence <= last
    ? { sequence: last, id: null, seal: block.seal }
    : { sequence: Math.min(floorSequence, sequence), id: null, seal: floorSeal };
}
