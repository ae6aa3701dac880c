import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import packageJson from '#package' with { type: 'json' };
import { quote } from '../../core/quote.ts';
import { Problem } from '../problems/problem.ts';
import { referencedSchemas } from '../schemas/type.ts';

/** The page loads nothing from elsewhere, and works over plain HTTP on a network of one's own. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** No column of links, which no answer has; less room for headers, which are the same in most answers. */
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

/** Gathers the schemas of the routes that are registered after it into an OpenAPI document. */
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
        description: `${description} Every error has a page with its cause, its cure and an example: [errors](/errors).`,
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
  // The callers that do not read it share its bytes; of a text, each would hold a copy.
  let document: Buffer | undefined;
  app.get('/openapi.json', {
    schema: { hide: true },
    handler: (_request, reply) => {
      document ??= Buffer.from(openapiText(app));
      return reply.type('application/json; charset=utf-8').send(document);
    },
  });

  // Made when somebody first asks for it: a service without readers pays neither a tenth of its start nor 3 MB. On a
  // busy machine it takes longer than a request may.
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
        // Piece by piece: whole, each of many slow readers would hold a script of 1.7 MB.
        const answer = await (await page).inject({ url, headers, payloadAsStream: true });
        if (answer.statusCode === 404) {
          answer.raw.res.destroy();
          throw new Problem('not_found', `There is no page of the reference at ${quote(url)}.`);
        }
        const { date, connection, ...kept } = answer.headers;
        const body = answer.stream();
        // Of a reader that is gone, the page would keep the file open.
        body.once('close', () => answer.raw.res.destroy());
        return reply.code(answer.statusCode).headers(kept).send(body);
      },
    });
  }
}

/** A server of the page alone, which is never listened to. */
async function documentPage(app: FastifyInstance): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = Fastify();
  await page.register(swagger, { mode: 'static', specification: { document: JSON.parse(openapiText(app)) } });
  await page.register(swaggerUi, {
    routePrefix: DOCS,
    staticCSP: CONTENT_SECURITY_POLICY,
    // Without a validator, which is a service elsewhere that would be told the address of this one.
    // Without the bar on top, which offers to load documents of other services: the policy forbids that.
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

/** The document as it is served and committed. */
export function openapiText(app: FastifyInstance): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}
