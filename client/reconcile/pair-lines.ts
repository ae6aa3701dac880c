/** Pairs as many lines as possible, earlier transactions first. Returns the transaction of each line. */
export function pairLines(
  lines: number,
  transactions: number,
  isPossible: (line: number, transaction: number) => boolean,
): (number | undefined)[] {
  const pairs = new Array<number | undefined>(lines).fill(undefined);
  /** Lines that an unsuccessful search has tried. Trying them again in a later search cannot succeed. */
  const deadEnds = new Set<number>();
  /**
   * Returns a free line, or -1. `transaction` can take the line of a paired transaction, which then takes a
   * line in the same way, up to the free line. `takers` has the new transaction of each line that was tried.
   */
  const freeLine = (transaction: number, takers: Map<number, number>): number => {
    const waiting = [transaction];
    for (const taker of waiting)
      for (const isFree of [true, false])
        for (let line = 0; line < lines; line++) {
          const before = pairs[line];
          if ((before === undefined) !== isFree || deadEnds.has(line) || takers.has(line)) continue;
          if (!isPossible(line, taker)) continue;
          takers.set(line, taker);
          if (before === undefined) return line;
          waiting.push(before);
        }
    return -1;
  };
  for (let transaction = 0; transaction < transactions && deadEnds.size < lines; transaction++) {
    const takers = new Map<number, number>();
    let line = freeLine(transaction, takers);
    if (line === -1) for (const tried of takers.keys()) deadEnds.add(tried);
    while (line !== -1) {
      const taker = takers.get(line) as number;
      const next = pairs.indexOf(taker);
      pairs[line] = taker;
      line = next;
    }
  }
  return pairs;
}
