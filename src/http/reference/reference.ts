import type { FastifyInstance } from 'fastify';
import { lazy } from '../../../values/lazy.ts';
import { Problem } from '../problems/problem.ts';
import type { ProblemKind } from '../problems/problem-kind.ts';
import { PROBLEMS } from '../problems/problems.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import { type DescribedDocument, operationAddress, operationsOf, type PlacedOperation } from './described.ts';
import { documentPage, type PageGroup, sendDocument } from './document-page.ts';
import { escaped } from './html-page.ts';
import type { DocumentReader } from './openapi-document.ts';
import {
  inlineHtml,
  inlineText,
  operationBody,
  operationSections,
  sectionHeading,
} from './operation-page.ts';

interface ReferenceOptions {
  listener: Listener;
  documentFor: (reader: DocumentReader) => object;
  /** Every kind of error. */
  kinds: readonly ProblemKind[];
  /** The errors that an operation can have, by its id. */
  problemsOf: (operationId: string) => readonly ProblemKind[];
}

/** A page of the reference, with the words that a search finds it by. */
interface ReferencePage {
  address: string;
  title: string;
  html: Buffer;
  text: string;
}

declare module 'fastify' {
  interface FastifySchema {
    /** The route is in no OpenAPI document: it is a page or a file. */
    hide?: boolean;
  }
}

/** The pages of the reference: a list, and a page for each operation. Made at the first request, as the start would pay for them. */
export const referencePages = (options: ReferenceOptions) =>
  lazy(async (): Promise<ReferencePage[]> => {
    const document = options.documentFor('people') as DescribedDocument;
    const operations = operationsOf(document);
    const pages: PageGroup[] = document.tags.map(({ name, description }) => ({
      title: description,
      links: operations
        .filter(({ tags }) => tags.includes(name))
        .map((operation) => ({ address: operationAddress(operation), label: operation.summary })),
    }));
    const page = (
      address: string,
      title: string,
      body: string,
      headings: { anchor: string; heading: string }[],
    ) => Buffer.from(documentPage({ listener: options.listener, address, title, body, pages, headings }));
    const ofOperations = operations.map((operation) => {
      const described = {
        document,
        operation,
        problems: operation.isSent ? [] : options.problemsOf(operation.operationId),
        codes: new Set(options.kinds.map(({ code }) => code)),
      };
      const headings = operationSections(described).map(({ anchor }) => ({
        anchor,
        heading: sectionHeading(anchor),
      }));
      const { summary, method, path, description } = operation;
      const address = operationAddress(operation);
      const html = page(address, summary, operationBody(described), headings);
      return { address, title: summary, html, text: inlineText(`${method} ${path} ${description}`) };
    });
    const list = page('/docs', 'Reference', listBody(document, operations), []);
    return [{ address: '/docs', title: 'Reference', html: list, text: '' }, ...ofOperations];
  });

function listBody(
  { info, tags, components }: DescribedDocument,
  operations: readonly PlacedOperation[],
): string {
  const noCodes = new Set<string>();
  const groups = tags.map(({ name, description }) => {
    const rows = operations
      .filter((operation) => operation.tags.includes(name))
      .map(
        (operation) =>
          `<tr><td><span class="method">${operation.method}</span></td><td><a href="${operationAddress(operation)}">${escaped(operation.summary)}</a><br><code>${escaped(operation.path)}</code></td></tr>`,
      );
    return `<h2 id="${name.replaceAll(' ', '-')}">${escaped(description)}</h2>
<div class="wide" tabindex="0"><table><tbody>
${rows.join('\n')}
</tbody></table></div>`;
  });
  return `<h1>${escaped(info.title)}: reference</h1>
<p>Each operation has a page with its parameters, its responses, its errors and examples, and a form that sends it.</p>
<p>${inlineHtml(info.description, noCodes)}</p>
<p>${inlineHtml(components.securitySchemes.apiKey.description, noCodes)}</p>
${groups.join('\n')}`;
}

/** Serves the OpenAPI document at /openapi.json, and its pages at /docs. */
export function referenceRoutes(
  app: FastifyInstance,
  pages: () => Promise<ReferencePage[]>,
  { documentFor }: Pick<ReferenceOptions, 'documentFor'>,
): void {
  // Callers share one buffer: a string would be copied for each caller, and slow readers hold their copies for a long
  // time. On a busy machine, making it takes longer than the time limit of a request.
  const document = lazy(async () => Buffer.from(JSON.stringify(documentFor('programs'))));
  app.get('/openapi.json', {
    schema: { hide: true },
    handler: async (_request, reply) => {
      reply.liftTimeLimit();
      return reply.type('application/json; charset=utf-8').send(await document());
    },
  });
  app.get('/docs', {
    schema: { hide: true },
    handler: async (_request, reply) => {
      reply.liftTimeLimit();
      return sendDocument(reply, ((await pages())[0] as ReferencePage).html);
    },
  });
  app.get<{ Params: { operation: string } }>('/docs/:operation', {
    schema: { hide: true },
    handler: async ({ params }, reply) => {
      reply.liftTimeLimit();
      const page = (await pages()).find(({ address }) => address === `/docs/${params.operation}`);
      if (page === undefined)
        throw new Problem(PROBLEMS.not_found, 'No operation has this name. All operations are at /docs.');
      return sendDocument(reply, page.html);
    },
  });
}

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
