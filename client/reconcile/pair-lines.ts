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
  const findLine = (transaction: number, tried: Set<number>): boolean => {
    for (let line = 0; line < lines; line++) {
      if (closed.has(line) || tried.has(line) || !isPossible(line, transaction)) continue;
      tried.add(line);
      const before = pairs[line];
      if (before !== undefined && !findLine(before, tried)) continue;
      pairs[line] = transaction;
      return true;
    }
    return false;
  };
  for (let transaction = 0; transaction < transactions && closed.size < lines; transaction++) {
    const tried = new Set<number>();
    if (!findLine(transaction, tried)) for (const line of tried) closed.add(line);
  }
  return pairs;
}
