import type { Archive } from '../../ledger/archives/archive.ts';
import { changeId } from '../../ledger/changes/change-id.ts';
import { NO_SEAL, sealAfter } from '../../ledger/seals/seal.ts';
import { textOf } from './check-seals.ts';
import type { Disagreement } from './disagreement.ts';
import type { VerifyReader } from './verify-reader.ts';

/** A line of `transactions seals` that was kept elsewhere. */
export interface KeptSeal {
  account: string;
  sequence: number;
  id: string | null;
  seal: string;
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
  const { floorSequence, floorNonce, floorSeal } = archive ?? NO_ARCHIVE;
  let sequence = floorSequence;
  let seal = floorSeal;
  let id = floorSequence === 0 ? null : changeId(account, { sequence, nonce: floorNonce });
  const compared: [KeptSeal, SealComparison][] = [];
  for (const one of kept.toSorted((left, right) => left.sequence - right.sequence)) {
    for (let isWhole = true; isWhole && sequence < one.sequence; ) {
      const upTo = Math.min(one.sequence, sequence + CHANGES_PER_READ);
      for (const change of await reader.readFeed(account, sequence, upTo)) {
        if (change.sequence !== sequence + 1) break;
        seal = sealAfter(seal, textOf(account, change));
        sequence = change.sequence;
        id = changeId(account, change);
      }
      isWhole = sequence === upTo;
    }
    compared.push([one, compare(one, { sequence, seal, id })]);
  }
  return compared;
}

const NO_ARCHIVE = { floorSequence: 0, floorNonce: 0, floorSeal: NO_SEAL };

function compare(kept: KeptSeal, { sequence, seal, id }: Omit<KeptSeal, 'account'>): SealComparison {
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
