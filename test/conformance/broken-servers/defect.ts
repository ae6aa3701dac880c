import type { ServiceOptions } from '../right-server/service.ts';

/** One fault of a real interface, as a change of the right server's text. */
export type Defect = {
  name: string;
  /** What is broken, as a caller sees it. */
  broken: string;
  /** The id of the check that is meant to find it. */
  check: string;
  /** Further checks, if the check judges their responses. */
  beside?: string[];
  /** The file in the folder of the right server. */
  file: string;
  /** Texts that the file has exactly once, and what replaces them. */
  edits: [from: string, to: string][];
  /** Settings without which the fault does not show. */
  options?: Partial<ServiceOptions>;
  /** Transactions of the account, of a day each, if the fault shows in large accounts only. */
  rows?: number;
};
