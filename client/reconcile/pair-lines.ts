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
   * Returns a line that is still free, or -1. To free a line, other transactions may have to take other
   * lines: `takers` has which transaction takes which line.
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
