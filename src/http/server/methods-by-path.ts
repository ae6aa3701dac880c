import type { FastifyInstance } from 'fastify';

/** Gives the methods that a path takes, of the routes that are registered from now on: none where no route has the path. */
export function methodsByPath(app: FastifyInstance): (path: string) => string[] {
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
