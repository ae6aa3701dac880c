import type { Life } from '../life.ts';

/** A sentence of the specification, and the ways in which a history breaks it. */
export interface Rule {
  readonly says: string;
  /** Returns the parts of a life that break the rule. */
  broken(life: Life): Iterable<unknown>;
}
