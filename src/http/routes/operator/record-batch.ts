import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { FaultList } from '../../../core/fault-list.ts';
import { type GroupRecorder, settleResult } from '../../../core/group-commit.ts';
import { readNdjson } from '../../../core/import/read-ndjson.ts';
import { type SourceLine, UnreadableSource } from '../../../core/import/source-line.ts';
import { type FieldFault, type ParseRules, parseTransaction } from '../../../core/parse-transaction.ts';
import { type RecordResult, StoreUnavailable } from '../../../core/store.ts';
import type { AccountTransaction } from '../../../core/transaction.ts';
import type { requireApiKey } from '../../access/authenticate.ts';
import { type BodyFault, bodyFault } from '../../problems/body-fault.ts';
import { BATCH_EXAMPLES } from '../../reference/examples/record-batch.ts';
import { BatchLine, BatchResult } from '../../schemas/record-batch.ts';
import { successHeaders } from '../../schemas/responses.ts';
import { Type } from '../../schemas/type.ts';
import { BatchLog } from './batch-log.ts';
import { operatorProblems } from './responses.ts';

export interface RecordBatchDependencies {
  store: GroupRecorder;
  rules: ParseRules;
  /** Called with what became of each line. */
  countRecorded: (outcome: BatchResult['outcome']) => void;
  authenticate: ReturnType<typeof requireApiKey>;
  logger: Pick<Logger, 'error'>;
}

const NDJSON = 'application/x-ndjson';

/** So many lines are one commit, where they come faster than they are recorded. */
const MAX_GROUP = 500;
/** Other requests are answered in between. */
const LINES_BETWEEN_TURNS = 16;

/** Records a stream of transactions while it comes, and answers each line as soon as it is on the disk. */
export async function recordBatchRoute(
  app: FastifyInstance,
  dependencies: RecordBatchDependencies,
): Promise<void> {
  await app.register(async (scope) => {
    // It takes streams alone, and nothing else takes them.
    scope.removeAllContentTypeParsers();
    // As createServer sets them: a scope that adds schemas does not inherit these.
    scope.setSerializerCompiler(() => JSON.stringify);
    scope.setValidatorCompiler(() => () => true);
    scope.addContentTypeParser(NDJSON, (_request, payload, done) => done(null, payload));
    addRoute(scope, dependencies);
  });
}

function addRoute(
  app: FastifyInstance,
  { store, rules, countRecorded, authenticate, logger }: RecordBatchDependencies,
): void {
  app.post<{ Body: Readable | null }>('/v1/transactions/batch', {
    onRequest: authenticate,
    // The stream has no length to be bounded by: it is read line by line.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    schema: {
      operationId: 'recordBatch',
      tags: ['recording'],
      summary: 'Record a stream of transactions',
      description:
        'One JSON object of the shape of BatchLine on each line. One line of the shape of BatchResult for each, in ' +
        'their order, once it is on the disk; blank lines get none. A faulty line is answered in its place, and the stream goes on. ' +
        'After a broken connection, send the lines without an answer again, or all of them.',
      security: [{ apiKey: [] }],
      consumes: [NDJSON],
      body: Type.Ref(BatchLine),
      response: {
        200: {
          description: 'A line for each line.',
          headers: successHeaders,
          content: { [NDJSON]: { schema: Type.Ref(BatchResult), examples: BATCH_EXAMPLES } },
        },
        ...operatorProblems('unsupported_media_type'),
      },
    },
    handler: (request, reply) => {
      // A stream has no end to wait for: each group of its lines is recorded in the time of a request.
      reply.liftTimeLimit();
      const lines = checkedLines(request.body ?? Readable.from([]), rules);
      const log = new BatchLog();
      request.logFields = log;
      const note = (result: BatchResult, checked: CheckedLine) => {
        countRecorded(result.outcome);
        log.note(result, 'transaction' in checked ? checked.transaction : undefined);
      };
      const logFailure: LogFailure = (line, error) =>
        logger.error(
          { requestId: request.id, route: request.routeOptions.url, line, err: error },
          'a line of a batch could not be recorded',
        );
      const results = recordLines(lines, { store, logFailure }, note);
      return reply.type(NDJSON).send(Readable.from(results, { objectMode: false }));
    },
  });
}

/** A line that was read and checked: a transaction, or what is wrong. */
type CheckedLine = GoodLine | { line: number; errors: BodyFault[] };

