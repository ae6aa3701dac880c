import { StoreRefused } from '../../values/store-errors.ts';

/** Marks a database as the target of a copy that has not ended. */
export interface CopyMark {
  /** The address of the source, without its password, with the whole path of a file. */
  source: string;
  startedAtMs: number;
}

/**
 * A part of a copy must never be served as if it were the whole.
 *
 * Throws: StoreRefused if there is a mark.
 */
export function refuseMarked(mark: CopyMark | undefined): void {
  if (mark === undefined) return;
  throw new StoreRefused(
    `it is the target of a copy of ${mark.source} that has not ended. Run "transactions copy" again until it ends.`,
  );
}
