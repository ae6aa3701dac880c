import { readFileSync } from 'node:fs';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import packageJson from '#package' with { type: 'json' };
import { quote } from '../../values/quote.ts';
import { Problem } from '../problems/problem.ts';
import { PROBLEMS } from '../problems/problems.ts';
import { referencedSchemas } from '../schemas/type.ts';
import { NO_COMPILERS } from '../server/no-compilers.ts';
import { shareComponents } from './share-components.ts';

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

export interface ApiDescription {
  title: string;
  description: string;
  keyDescription: string;
  tags: { name: string; description: string }[];
}

/** Makes a value at its first use. If that fails, the next use tries again. */
function madeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * The OpenAPI document of the operations that are added after this call. It is made at its first use. Any other route has to be hidden: the
 * service does not start otherwise, because such a route could forget to require a key.
 */
export function describeRoutes(app: FastifyInstance, api: ApiDescription): () => Promise<Buffer> {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    const { method, url, schema, config } = route;
    if (config?.pathParameters === undefined && schema?.hide !== true)
      throw new Error(`${url} is no operation, and is not hidden from the OpenAPI document`);
    // Only the document needs schemas. Fastify would prepare them for each route at each start.
    delete route.schema;
    if (schema !== undefined && method !== 'HEAD') routes.push({ method, url, schema, handler: () => {} });
  });
  // Callers share one buffer. A string would be copied for each caller, and slow readers hold their copies for a long time.
  return madeOnce(async () => Buffer.from(await documentOf(routes, api)));
}

/** The text of the document, as it is served and committed. */
async function documentOf(
  routes: readonly RouteOptions[],
  { title, description, keyDescription, tags }: ApiDescription,
): Promise<string> {
  const { default: swagger } = await import('@fastify/swagger');
  const app = Fastify({ schemaController: NO_COMPILERS });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: packageJson.version,
        description: `${description} Every error has a page with its cause, its solution and an example: [errors](/errors).`,
        contact: { name: 'The operator of this service' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags,
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: keyDescription,
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) => String(json['$id'] ?? `schema-${index}`),
    },
  });
  for (const schema of referencedSchemas(routes)) app.addSchema(schema);
  for (const route of routes) app.route(route);
  await app.ready();
  return `${JSON.stringify(shareComponents(app.swagger()), null, 2)}\n`;
}

const DOCS = '/docs';

/** Serves the document at /openapi.json and as a page at /docs. */
export function documentRoutes(app: FastifyInstance, document: () => Promise<Buffer>): void {
  // Document and page are made at the first request, because they would take a tenth of the start and 3 MB. On a busy
  // machine, making them takes longer than the time limit of a request.
  app.get('/openapi.json', {
    schema: { hide: true },
    handler: async (_request, reply) => {
      reply.liftTimeLimit();
      return reply.type('application/json; charset=utf-8').send(await document());
    },
  });

  const page = madeOnce(async () => documentPage(await document()));
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
async function documentPage(document: Buffer): Promise<FastifyInstance> {
  const { default: swagger } = await import('@fastify/swagger');
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = Fastify({ schemaController: NO_COMPILERS });
  await page.register(swagger, {
    mode: 'static',
    specification: { document: JSON.parse(document.toString()) },
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
