import type { Life } from '../life.ts';

export interface Rule {
  readonly says: string;
  broken(life: Life): Iterable<unknown>;
}
