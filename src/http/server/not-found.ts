import type { FastifyInstance } from 'fastify';
import { quote } from '../../values/quote.ts';
import { Problem, sendProblem } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';
import type { CountedListener } from '../telemetry/http-metrics.ts';
import { nearestPath } from './nearest-path.ts';
import { hintForPath } from './path-hints.ts';

/** Answers 405 with Allow if the path exists for other methods, and 404 if it does not. */
export function answerNotFound(app: FastifyInstance, listener: CountedListener): void {
  const { methodsOf, urls } = collectRoutes(app);

  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const methods = methodsOf(path);
    const hint = hintForPath(listener, request.method, path);
    if (methods.length === 0) {
      const meant = nearestPath(path, [...urls]);
      const detail =
        `There is no resource at ${quote(path)}${meant === undefined ? '.' : `: did you mean ${meant}?`} ` +
        (hint ?? 'The reference at /docs has all operations.');
      return sendProblem(reply, new Problem(PROBLEMS.not_found, detail));
    }
    const allow = methods.join(', ');
    const problem = new Problem(
      PROBLEMS.method_not_allowed,
      `${quote(path)} takes ${allow}, not ${request.method}.${hint === undefined ? '' : ` ${hint}`}`,
      { headers: { allow } },
    );
    return sendProblem(reply, problem);
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
