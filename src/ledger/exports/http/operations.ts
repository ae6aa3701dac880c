import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FairSlots } from '../../../../values/fair-slots.ts';
import { FaultList } from '../../../../values/fault-list.ts';
import { Problem } from '../../../../values/problem.ts';
import { Unavailable } from '../../../../values/unavailable.ts';
import { contentCodingOf } from '../../../http/content-coding.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { accountOf, type Context, defineOperation } from '../../../http/operations/operation.ts';
import { notFound, type PathParameter } from '../../../http/operations/parameters.ts';
import { refuseFaulty } from '../../../http/problems/problem.ts';
import { bodyResponse, jsonResponse, type Responses } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { withoutTimeLimit } from '../../../http/server/long-request.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { lookUp } from '../../http/look-up.ts';
import type { RecognisedStatuses } from '../../recorded-statuses.ts';
import {
  EXPORT_ID_FORM,
  type Export,
  type ExportFault,
  type ExportFormat,
  type ExportRequest,
  type ExportStore,
  isExportId,
  manifestOf,
} from '../export.ts';
import { type ExportingStore, retrieveExport as retrieve, startExport } from '../start-export.ts';
import { exportParameters, exportRequestReader } from './export-parameters.ts';
import { type ExportBody, ExportLineSchema, ExportSchema } from './export-schemas.ts';
import { type SendingContext, sendExport } from './send-export.ts';

interface ExportsContext extends SendingContext {
  stopping: AbortSignal;
  store: ExportingStore & SendingContext['store'];
  exportSlots: FairSlots;
  statuses: RecognisedStatuses;
}

const CONTENT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};

const DESCRIPTION =
  'In the order of the list, in one streamed response. All transactions are shown as they were after one change, whose number is Export-As-Of: ' +
  'recordings during the export do not affect it. The range can have any length. Before the response ends, the service compares what it sent ' +
  'with the totals of the account. If anything fails, it closes the connection: a response that ends normally is complete. ';
const LIMITS =
  'An export that was cut cannot be continued: start a new one. An account can run two exports at once, and begin 5,000 in 24 hours.';

const exportCsvOperation = exportOperation('csv', {
  id: 'exportCsv',
  summary: 'Export as CSV',
  description: `${DESCRIPTION}GET /v1/exports/{id} then has the number of rows, the sums and the SHA-256 of the file. ${LIMITS}`,
  responses: {
    200: bodyResponse(
      'text/csv',
      'A CSV file (RFC 4180, UTF-8): a header, and a line for each transaction, which ends with CR LF.',
      Type.String(),
      EXAMPLES.csv,
      exportHeaders(),
    ),
  },
});

const exportNdjsonOperation = exportOperation('ndjson', {
  id: 'exportNdjson',
  summary: 'Export as NDJSON',
  description: `${DESCRIPTION}The last line is the manifest: the number of rows, the sums, and the SHA-256 of all lines before it. ${LIMITS}`,
  responses: {
    200: bodyResponse(
      'application/x-ndjson',
      'A transaction on each line, and the manifest on the last one.',
      ExportLineSchema,
      EXAMPLES.ndjson,
      exportHeaders(),
    ),
  },
});

function exportOperation(
  format: ExportFormat,
  { responses, ...described }: { id: string; summary: string; description: string; responses: Responses },
) {
  const path = `/v1/transactions.${format}`;
  return defineOperation({
    method: 'GET',
    public: { ...described, path, access: 'read', tag: 'transactions' },
    operator: lookUp(path, {
      id: format === 'csv' ? 'exportAccountCsv' : 'exportAccountNdjson',
      summary: described.summary,
      note: "The operator can run two exports at once for each account. The account's own exports are not counted.",
    }),
    pathParameters: { account: ACCOUNT },
    query: (statuses) => exportParameters(statuses, format),
    responses,
    problems: ['date_range_too_long', 'too_many_exports'],

    handler: (context: ExportsContext) => {
      const { statuses, stopping, exportSlots } = context;
      const readRequest = exportRequestReader(format, statuses);

      return async (request, reply) => {
        await statuses.readFor(request.query['status']);
        const faults = new FaultList<ExportFault>();
        const asked = readRequest(request.query, faults);
        refuseFaulty(request.query, faults);
        refuseOldHttp(request);
        if (request.method === 'HEAD') return sendHead(reply, commonHeaders(format, request));
        if (stopping.aborted) throw new Unavailable('service_stopping');
        const account = accountOf(request);
        await exportSlots.run(account, 'exports_limit', () =>
          runExport(request, reply, account, asked, context),
        );
        return reply;
      };
    },
  });
}

