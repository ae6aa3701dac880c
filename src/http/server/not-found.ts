import type { FastifyInstance } from 'fastify';
import { quote } from '../../values/quote.ts';
import { Problem, sendProblem } from '../problems/problem.ts';

/** Answers 405 with Allow if the path exists for other methods, and 404 if it does not. */
export function answerNotFound(app: FastifyInstance): void {
  const methodsOf = methodsByPath(app);

  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const methods = methodsOf(path);
    if (methods.length === 0) {
      const detail = `There is no resource at ${quote(path)}. The reference at /docs has all operations.`;
      return sendProblem(reply, new Problem('not_found', detail));
    }
    const allow = methods.join(', ');
    const problem = new Problem(
      'method_not_allowed',
      `${quote(path)} takes ${allow}, not ${request.method}.`,
      { headers: { allow } },
    );
    return sendProblem(reply, problem);
  });
}

/** Finds the methods of a path among the routes that are registered after this call. */
function methodsByPath(app: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; method: string }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replaceAll('.', '\\.')
        .replaceAll(/:[a-z]+/gi, '[^/]+')
        .replaceAll('*', '.*')}$`,
    );
    for (const one of [method].flat()) routes.push({ pattern, method: one });
  });
  return (path) => {
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return [...new Set(methods)].sort();
  };
}
