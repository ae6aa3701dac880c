export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const dot = candidate.indexOf('.') + 1;
    const start = name.startsWith(candidate.slice(0, dot)) ? dot : 0;
    const distance = wrongLetters(name.slice(start), candidate.slice(start));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

export function wrongLetters(name: string, known: string): number {
  const tolerance = Math.max(1, Math.floor(known.length / 3));
  if (Math.abs(name.length - known.length) > tolerance) return Number.POSITIVE_INFINITY;
  const distance = distanceOf(name.toLowerCase(), known.toLowerCase());
  return distance <= tolerance ? distance : Number.POSITIVE_INFINITY;
}

const distanceOf = (name: string, candidate: string) =>
  hasSwappedLetters(name, candidate) ? 1 : editDistance(name, candidate);

function hasSwappedLetters(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return left.slice(0, at) + left[at + 1] + left[at] + left.slice(at + 2) === right;
}

/** Source: Levenshtein distance, Wagner and Fischer. */
export function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...left].entries()) {
    const above = row;
    row = [index + 1];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (above[column - 1] as number) + (letter === right[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[column] as number) + 1, (row[column - 1] as number) + 1));
    }
  }
  return row[right.length] as number;
}
