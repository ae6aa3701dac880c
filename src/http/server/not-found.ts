import type { FastifyInstance } from 'fastify';
import { wrongLetters } from '../../../values/nearest.ts';
import { quote } from '../../../values/quote.ts';
import { Problem, sendProblem } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';
import type { CountedListener } from '../telemetry/http-metrics.ts';
import { hintForPath } from './path-hints.ts';

/**
 * Answers 405 with Allow if the path exists for other methods, and 404 if it does not: before Fastify looks at the type of the body,
 * because it refuses some itself.
 */
export function answerNotFound(app: FastifyInstance, listener: CountedListener): void {
  const { methodsOf, urls } = collectRoutes(app);

  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const [path = ''] = request.url.split('?');
    const methods = methodsOf(path);
    const hint = hintForPath(listener, request.method, path);
    if (methods.length === 0) {
      const meant = nearestPath(path, [...urls]);
      const detail =
        `There is no resource at ${quote(path)}${meant === undefined ? '.' : `: did you mean ${meant}?`} ` +
        (hint ?? 'The reference at /docs has all operations.');
      return void sendProblem(reply, new Problem(PROBLEMS.not_found, detail));
    }
    const allow = methods.join(', ');
    const problem = new Problem(
      PROBLEMS.method_not_allowed,
      `${quote(path)} takes ${allow}, not ${request.method}.${hint === undefined ? '' : ` ${hint}`}`,
      { headers: { allow } },
    );
    sendProblem(reply, problem);
  });
}

/** The routes that are registered after this call: the methods of a path, and the paths that a misspelt one can mean. */
function collectRoutes(app: FastifyInstance) {
  const urls = new Set<string>();
  const routes: { pattern: RegExp; method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replaceAll('.', '\\.')
        .replaceAll(/:[a-z]+/gi, '[^/]+')
        .replaceAll('*', '.*')}$`,
    );
    if (!url.includes('*')) urls.add(url);
    for (const one of [method].flat()) routes.push({ pattern, method: one });
  });
  const methodsOf = (path: string) => {
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [...new Set(methods)].sort();
  };
  return { methodsOf, urls };
}

/**
 * The path of a route that a misspelt path probably means, with its parameters in braces, or undefined if none is near. The prefix
 * `/v1` can be missing or twice, and slashes too many.
 */
function nearestPath(sent: string, urls: readonly string[]): string | undefined {
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
