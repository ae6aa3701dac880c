import { note } from './report.ts';

export interface Rounds {
  rounds: number;
  secondsEach: number;
  /** V8 optimises a service for 10 to 15 seconds under load. Earlier figures are those of slower code. */
  warmUpSeconds: number;
}

/**
 * The figures of each round, by their names. With `isWarmedUp`, a further round comes first, whose figures are
 * dropped. The scale `tiny` leaves it out, because it only checks that the benchmark runs.
 */
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
