import { readFileSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import { lazy } from '../../values/lazy.ts';
import { quote } from '../../values/quote.ts';
import { Problem } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';
import { NO_COMPILERS } from '../server/no-compilers.ts';
import type { Reader } from './openapi-document.ts';

/** The page loads nothing from other sites, and works over plain HTTP in a private network. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Hides the column of links, which no response has. Makes headers smaller, which are the same in most responses. */
const STYLE = `
.swagger-ui .response-col_links { display: none; }
.swagger-ui .headers td.header-col { padding: 0.125rem 1rem 0.125rem 0; font: 0.75rem/1.5 system-ui, sans-serif; }
.swagger-ui .info { margin: 2rem 0 1rem; }
.swagger-ui .scheme-container { padding: 1rem 0; }
`;

/**
 * Refuses routes that are added after this call, and are neither an operation nor hidden: the service does not start
 * otherwise, because such a route could forget to require a key.
 */
export function refuseOtherRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, schema, config }) => {
    if (config?.pathParameters === undefined && schema?.hide !== true)
      throw new Error(`${url} is no operation, and is not hidden from the OpenAPI document`);
  });
}

const DOCS = '/docs';

/** Serves the OpenAPI document at /openapi.json and as a page at /docs. */
export function documentRoutes(app: FastifyInstance, documentFor: (reader: Reader) => object): void {
  // Document and page are made at the first request, because they would take a tenth of the start and 3 MB. On a busy
  // machine, making them takes longer than the time limit of a request. Callers share one buffer: a string would be
  // copied for each caller, and slow readers hold their copies for a long time.
  const document = lazy(async () => Buffer.from(JSON.stringify(documentFor('programs'))));
  app.get('/openapi.json', {
    schema: { hide: true },
    handler: async (_request, reply) => {
      reply.liftTimeLimit();
      return reply.type('application/json; charset=utf-8').send(await document());
    },
  });

  const page = lazy(() => documentPage(documentFor('people')));
  for (const url of [DOCS, `${DOCS}/*`]) {
    app.get(url, {
      schema: { hide: true },
      handler: async ({ url, headers }, reply) => {
        reply.liftTimeLimit();
        // Sent as a stream: otherwise, each of many slow readers would hold a script of 1.7 MB in memory.
        const response = await (await page()).inject({ url, headers, payloadAsStream: true });
        if (response.statusCode === 404) {
          response.raw.res.destroy();
          throw new Problem(PROBLEMS.not_found, `There is no page of the reference at ${quote(url)}.`);
        }
        const { date, connection, ...headersToSend } = response.headers;
        const body = response.stream();
        // Otherwise, the file stays open after the reader has left.
        body.once('close', () => response.raw.res.destroy());
        return reply.code(response.statusCode).headers(headersToSend).send(body);
      },
    });
  }
}

/** A server with only the page. It does not listen; requests are injected. */
async function documentPage(document: object): Promise<FastifyInstance> {
  const { default: swagger } = await import('@fastify/swagger');
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = Fastify({ schemaController: NO_COMPILERS });
  await page.register(swagger, {
    mode: 'static',
    specification: { document: document as never },
  });
  await page.register(swaggerUi, {
    routePrefix: DOCS,
    staticCSP: CONTENT_SECURITY_POLICY,
    // No validator: it is a third-party service that would learn the address of this one.
    // The base layout has no top bar, which offers to load other documents: the content security policy forbids that.
    uiConfig: {
      deepLinking: true,
      tryItOutEnabled: true,
      validatorUrl: null,
      layout: 'BaseLayout',
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
    },
    theme: {
      title: 'Transactions: reference',
      css: [{ filename: 'reference.css', content: STYLE }],
      favicon: [
        {
          filename: 'icon.svg',
          rel: 'icon',
          type: 'image/svg+xml',
          sizes: 'any',
          content: readFileSync(new URL('../../../web/icon.svg', import.meta.url)),
        },
      ],
    },
  });
  return page;
}
