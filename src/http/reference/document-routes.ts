import type { FastifyInstance } from 'fastify';
import type { ReadBuiltFile } from '../files/built-files.ts';
import type { Operation } from '../operations/operation.ts';
import { allProblems, problemsOf } from '../operations/operation-problems.ts';
import type { Listener } from '../telemetry/http-metrics.ts';
import { errorAddress, errorPageRoutes, REASONS, reasonText } from './error-pages.ts';
import type { Listening } from './guide-reader.ts';
import { guideRoutes } from './guides.ts';
import type { DocumentReader } from './openapi-document.ts';
import { inlineText } from './operation-page.ts';
import { referencePages, referenceRoutes } from './reference.ts';

interface DocumentOptions {
  listener: Listener;
  operations: readonly Operation<never>[];
  documentFor: (reader: DocumentReader) => object;
  listening: Listening;
  readBuiltFile: ReadBuiltFile;
}

/** What people read at a listener: its guides, the reference, and a page for each error. One search finds all of them. */
export function documentRoutes(app: FastifyInstance, options: DocumentOptions): void {
  const { listener, operations, documentFor, listening, readBuiltFile } = options;
  const kinds = allProblems(operations);
  const byId = new Map(operations.map((operation) => [operation[listener]?.id, operation]));
  const pages = referencePages({
    listener,
    documentFor,
    kinds,
    problemsOf: (id) => problemsOf(byId.get(id) as Operation<never>, listener),
  });
  errorPageRoutes(app, listener, kinds);
  referenceRoutes(app, pages, { documentFor });
  guideRoutes(app, { listener, listening, readBuiltFile }, async () => [
    ...(await pages()).map(({ address, title, text }) => ({
      address,
      page: 'Reference',
      heading: title,
      text,
    })),
    ...kinds.map((kind) => ({
      address: errorAddress(kind),
      page: 'Errors',
      heading: `${kind.code}: ${kind.title}`,
      text: `HTTP ${kind.status}. ${kind.cause} ${kind.solution}`,
    })),
    ...REASONS.map((reason) => ({
      address: errorAddress({ code: reason }),
      page: 'Errors',
      heading: `${reason}: a reason of 503`,
      text: inlineText(reasonText(listener, reason)),
    })),
  ]);
}