async function runExport(
  request: FastifyRequest,
  reply: FastifyReply,
  account: string,
  asked: ExportRequest,
  context: ExportsContext,
): Promise<void> {
  const { store, now, randomBytes, exportLimits, cuttingExports } = context;
  const refuse = () => {
    if (!reply.sent) reply.send(new Unavailable('service_stopping'));
  };
  cuttingExports.addEventListener('abort', refuse);
  try {
    const exported = await startExport(store, account, asked, {
      nowMs: now(),
      randomBytes,
      mostStored: exportLimits.storedPerAccount,
      runLong: (read) => withoutTimeLimit(reply, read),
    });
    if (reply.raw.destroyed || reply.sent) return;
    const headers = { ...commonHeaders(exported.format, request), ...ownHeaders(exported) };
    const isGzipped = headers['content-encoding'] === 'gzip';
    const sending = { request, reply, headers, isGzipped };
    await withoutTimeLimit(reply, (gone) => sendExport(exported, sending, gone, context));
  } finally {
    cuttingExports.removeEventListener('abort', refuse);
  }
}

/** Refuses HTTP/1.0, because its callers could not tell whether the response was cut. */
function refuseOldHttp({ raw }: FastifyRequest): void {
  if (raw.httpVersionMajor === 1 && raw.httpVersionMinor === 0)
    throw new Problem(
      'invalid_request',
      'An export needs HTTP/1.1, in which a response that is cut can be recognised. If a proxy sent the request, set it to HTTP/1.1.',
    );
}

function commonHeaders(format: ExportFormat, { headers }: FastifyRequest): Record<string, string> {
  const coding = contentCodingOf(headers['accept-encoding'], ['gzip']);
  return {
    'content-type': CONTENT_TYPES[format],
    ...(coding !== 'identity' && { 'content-encoding': coding }),
    vary: 'accept-encoding',
  };
}

const ownHeaders = (exported: Export): Record<string, string> => ({
  'export-id': exported.id,
  'export-as-of': String(exported.asOf),
  ...(exported.asOfId !== null && { 'export-as-of-id': exported.asOfId }),
  ...(exported.archivedBefore !== undefined && { 'export-archived-before': exported.archivedBefore }),
  'content-disposition': `attachment; filename="${fileName(exported)}"`,
});

function fileName({ format, filter, asOf }: Export): string {
  const { from, to, paidFrom, paidTo, status, currency } = filter;
  const range = (first: string | null, last: string | null, name = '') =>
    first !== null || last !== null ? `${name}${first ?? ''}_to_${last ?? ''}` : null;
  const days = [range(from, to), range(paidFrom, paidTo, 'paid_')];
  const parts = ['transactions', status, currency, ...days, asOf];
  return `${parts.filter((part) => part !== null).join('_')}.${format}`;
}

function sendHead(reply: FastifyReply, headers: Record<string, string>): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(200, { ...reply.getHeaders(), ...headers } as Record<string, string>).end();
  return reply;
}

function exportHeaders() {
  return {
    'Export-Id': Type.String({
      description: 'Identifies the export for 24 hours.',
      examples: ['exp_0123456789abcdef'],
    }),
    'Export-As-Of': Type.String({
      description: 'The sequence number of the last change that is shown.',
      examples: ['25'],
    }),
    'Export-As-Of-Id': Type.String({
      description: 'The id of that change. Absent if the account has no changes.',
      examples: ['chg_Zt7vJ2mXq0YtR5cQe1WbKd'],
    }),
    'Export-Archived-Before': Type.String({
      description: 'The archivedBefore of its manifest. Absent if the export does not reach archived days.',
      format: 'date',
      examples: ['2026-01-01'],
    }),
    'Content-Disposition': Type.String({ description: 'Suggests a file name.' }),
    'Content-Encoding': Type.String({
      description:
        'gzip if the request accepts it. The hash and the size are those of the uncompressed bytes.',
      examples: ['gzip'],
    }),
    Vary: Type.String({ examples: ['accept-encoding'] }),
  };
}

const EXPORT_ID: PathParameter = {
  schema: Type.String({
    description: 'The value of the header Export-Id.',
    pattern: EXPORT_ID_FORM,
    examples: ['exp_0123456789abcdef'],
  }),
  isValid: isExportId,
  absent: 'The account has no export with this id, or it began more than 24 hours ago.',
};

const PATH = '/v1/exports/:id';

const retrieveExportOperation = defineOperation({
  method: 'GET',
  public: {
    id: 'retrieveExport',
    path: PATH,
    access: 'read',
    tag: 'transactions',
    summary: 'Retrieve a manifest',
    description:
      'The manifest of an export: the number of rows, the sums, the size and the SHA-256, for comparison with the file. It is stored for 24 hours ' +
      'from the start of the export.',
  },
  operator: lookUp(PATH, {
    id: 'retrieveAccountExport',
    summary: 'Retrieve a manifest',
    note: 'An export belongs to its account, whichever key began it.',
  }),
  pathParameters: { account: ACCOUNT, id: EXPORT_ID },
  responses: { 200: jsonResponse('The manifest.', Type.Ref(ExportSchema), EXAMPLES.manifest) },
  handler:
    ({ store, now }: Context<Pick<ExportStore, 'findExport'>>) =>
    async (request): Promise<ExportBody> => {
      const found = await retrieve(store, accountOf(request), request.params.id, now());
      if (found === undefined) throw notFound(EXPORT_ID);
      return manifestOf(found);
    },
});

export const EXPORT_OPERATIONS = [exportCsvOperation, exportNdjsonOperation, retrieveExportOperation];
