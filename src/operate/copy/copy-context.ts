import type { Sealer, UnsealedLister } from '../../ledger/seals/seals.ts';
import type { HistorySeal } from '../verify/compare-seals.ts';
import type { CopyReader } from './copy-reader.ts';
import type { CopyTarget } from './copy-target.ts';

/** How much was copied so far. */
export interface CopiedCounts {
  /** Changes of transactions. */
  changes: number;
  /** Records of small tables that were written or deleted. */
  records: number;
}

/** What every step of a copy works with. */
export interface CopyContext {
  readonly source: CopyReader;
  readonly target: CopyTarget;
  readonly targetReader: CopyReader;
  /** Seals the target. */
  readonly targetStore: Sealer & UnsealedLister;
  readonly copied: CopiedCounts;
  /** The accounts whose changes were copied since their idempotency keys were; null for all. */
  moved: Set<string> | null;
  /** Seals of the source of many changes that it had not sealed. */
  readonly computed: Map<string, HistorySeal>;
  /** Whether a stop was requested: the step ends when what is in flight is written. */
  isStopped(): boolean;
  monotonicMs(): number;
  onProgress(): void;
}

/** The copy can't go on until the operator changes something. The message is a sentence for the operator. */
export class CopyFailed extends Error {
  override readonly name = 'CopyFailed';
}

/** The error of a target that refuses changes. `what` is what it has. */
export const refusedChanges = (what: string): CopyFailed =>
  new CopyFailed(
    `The target refuses changes of the source: ${what}. Something else than this copy wrote to it. Copy into an empty database.`,
  );
