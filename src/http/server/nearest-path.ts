import { wrongLetters } from '../../values/nearest.ts';

/**
 * The path of a route that a misspelt path probably means, with its parameters in braces, or undefined if none is near. The prefix
 * `/v1` can be missing or twice, and slashes too many.
 */
export function nearestPath(sent: string, urls: readonly string[]): string | undefined {
  const path = tidied(sent);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const url of urls) {
    const distance = Math.min(distanceOf(path, url), distanceOf(`/v1${path}`, url));
    if (distance < bestDistance) {
      best = url;
      bestDistance = distance;
    }
  }
  return best?.replaceAll(/:(\w+)/g, '{$1}');
}

/** The number of wrong letters, where each segment is near that of the route; a parameter has any value. */
function distanceOf(path: string, url: string): number {
  const segments = path.split('/');
  const known = url.split('/');
  if (segments.length !== known.length) return Number.POSITIVE_INFINITY;
  return known.reduce(
    (sum, name, index) => sum + (name.startsWith(':') ? 0 : wrongLetters(segments[index] as string, name)),
    0,
  );
}

/** A path without what is often too much: slashes, `/api` before it, and `/v1` twice. */
const tidied = (path: string): string =>
  path
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1')
    .replace(/^\/api(?=\/)/, '')
    .replace(/^\/v1(?=\/v1\/)/, '');
