import { note } from './report.ts';

export interface Rounds {
  rounds: number;
  secondsEach: number;
  /** V8 optimises the service in the first 15 to 30 seconds under load. */
  warmUpSeconds: number;
}

/** With `isWarmedUp`, a further round comes first, whose figures are dropped. The scale `tiny` skips it. */
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
