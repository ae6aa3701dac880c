/** Pairs as many lines as possible, earlier transactions first. Returns the transaction of each line. */
export function pairLines(
  lines: number,
  transactions: number,
  isPossible: (line: number, transaction: number) => boolean,
): (number | undefined)[] {
  const pairs = new Array<number | undefined>(lines).fill(undefined);
  /** These lines led a search to no unpaired line. They would lead no later search to one either. */
  const closed = new Set<number>();
  /**
   * Returns an unpaired line, or -1. If `transaction` can only have paired lines, the transactions of these
   * lines look for other lines. `takers` gets the transaction that can take each line of the search.
   */
  const freeLine = (transaction: number, takers: Map<number, number>): number => {
    const waiting = [transaction];
    for (const taker of waiting)
      for (const isFree of [true, false])
        for (let line = 0; line < lines; line++) {
          const before = pairs[line];
          if ((before === undefined) !== isFree || closed.has(line) || takers.has(line)) continue;
          if (!isPossible(line, taker)) continue;
          takers.set(line, taker);
          if (before === undefined) return line;
          waiting.push(before);
        }
    return -1;
  };
  for (let transaction = 0; transaction < transactions && closed.size < lines; transaction++) {
    const takers = new Map<number, number>();
    let line = freeLine(transaction, takers);
    if (line === -1) for (const tried of takers.keys()) closed.add(tried);
    while (line !== -1) {
      const taker = takers.get(line) as number;
      const next = pairs.indexOf(taker);
      pairs[line] = taker;
      line = next;
    }
  }
  return pairs;
}
