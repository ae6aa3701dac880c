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

/** What the target has, and can't have been copied from the source as it is. */
export interface Contradiction {
  account: string;
  /** For example `head sequence` or `change 7`. */
  place: string;
  /** What each side has. Never a secret. */
  source: string;
  target: string;
}

/** How many contradictions are kept. The others are only counted. */
const MAX_KEPT = 20;

/** The contradictions that were found, at most MAX_KEPT of them. */
export class Contradictions {
  readonly kept: Contradiction[] = [];
  count = 0;

  add(...found: readonly Contradiction[]): void {
    this.count += found.length;
    this.kept.push(...found.slice(0, MAX_KEPT - this.kept.length));
  }

  get isFull(): boolean {
    return this.kept.length === MAX_KEPT;
  }

  /** Throws: TargetContradicts if there are any. */
  refuse(): void {
    if (this.count > 0) throw new TargetContradicts(this);
  }
}

/** The target contradicts the source. The copy overwrote nothing that does. */
export class TargetContradicts extends Error {
  override readonly name = 'TargetContradicts';
  readonly contradictions: Contradictions;

  constructor(contradictions: Contradictions) {
    super(`the target contradicts the source in ${contradictions.count} places`);
    this.contradictions = contradictions;
  }
}
