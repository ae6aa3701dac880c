/**
 * Pairs lines with possible transactions: as many as possible, and earlier transactions first. `lines` and
 * `transactions` are their numbers, and `isPossible` gets the index of each. Returns the transaction of each
 * line, or undefined.
 */
export function pairLines(
  lines: number,
  transactions: number,
  isPossible: (line: number, transaction: number) => boolean,
): (number | undefined)[] {
  const pairs = new Array<number | undefined>(lines).fill(undefined);
  /** Lines from which no pair can be moved, so no later transaction gets one of them. */
  const closed = new Set<number>();
  /** A line that gets its first transaction if others move on to the transactions in `takers`. */
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
