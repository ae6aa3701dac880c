import type { CheckedAccounts } from './checked-accounts.ts';
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
  readonly copied: CopiedCounts;
  readonly checked: CheckedAccounts;
  /** Whether a stop was requested: the step ends when what is in flight is written. */
  isStopped(): boolean;
  onProgress(): void;
}

/** The copy can't go on until the operator changes something. The message is a sentence for the operator. */
export class CopyFailed extends Error {
  override readonly name = 'CopyFailed';
}
