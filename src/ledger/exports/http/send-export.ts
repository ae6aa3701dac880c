import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BackgroundTurns } from '../../../../values/background-turns.ts';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import type { Context } from '../../../http/operations/operation.ts';
import type { ChangeReader } from '../../changes/change.ts';
import { type Export, ExportDiffers, type ExportStore, manifestOf } from '../export.ts';
import { type ExportReader, rowsOfTurn } from '../read-export-rows.ts';
import { runExport } from '../run-export.ts';
import { checkHistory, type ExportLimits } from '../start-export.ts';
import type { ExportMetrics, ExportOutcome } from './export-metrics.ts';
import { ExportResponse, ResponseEnded } from './export-response.ts';

export interface ExportingLimits extends ExportLimits {
  storedPerAccount: number;
  readerTimeoutMs: number;
  /** How long exports may continue when the service stops. Must be less than STOP_TIME_LIMIT_MS. */
  stopGraceMs: number;
}

export interface SendingContext
  extends Context<ExportReader & Pick<ExportStore, 'replaceExport'> & Pick<ChangeReader, 'listChanges'>> {
  turns: BackgroundTurns;
  exportLimits: ExportingLimits;
  cuttingExports: AbortSignal;
  metrics: ExportMetrics;
}

interface Sending {
  request: FastifyRequest;
  reply: FastifyReply;
  headers: Record<string, string>;
  isGzipped: boolean;
}

/** Cuts the response if rows are missing, sums differ or the export can't be stored. Never rejects. */
export async function sendExport(
  exported: Export,
  { request, reply, headers, isGzipped }: Sending,
  gone: AbortSignal,
  context: SendingContext,
): Promise<void> {
  const { store, metrics, monotonicMs, exportLimits, cuttingExports } = context;
  const { raw } = reply;
  const log = {
    exportId: exported.id,
    asOf: exported.asOf,
    rows: null as number | null,
    bytes: 0,
    outcome: 'closed' as ExportOutcome,
  };
  request.logFields = log;
  reply.hijack();
  const response = new ExportResponse(raw, {
    isGzipped,
    readerTimeoutMs: exportLimits.readerTimeoutMs,
    gone,
  });
  const stop = () => response.cut('stopped');
  cuttingExports.addEventListener('abort', stop);
  metrics.countRunning(1);
  const beganAtMs = monotonicMs();
  // Prepended, to run before the listeners that log the request and measure its time.
  raw.prependListener('finish', () => {
    log.outcome = 'complete';
    request.waitedMs = monotonicMs() - beganAtMs;
  });
  let complete: Export | undefined;
  try {
    raw.writeHead(200, { ...reply.getHeaders(), ...headers } as Record<string, string>);
    const result = await sendPieces(exported, response, log, request, context);
    await response.flush();
    complete = { ...exported, result: { ...result, finishedAtMs: context.now() } };
    if (!(await store.replaceExport(complete))) throw new ResponseEnded('removed');
    await response.end(exported.format === 'ndjson' ? manifestLine(complete) : '');
  } catch (error) {
    log.outcome = outcomeOf(error);
    logCause(error, request, exported, context);
    response.cut('failed');
    // The end of the response was not sent, so the export is stored as incomplete again.
    if (complete !== undefined) await store.replaceExport(exported).catch(() => {});
  } finally {
    cuttingExports.removeEventListener('abort', stop);
    metrics.countRunning(-1);
    metrics.countExport(log.outcome);
  }
}

async function sendPieces(
  exported: Export,
  response: ExportResponse,
  log: { rows: number | null; bytes: number },
  request: FastifyRequest,
  { store, turns, keyChecks }: SendingContext,
) {
  // One piece can take many turns, so the response and the key are checked in each turn.
  const checkedTurns = {
    get rows() {
      return rowsOfTurn(turns);
    },
    next: async () => {
      await turns.next();
      response.checkOpen();
      if (!(await keyChecks.isAdmittedNow(request))) throw new ResponseEnded('key_refused');
    },
  };
  const pieces = runExport(store, exported, checkedTurns);
  for (;;) {
    const step = await response.whileOpen(pieces.next()).catch(async (error) => {
      // The cause may be a restore of the database. In this case, checkHistory throws NotInHistory.
      if (error instanceof ExportDiffers) await checkHistory(store, exported);
      throw error;
    });
    // The account may have been erased and created anew during the read. An erasure revokes the keys.
    if (!(await keyChecks.isAdmittedNow(request))) throw new ResponseEnded('key_refused');
    await checkHistory(store, exported);
    if (step.done) {
      log.rows = step.value.rows;
      return step.value;
    }
    await response.write(step.value);
    log.bytes += step.value.length;
  }
}

const manifestLine = (exported: Export) => `${JSON.stringify({ export: manifestOf(exported) })}\n`;

function outcomeOf(error: unknown): ExportOutcome {
  if (error instanceof ResponseEnded) return error.reason;
  if (error instanceof ExportDiffers) return 'differs';
  return error instanceof StoreUnavailable ? 'unavailable' : 'failed';
}

function logCause(error: unknown, request: FastifyRequest, { id }: Export, { logger }: SendingContext): void {
  if (error instanceof ResponseEnded) return;
  const fields = { requestId: request.id, route: request.routeOptions.url, exportId: id };
  if (error instanceof ExportDiffers) {
    const differences = error.differences.map((one) => ({ ...one, amountMinor: String(one.amountMinor) }));
    logger.error({ ...fields, err: error, differences }, 'an export was cut: it differs from the totals');
  } else logger.error({ ...fields, err: error }, 'an export was cut: the service failed');
}
