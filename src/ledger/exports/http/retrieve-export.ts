import type { FastifyInstance } from 'fastify';
import { type Authenticate, callerOf } from '../../../http/access/authenticate.ts';
import { notFound, pathSchema } from '../../../http/path-parameters.ts';
import { OTHER_EXAMPLES } from '../../../http/reference/examples/other-problems.ts';
import {
  jsonResponse,
  KEY_PROBLEMS,
  problemResponses,
  rateLimitHeaders,
} from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { ExportStore } from '../export.ts';
import { manifestOf } from '../manifest.ts';
import { retrieveExport } from '../start-export.ts';
import { MANIFEST_EXAMPLES } from './export-examples.ts';
import { Export, type ExportBody } from './export-schemas.ts';

export interface RetrieveExportDependencies {
  store: Pick<ExportStore, 'findExport'>;
  now: () => number;
  authenticate: Authenticate<'account'>;
}

export function retrieveExportRoute(
  app: FastifyInstance,
  { store, now, authenticate }: RetrieveExportDependencies,
): void {
  app.get<{ Params: { exportId: string } }>('/v1/exports/:exportId', {
    onRequest: authenticate('read'),
    schema: {
      operationId: 'retrieveExport',
      tags: ['transactions'],
      summary: 'Retrieve the manifest of an export',
      description:
        'What an export contained: the number of rows, the sums, the size and the SHA-256, for comparison with the file. It is kept for 24 hours ' +
        'from the start of the export.',
      params: pathSchema('exportId'),
      response: {
        200: jsonResponse('The manifest.', Type.Ref(Export), MANIFEST_EXAMPLES, rateLimitHeaders),
        ...problemResponses([...KEY_PROBLEMS, 'not_found'], {
          keysAreLimited: true,
          examples: { not_found: OTHER_EXAMPLES.noSuchExport },
        }),
      },
    },
    handler: async (request): Promise<ExportBody> => {
      const { account } = callerOf(request);
      const found = await retrieveExport(store, account, request.params.exportId, now());
      if (found === undefined) throw notFound('exportId');
      return manifestOf(found);
    },
  });
}
