import leven from 'leven';

/**
 * The known name that a misspelt name probably means, or undefined if none is near. A third of the known name's letters can be
 * wrong, and always one.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const tolerance = Math.max(1, Math.floor(candidate.length / 3));
    // The distance is at least the difference of the lengths, so a long name is refused without comparing letters.
    if (Math.abs(name.length - candidate.length) > tolerance) continue;
    const distance = leven(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= tolerance && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
