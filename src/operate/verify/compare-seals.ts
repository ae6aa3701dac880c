import type { Archive } from '../../ledger/archives/archive.ts';
import { changeId } from '../../ledger/changes/change.ts';
import { NO_SEAL, sealAfter } from '../../ledger/seals/seal.ts';
import { sealedTextOf } from './check-seals.ts';
import type { Disagreement } from './disagreement.ts';
import type { VerifyReader } from './verify-reader.ts';

/** The seal that the changes of an account lead to. */
export interface HistorySeal {
  sequence: number;
  id: string | null;
  seal: string;
}

/** A line of `transactions seals` that was kept elsewhere. */
export interface KeptSeal extends HistorySeal {
  account: string;
}

/**
 * `same`: the history still leads to the seal. `archived`: the change is below the floor of the account, so that the seal cannot be
 * computed. Otherwise it does not: the changes up to it are other ones (`altered`), its change has another id (`replaced`), or the account
 * has no such change (`missing`).
 */
export type SealComparison = 'same' | 'archived' | 'altered' | 'replaced' | 'missing';

const CHANGES_PER_READ = 1000;

/** Compares kept seals of an account with those that its history leads to now, in the order of their numbers. */
export async function compareSeals(
  reader: VerifyReader,
  account: string,
  kept: readonly KeptSeal[],
): Promise<[KeptSeal, SealComparison][]> {
  for (;;) {
    const archive = await reader.readArchive(account);
    const compared = await compareFrom(reader, archive, account, kept);
    // What was archived meanwhile is not missing.
    if ((await reader.readArchive(account))?.floorSequence === archive?.floorSequence) return compared;
  }
}

async function compareFrom(
  reader: VerifyReader,
  archive: Archive | undefined,
  account: string,
  kept: readonly KeptSeal[],
): Promise<[KeptSeal, SealComparison][]> {
  const { floorSequence: sequence, floorNonce: nonce, floorSeal: seal } = archive ?? NO_ARCHIVE;
  let reached: HistorySeal = {
    sequence,
    id: sequence === 0 ? null : changeId(account, { sequence, nonce }),
    seal,
  };
  const compared: [KeptSeal, SealComparison][] = [];
  for (const one of kept.toSorted((left, right) => left.sequence - right.sequence)) {
    reached = await sealFrom(reader, account, reached, one.sequence);
    compared.push([one, compare(one, reached)]);
  }
  return compared;
}

/** The seal of an account at a change, from the one at an earlier change; at an earlier one than it if a change between them is missing. */
export async function sealFrom(
  reader: Pick<VerifyReader, 'readFeed'>,
  account: string,
  from: HistorySeal,
  sequence: number,
): Promise<HistorySeal> {
  let reached = from;
  for (let isWhole = true; isWhole && reached.sequence < sequence; ) {
    const upTo = Math.min(sequence, reached.sequence + CHANGES_PER_READ);
    for (const change of await reader.readFeed(account, reached.sequence, upTo)) {
      if (change.sequence !== reached.sequence + 1) break;
      const seal = sealAfter(reached.seal, sealedTextOf(account, change));
      reached = { sequence: change.sequence, id: changeId(account, change), seal };
    }
    isWhole = reached.sequence === upTo;
  }
  return reached;
}

const NO_ARCHIVE = { floorSequence: 0, floorNonce: 0, floorSeal: NO_SEAL };

function compare(kept: KeptSeal, { sequence, seal, id }: HistorySeal): SealComparison {
  if (kept.sequence < sequence) return 'archived';
  if (kept.sequence > sequence) return 'missing';
  if (kept.id !== id) return 'replaced';
  return kept.seal === seal ? 'same' : 'altered';
}

const FOUND: Readonly<Record<Exclude<SealComparison, 'same' | 'archived'>, string>> = {
  altered: 'changes up to it with other values than those that were sealed',
  replaced: 'a change with another id: the database was restored since, or another one has its place',
  missing: 'no such change, or one before it is missing',
};

/** What is wrong with a kept seal to which the history does not lead; undefined for the others. */
export function sealDisagreement(
  { account, sequence, seal }: KeptSeal,
  comparison: SealComparison,
): Disagreement | undefined {
  if (comparison === 'same' || comparison === 'archived') return undefined;
  return {
    check: 'seals',
    account,
    place: `kept seal at the sequence number ${sequence}`,
    found: FOUND[comparison],
    expected: `the changes that lead to ${seal}`,
  };
}
