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
  compareAgainAfter: Map<string, number> | null;
  isStopped(): boolean;
  monotonicMs(): number;
  onProgress(): void;
}

export class CopyFailed extends CommandFailed {}

export const refusedChanges = (what: string): CopyFailed =>
  new CopyFailed(
    `The target refuses changes of the source: ${what}. Another program than this copy wrote to it. Copy into an empty database.`,
  );

export interface Contradiction {
  account: string;
  place: string;
  source: string;
  target: string;
}

export class TargetContradicts extends Error {
  override readonly name = 'TargetContradicts';
  readonly contradiction: Contradiction;

  constructor(contradiction: Contradiction) {
    super(`the target contradicts the source in the account ${contradiction.account}`);
    this.contradiction = contradiction;
  }
}
