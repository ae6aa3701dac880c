import type { PlantedFault } from './planted-fault.ts';

/** What the documents promise, and the faults that must be found so that it stays true. */
export interface Promised {
  promise: string;
  /** The document and the beginning of the line, or the heading, of each place that promises it: 'SPEC.md: Cursors'. */
  in: readonly string[];
  faults: readonly PlantedFault[];
}
