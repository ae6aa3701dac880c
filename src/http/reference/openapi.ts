import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import packageJson from '#package' with { type: 'json' };
import { quote } from '../../core/quote.ts';
import { Problem } from '../problems/problem.ts';
import { referencedSchemas } from '../schemas/type.ts';

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

/** Makes an OpenAPI document of the routes that are registered after this call. */
export async function describeRoutes(
  app: FastifyInstance,
  { title, description, keyDescription, tags }: ApiDescription,
): Promise<void> {
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
  app.addHook('onRoute', function addReferenced({ schema }) {
    for (const referenced of referencedSchemas(schema)) {
      if (this.getSchema(String(referenced['$id'])) === undefined) this.addSchema(referenced);
    }
  });
}

const DOCS = '/docs';

/** Serves the document at /openapi.json and as a page at /docs. */
export function documentRoutes(app: FastifyInstance): void {
  // Callers share one buffer. A string would be copied for each caller, and slow readers hold their copies for a long time.
  let document: Buffer | undefined;
  app.get('/openapi.json', {
    schema: { hide: true },
    handler: (_request, reply) => {
      document ??= Buffer.from(openapiText(app));
      return reply.type('application/json; charset=utf-8').send(document);
    },
  });

  // Made at the first request, because it would take a tenth of the start and 3 MB. On a busy machine, making it takes
  // longer than the time limit of a request.
  let page: Promise<FastifyInstance> | undefined;
  for (const url of [DOCS, `${DOCS}/*`]) {
    app.get(url, {
      schema: { hide: true },
      handler: async ({ url, headers }, reply) => {
        reply.liftTimeLimit();
        page ??= documentPage(app).catch((error) => {
          page = undefined;
          throw error;
        });
        // Sent as a stream: otherwise, each of many slow readers would hold a script of 1.7 MB in memory.
        const response = await (await page).inject({ url, headers, payloadAsStream: true });
        if (response.statusCode === 404) {
          response.raw.res.destroy();
          throw new Problem('not_found', `There is no page of the reference at ${quote(url)}.`);
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
async function documentPage(app: FastifyInstance): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = Fastify();
  await page.register(swagger, { mode: 'static', specification: { document: JSON.parse(openapiText(app)) } });
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

/** The OpenAPI document, as it is served and committed. */
export function openapiText(app: FastifyInstance): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}