interface GoodLine {
  line: number;
  transaction: AccountTransaction;
}

/** Called with each line that failed by itself. */
type LogFailure = (line: number, error: unknown) => void;

interface LineRecording {
  store: GroupRecorder;
  logFailure: LogFailure;
}

async function* recordLines(
  checked: AsyncIterable<CheckedLine>,
  recording: LineRecording,
  note: (result: BatchResult, checked: CheckedLine) => void,
): AsyncGenerator<string> {
  // Lines are read on while others are on their way to the disk, so far ahead and no further.
  const lines = Readable.from(checked, { highWaterMark: MAX_GROUP });
  for await (const group of groupsOf<CheckedLine>(lines)) {
    const results = await recordGroup(group, recording);
    for (const [index, result] of results.entries()) note(result, group[index] as CheckedLine);
    yield results.map(resultLine).join('');
  }
}

async function* checkedLines(
  input: AsyncIterable<Uint8Array>,
  rules: ParseRules,
): AsyncGenerator<CheckedLine> {
  let checked = 0;
  try {
    for await (const sources of readNdjson(input)) {
      for (const source of sources) {
        yield checkLine(source, rules);
        if (++checked % LINES_BETWEEN_TURNS === 0) await nextTurn();
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    const [, line = '0'] = /^line (\d+)/.exec(error.message) ?? [];
    const detail = `${error.message} The stream was not read on.`;
    yield { line: Number(line), errors: [{ pointer: '', detail }] };
  }
}

/** What has come since the last group was taken: one or more. */
async function* groupsOf<Item>(items: Readable): AsyncGenerator<Item[]> {
  for await (const first of items) {
    const group: Item[] = [first];
    while (group.length < MAX_GROUP) {
      const next: Item | null = items.read();
      if (next === null) break;
      group.push(next);
    }
    yield group;
  }
}

/** The results of some lines, in their order. */
async function recordGroup(lines: readonly CheckedLine[], recording: LineRecording): Promise<BatchResult[]> {
  const results = new Map<number, BatchResult>();
  let commit = new Map<string, GoodLine>();
  const recordThem = async () => {
    for (const result of await recordOrTell([...commit.values()], recording))
      results.set(result.line, result);
    commit = new Map();
  };
  for (const one of lines) {
    // Those around it are one commit all the same.
    if ('errors' in one) {
      results.set(one.line, { line: one.line, outcome: 'invalid', errors: one.errors });
      continue;
    }
    const identity = `${one.transaction.account} ${one.transaction.reference}`;
    if (commit.has(identity)) await recordThem();
    commit.set(identity, one);
  }
  await recordThem();
  return lines.map(({ line }) => results.get(line) as BatchResult);
}

function checkLine(source: SourceLine, rules: ParseRules): CheckedLine {
  const { line } = source;
  if ('fault' in source) return { line, errors: [{ pointer: '', detail: source.fault }] };
  const parsed = parseTransaction(source.record, rules);
  const faults = 'faults' in parsed ? parsed.faults : new FaultList<FieldFault>();
  // Without one, a repeated line would be recorded twice.
  if (source.record['reference'] == null)
    faults.add({
      field: 'reference',
      detail: 'is missing; a batch assigns none, so that it can be repeated',
    });
  if ('transaction' in parsed && faults.count === 0) return { line, transaction: parsed.transaction };
  const errors = faults.listed.map(({ field, detail }) => bodyFault(field, detail));
  if (faults.unlisted > 0) errors.push({ pointer: '', detail: faults.unlistedNote });
  return { line, errors };
}

async function recordOrTell(
  group: readonly GoodLine[],
  { store, logFailure }: LineRecording,
): Promise<BatchResult[]> {
  if (group.length === 0) return [];
  let results: RecordResult[];
  try {
    results = await store.recordTransactions(group.map(({ transaction }) => transaction));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return group.map(({ line }) => ({ line, outcome: 'unavailable' }));
  }
  return Promise.all(
    group.map(async ({ line, transaction }, index) => {
      try {
        return { line, ...(await settleResult(store, transaction, results[index] as RecordResult)) };
      } catch (error) {
        if (error instanceof StoreUnavailable) return { line, outcome: 'unavailable' };
        logFailure(line, error);
        return { line, outcome: 'failed' };
      }
    }),
  );
}

function resultLine(result: BatchResult): string {
  return `${JSON.stringify(result)}\n`;
}
