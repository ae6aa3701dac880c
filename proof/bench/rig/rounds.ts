import { note } from './report.ts';

export interface Rounds {
  rounds: number;
  secondsEach: number;
  /** Under load, V8 needs 15 to 30 seconds to optimise the service. */
  warmUpSeconds: number;
}

/** If `isWarmedUp` and `rounds` is above 1, a round 0 comes first, and its figures are dropped. */
export async function inRounds<Name extends string>(
  what: string,
  { rounds, isWarmedUp = false }: { rounds: number; isWarmedUp?: boolean },
  measure: (round: number) => Promise<Record<Name, number>>,
): Promise<Record<Name, number[]>> {
  const found: Record<string, number[]> = {};
  for (let round = isWarmedUp && rounds > 1 ? 0 : 1; round <= rounds; round++) {
    note(`${what}, round ${round} of ${rounds}${round === 0 ? ' (to warm up)' : ''}`);
    const figures = Object.entries<number>(await measure(round));
    if (round > 0) for (const [name, figure] of figures) found[name] = [...(found[name] ?? []), figure];
  }
  return found;
}
