import type { Life } from '../life.ts';

/** A sentence of the specification, and how a history breaks it. */
export interface Rule {
  readonly says: string;
  /** What of a life breaks it: nothing if the life is right. */
  broken(life: Life): Iterable<unknown>;
}
