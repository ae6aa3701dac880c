import type { Life } from '../life.ts';

/** A sentence of the specification, and the ways in which a history breaks it. */
export interface Rule {
  readonly says: string;
  broken(life: Life): Iterable<unknown>;
}
