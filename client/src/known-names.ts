/** The known name that a misspelt name probably means, or undefined if none is close. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const [best] = known
    .map((candidate): [string, number] => [candidate, distanceOf(wanted, candidate.toLowerCase())])
    .filter(([{ length }, edits]) => edits <= Math.max(1, Math.floor(length / 3)))
    .sort((left, right) => left[1] - right[1]);
  return best?.[0];
}

/** The edit distance, but two swapped neighbouring letters count as one. */
const distanceOf = (left: string, right: string) =>
  hasSwappedLetters(left, right) ? 1 : editDistance(left, right);

function hasSwappedLetters(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return left.slice(0, at) + left[at + 1] + left[at] + left.slice(at + 2) === right;
}

/** How many letters to add, remove or replace. Source: Levenshtein distance, Wagner and Fischer. */
function editDistance(left: string, right: string): number {
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

/**
 * Refuses unknown names also in JavaScript: ignoring a misspelt filter would list too much.
 *
 * `meantBy` has the known names that others, which are not near, mean.
 *
 * @throws TypeError
 */
export function checkNames(
  kind: 'option' | 'filter' | 'parameter' | 'field',
  given: object,
  known: readonly string[],
  meantBy: readonly (readonly [RegExp, string])[] = [],
): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = meantBy.find(([others]) => others.test(unknown))?.[1] ?? nearest(unknown, known);
  throw new TypeError(
    `The ${kind} "${unknown}" is unknown${meant === undefined ? '.' : `: did you mean ${meant}?`} ` +
      `The ${kind}s are ${known.join(', ')}.`,
  );
}
