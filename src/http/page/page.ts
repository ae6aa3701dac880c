import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Statuses } from '../../values/status.ts';
import { Problem } from '../problems/problem.ts';
import { type PageFiles, readPageFiles } from './page-files.ts';
import { sendFile } from './send-file.ts';

/** The page loads nothing from other sites, runs no code but its files, and cannot be framed. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const FILES_PREFIX = '/page/';

/** Serves the page at /, which shows transactions and uses only the public API. */
export function pageRoutes(app: FastifyInstance, { statuses }: { statuses: Statuses }): void {
  let reading: Promise<PageFiles> | undefined;
  // Read at the first request, so that the start does not pay for it. On a busy machine, reading takes longer than the
  // time limit of a request.
  const pageFiles = (reply: FastifyReply) => {
    reply.liftTimeLimit();
    reading ??= read().catch((error) => {
      // The next request tries again.
      reading = undefined;
      throw error;
    });
    return reading;
  };
  const read = () =>
    readPageFiles({
      root: new URL('../../../', import.meta.url),
      html: 'web/index.html',
      values: { '{statuses}': [...statuses.keys()].join(' ') },
      prefix: FILES_PREFIX,
      packages: ['preact', 'preact/hooks', 'fflate/browser'],
    });

  app.get('/', {
    schema: { hide: true },
    handler: async (request, reply) => {
      const { version, html } = await pageFiles(reply);
      reply.headers({
        'cache-control': 'no-cache',
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
      });
      return sendFile(request, reply, html, version);
    },
  });

  app.get<{ Params: { '*': string } }>(`${FILES_PREFIX}*`, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const { version, files } = await pageFiles(reply);
      const [, requested, path = ''] = /^([^/]+)\/(.+)$/.exec(request.params['*']) ?? [];
      const file = requested === version ? files.get(path) : undefined;
      if (file === undefined)
        throw new Problem('not_found', 'The page has no such file. Reload the page at /.');
      reply.header('cache-control', 'public, max-age=31536000, immutable');
      return sendFile(request, reply, file);
    },
  });
}
