import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ParseRules, parseTransaction } from '../../../core/parse-transaction.ts';
import { readNdjson } from '../../../core/read-ndjson.ts';
import { type SourceLine, UnreadableSource } from '../../../core/source-line.ts';
import { StoreUnavailable, type TransactionRecorder } from '../../../core/store.ts';
import type { AccountTransaction } from '../../../core/transaction.ts';
import type { requireApiKey } from '../../authenticate.ts';
import type { BatchResult } from '../../schemas/operator.ts';
import { successHeaders } from '../../schemas/problem.ts';
import { pointerTo } from './record-transaction.ts';
import { operatorProblems } from './responses.ts';

export interface RecordBatchDependencies {
  store: Pick<TransactionRecorder, 'recordTransactions'>;
  rules: ParseRules;
  authenticate: ReturnType<typeof requireApiKey>;
}

const NDJSON = 'application/x-ndjson';

/** So many lines are one commit. */
const MAX_GROUP = 500;

/** Records a stream of transactions while it comes, and answers each line as soon as it is on the disk. */
export async function recordBatchRoute(
  app: FastifyInstance,
  dependencies: RecordBatchDependencies,
): Promise<void> {
  await app.register(async (scope) => {
    // It takes streams alone, and nothing else takes them.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(NDJSON, (_request, payload, done) => done(null, payload));
    addRoute(scope, dependencies);
  });
}

function addRoute(app: FastifyInstance, { store, rules, authenticate }: RecordBatchDependencies): void {
  app.post<{ Body: Readable | null }>('/v1/transactions/batch', {
    onRequest: authenticate,
    validatorCompiler: () => () => true,
    // The stream has no length to be bounded by: it is read line by line.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    schema: {
      operationId: 'recordBatch',
      tags: ['recording'],
      summary: 'Record a stream of transactions',
      description:
        'One JSON object on each line: the fields of TransactionFact with account and reference. One result line for each, in ' +
        'their order, once it is on the disk; blank lines get none. A faulty line is answered in its place, and the stream goes on. ' +
        'After a broken connection, send the lines without an answer again, or all of them.',
      security: [{ apiKey: [] }],
      consumes: [NDJSON],
      body: Type.Object({}, { description: 'A stream of JSON objects.' }),
      response: {
        200: {
          description: 'A line for each line.',
          headers: successHeaders,
          content: { [NDJSON]: { schema: Type.Ref('BatchResult') } },
        },
        ...operatorProblems,
      },
    },
    handler: (request, reply) => {
      const results = recordLines(request.body ?? Readable.from([]), store, rules);
      return reply.type(NDJSON).send(Readable.from(results, { objectMode: false }));
    },
  });
}

async function* recordLines(
  input: AsyncIterable<Uint8Array>,
  store: Pick<TransactionRecorder, 'recordTransactions'>,
  rules: ParseRules,
): AsyncGenerator<string> {
  try {
    for await (const lines of readNdjson(input)) {
      for (let start = 0; start < lines.length; start += MAX_GROUP) {
        yield await recordGroup(lines.slice(start, start + MAX_GROUP), store, rules);
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    const [, line = '0'] = /^line (\d+)/.exec(error.message) ?? [];
    yield resultLine({
      line: Number(line),
      outcome: 'invalid',
      errors: [{ pointer: '', detail: `${error.message} The stream was not read on.` }],
    });
  }
}

/** The results of some lines, in their order, as text. */
async function recordGroup(
  lines: readonly SourceLine[],
  store: Pick<TransactionRecorder, 'recordTransactions'>,
  rules: ParseRules,
): Promise<string> {
  const results: BatchResult[] = [];
  let group: { line: number; transaction: AccountTransaction }[] = [];
  const recordThem = async () => {
    results.push(...(await recordOrTell(group, store)));
    group = [];
  };
  for (const source of lines) {
    const { line } = source;
    const read =
      'fault' in source
        ? { errors: [{ pointer: '', detail: source.fault }] }
        : readLine(source.record, rules);
    if ('errors' in read) {
      // What stands before it is answered before it.
      await recordThem();
      results.push({ line, outcome: 'invalid', errors: read.errors });
      continue;
    }
    const { transaction } = read;
    if (group.some((one) => isSame(one.transaction, transaction))) await recordThem();
    group.push({ line, transaction });
  }
  await recordThem();
  return results.map(resultLine).join('');
}

const isSame = (one: AccountTransaction, other: AccountTransaction) =>
  one.reference === other.reference && one.account === other.account;

function readLine(
  record: Readonly<Record<string, unknown>>,
  rules: ParseRules,
): { transaction: AccountTransaction } | { errors: { pointer: string; detail: string }[] } {
  const parsed = parseTransaction(record, rules);
  const faults = 'faults' in parsed ? parsed.faults : [];
  // Without one, a repeated line would be recorded twice.
  if (record['reference'] == null)
    faults.push({
      field: 'reference',
      detail: 'is missing; a batch assigns none, so that it can be repeated',
    });
  if ('transaction' in parsed && faults.length === 0) return parsed;
  return { errors: faults.map(({ field, detail }) => ({ pointer: pointerTo(field), detail })) };
}

async function recordOrTell(
  group: readonly { line: number; transaction: AccountTransaction }[],
  store: Pick<TransactionRecorder, 'recordTransactions'>,
): Promise<BatchResult[]> {
  if (group.length === 0) return [];
  try {
    const outcomes = await store.recordTransactions(group.map(({ transaction }) => transaction));
    return outcomes.map((outcome, index) => ({ line: group[index]?.line as number, ...outcome }));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return group.map(({ line }) => ({ line, outcome: 'unavailable' }));
  }
}

function resultLine(result: BatchResult): string {
  return `${JSON.stringify(result)}\n`;
}
