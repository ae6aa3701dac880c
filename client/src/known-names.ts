/** The known name that a misspelt name probably means, or undefined if none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const [best] = known
    .map((candidate): [string, number] => [candidate, distanceOf(wanted, candidate.toLowerCase())])
    .filter(([{ length }, edits]) => edits <= Math.max(1, Math.floor(length / 3)))
    .sort((one, other) => one[1] - other[1]);
  return best?.[0];
}

/** Two neighbouring letters in the wrong order count as one. */
const distanceOf = (one: string, other: string) =>
  hasSwappedLetters(one, other) ? 1 : editDistance(one, other);

function hasSwappedLetters(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return one.slice(0, at) + one[at + 1] + one[at] + one.slice(at + 2) === other;
}

/** The number of letters to add, remove or replace. Source: Levenshtein distance, Wagner and Fischer. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const above = row;
    row = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (above[column - 1] as number) + (letter === other[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[column] as number) + 1, (row[column - 1] as number) + 1));
    }
  }
  return row[other.length] as number;
}

/**
 * Refuses unknown names also in JavaScript: ignoring a misspelt filter would list too much.
 *
 * @throws TypeError
 */
export function checkNames(
  kind: 'option' | 'filter' | 'parameter' | 'field',
  given: object,
  known: readonly string[],
): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  throw new TypeError(
    `The ${kind} "${unknown}" is unknown${meant === undefined ? '.' : `: did you mean ${meant}?`} ` +
      `The ${kind}s are ${known.join(', ')}.`,
  );
}
