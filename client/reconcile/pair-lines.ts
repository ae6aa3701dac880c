/**
 * Pairs as many lines as possible with possible transactions. Earlier transactions come first. `lines` and
 * `transactions` are counts, and `isPossible` gets an index of each. Returns each line's transaction, or
 * undefined.
 */
export function pairLines(
  lines: number,
  transactions: number,
  isPossible: (line: number, transaction: number) => boolean,
): (number | undefined)[] {
  const pairs = new Array<number | undefined>(lines).fill(undefined);
  /**
   * Lines that were searched in vain: no transaction of theirs can move to another line, so no later
   * transaction gets them.
   */
  const closed = new Set<number>();
  /**
   * Finds an unpaired line for a transaction, possibly by moving other transactions to other lines. `takers`
   * then has the new transaction of each line on the way. Returns -1 if there is none.
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
