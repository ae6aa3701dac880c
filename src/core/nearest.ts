import leven from 'leven';

/**
 * The known name that a misspelt one was probably meant to be, or undefined where none is near: a third of a known name's letters
 * may be wrong, and one of a short name's.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const tolerance = Math.max(1, Math.floor(candidate.length / 3));
    // Names differ by at least the difference of their lengths: a long name is refused without a look at its letters.
    if (Math.abs(name.length - candidate.length) > tolerance) continue;
    const distance = leven(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= tolerance && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
