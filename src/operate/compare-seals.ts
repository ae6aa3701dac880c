import type { Archive } from '../ledger/archives/archive.ts';
import { changeId } from '../ledger/changes/change.ts';
import { NO_SEAL, sealAfter } from '../ledger/seals/seal.ts';
import type { Disagreement } from './disagreement.ts';
import { restOf, sealedTextOf } from './row-up-to.ts';
import type { VerifyReader } from './verify-reader.ts';

export interface HistorySeal {
  sequence: number;
  id: string | null;
  seal: string;
}

export interface KeptSeal extends HistorySeal {
  account: string;
  floorSequence?: number;
  rest?: string;
}

/**
 * `archived`: nothing was compared, because the kept seal is from before `floorSequence`, the archive's end.
 * `partial`: the seals are equal, but only changes after `floorSequence` were compared.
 */
export type SealComparison = 'same' | 'partial' | 'archived' | 'altered' | 'replaced' | 'missing';

export interface SealedChange {
  sequence: number;
  id: string;
  text: string;
}

export interface ArchivedChanges {
  read(account: string, after: number, upTo: number): SealedChange[];
}

const CHANGES_PER_READ = 1000;

/** Without `archived`, only the seals of changes above `floorSequence` can be computed. */
export async function compareSeals(
  reader: VerifyReader,
  account: string,
  kept: readonly KeptSeal[],
  archived?: ArchivedChanges,
): Promise<[KeptSeal, SealComparison][]> {
  const rows = readRows(reader, account);
  const read: ReadSealed =
    archived === undefined
      ? rows
      : async (after, upTo) => {
          // If "transactions archive" was interrupted, the database still has changes that are in `archived`.
          const changes = [...archived.read(account, after, upTo), ...(await rows(after, upTo))];
          const byNumber = new Map(changes.map((change) => [change.sequence, change]));
          return [...byNumber.values()].sort((left, right) => left.sequence - right.sequence);
        };
  for (;;) {
    const archive = await reader.readArchive(account);
    const floor = archived === undefined ? archive : undefined;
    const rest = floor && (await restOf(reader, account, floor));
    let reached = floor === undefined ? BEGINNING : sealOfFloor(account, floor);
    const compared: [KeptSeal, SealComparison][] = [];
    for (const one of kept.toSorted((left, right) => left.sequence - right.sequence)) {
      reached = await sealThrough(read, reached, one.sequence);
      const comparison = compare(one, reached);
      compared.push([one, comparison === 'same' ? compareRest(one, floor?.floorSequence, rest) : comparison]);
    }
    // If changes were archived during the comparison, they look missing, so the comparison is repeated.
    if ((await reader.readArchive(account))?.floorSequence === archive?.floorSequence) return compared;
  }
}

const BEGINNING: HistorySeal = { sequence: 0, id: null, seal: NO_SEAL };

const sealOfFloor = (account: string, { floorSequence, floorNonce, floorSeal }: Archive): HistorySeal => ({
  sequence: floorSequence,
  id: changeId(account, { sequence: floorSequence, nonce: floorNonce }),
  seal: floorSeal,
});

type ReadSealed = (after: number, upTo: number) => Promise<SealedChange[]>;

const readRows =
  (reader: Pick<VerifyReader, 'readFeed'>, account: string): ReadSealed =>
  async (after, upTo) =>
    (await reader.readFeed(account, after, upTo)).map((change) => ({
      sequence: change.sequence,
      id: changeId(account, change),
      text: sealedTextOf(account, change),
    }));

/** Returns the seal at `sequence`, or at the last change before a gap. */
export const sealFrom = (
  reader: Pick<VerifyReader, 'readFeed'>,
  account: string,
  from: HistorySeal,
  sequence: number,
): Promise<HistorySeal> => sealThrough(readRows(reader, account), from, sequence);

async function sealThrough(read: ReadSealed, from: HistorySeal, sequence: number): Promise<HistorySeal> {
  let reached = from;
  for (let isWhole = true; isWhole && reached.sequence < sequence; ) {
    const upTo = Math.min(sequence, reached.sequence + CHANGES_PER_READ);
    for (const { sequence: next, id, text } of await read(reached.sequence, upTo)) {
      if (next !== reached.sequence + 1) break;
      reached = { sequence: next, id, seal: sealAfter(reached.seal, text) };
    }
    isWhole = reached.sequence === upTo;
  }
  return reached;
}

function compare(kept: KeptSeal, { sequence, seal, id }: HistorySeal): SealComparison {
  if (kept.sequence < sequence) return 'archived';
  if (kept.sequence > sequence) return 'missing';
  if (kept.id !== id) return 'replaced';
  return kept.seal === seal ? 'same' : 'altered';
}

function compareRest(
  kept: KeptSeal,
  floorSequence: number | undefined,
  rest: string | undefined,
): SealComparison {
  if (rest === undefined) return 'same';
  if (kept.floorSequence !== floorSequence) return 'partial';
  return kept.rest === rest ? 'same' : 'altered';
}

const FOUND: Readonly<Record<Exclude<SealComparison, 'same' | 'partial' | 'archived'>, string>> = {
  altered: 'changes up to it with other values than those that were sealed',
  replaced: 'a change with another id: the database was restored since, or replaced by another database',
  missing: 'no such change, or one before it is missing',
};

export function sealDisagreement(
  { account, sequence, seal }: KeptSeal,
  comparison: SealComparison,
): Disagreement | undefined {
  if (comparison === 'same' || comparison === 'partial' || comparison === 'archived') return undefined;
  return {
    check: 'seals',
    account,
    place: `kept seal at the sequence number ${sequence}`,
    found: FOUND[comparison],
    expected: `the changes that lead to ${seal}`,
  };
}
