import { CommandFailed } from '../../../values/failure.ts';
import type { Sealer, UnsealedLister } from '../../ledger/seals/seals.ts';
import type { CopyReader } from './copy-reader.ts';
import type { CopyTarget } from './copy-target.ts';

export interface CopiedCounts {
  changes: number;
  records: number;
}

export interface CopyContext {
  readonly source: CopyReader;
  readonly target: CopyTarget;
  readonly targetReader: CopyReader;
  readonly targetStore: Sealer & UnsealedLister;
  readonly copied: CopiedCounts;
  /** By account, the number after which rows were written since the first comparison; null before that. */
  written: Map<string, number> | null;
  /** True if a stop was requested: the step ends when what is in flight is written. */
  isStopped(): boolean;
  monotonicMs(): number;
  onProgress(): void;
}

/** The copy can't continue until the operator changes something. The message tells the operator what. */
export class CopyFailed extends CommandFailed {}

export const refusedChanges = (what: string): CopyFailed =>
  new CopyFailed(
    `The target refuses changes of the source: ${what}. Another program than this copy wrote to it. Copy into an empty database.`,
  );

/** A row of the target that can't be a copy of the source in its current state. */
export interface Contradiction {
  account: string;
  /** For example `head sequence` or `change 7`. */
  place: string;
  /** The value on each side. Never a secret. */
  source: string;
  target: string;
}

/** The target contradicts the source. The copy did not overwrite the contradicting rows. */
export class TargetContradicts extends Error {
  override readonly name = 'TargetContradicts';
  readonly contradiction: Contradiction;

  constructor(contradiction: Contradiction) {
    super(`the target contradicts the source in the account ${contradiction.account}`);
    this.contradiction = contradiction;
  }
}
