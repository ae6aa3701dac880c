import type { Disagreement, Verified } from './disagreement.ts';
import type { SchemaCheck, VerifyReader } from './verify-reader.ts';

/** What every check works with. */
export interface VerifyContext {
  readonly reader: VerifyReader;
  readonly schema: SchemaCheck;
  /** The most transactions, index entries or totals of one read. */
  readonly pageSize: number;
  /** Counted up while it is verified. */
  readonly verified: Verified;
  /** Reports a disagreement, at the speed of its reader. */
  report(disagreement: Disagreement): Promise<void>;
  onProgress(): void;
}
