import type { SealHead, Sealing } from './seal.ts';

export interface SealReader {
  /** The seal of the last sealed change. */
  readSeal(account: string): Promise<SealHead>;
}

/** Finds what is not sealed. */
export interface UnsealedLister {
  /**
   * Reads the next `limit` accounts after `after`, in order, and returns those with unsealed changes. `last`
   * is the last account that was read.
   */
  listUnsealed(
    afterAccount: string,
    limit: number,
  ): Promise<{ accounts: UnsealedAccount[]; last: string | null }>;
}

interface UnsealedAccount {
  account: string;
  /** How many changes are not sealed. */
  changes: number;
}

/** Seals changes after they were recorded, in steps. Each step begins where the one before ended. */
export interface Sealer extends SealReader {
  /**
   * Reads the next changes after the last sealed one, at most `limit`, and seals them. Nothing is stored.
   *
   * Throws: Error if the changes do not continue the sealed ones.
   */
  sealChanges(account: string, from: SealHead, limit: number): Promise<Sealing>;
  /**
   * Stores what sealChanges made, if the last sealed change is still `from`, and the history still has the
   * last change. Returns false, and changes nothing, if another instance has sealed meanwhile, or if the
   * history was replaced.
   */
  storeSeals(account: string, from: SealHead, sealing: Sealing): Promise<boolean>;
}
