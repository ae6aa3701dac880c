import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { callerOf } from '../../../http/access/caller.ts';
import { type Context, defineOperation, NDJSON } from '../../../http/operations/operation.ts';
import { type BodyFault, bodyFault, lineFault } from '../../../http/problems/body-fault.ts';
import { bodyResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { isWithinPrefix } from '../../../keys/scopes.ts';
import { readNdjson } from '../../../operate/import/read-ndjson.ts';
import { type SourceLine, UnreadableSource } from '../../../operate/import/source-line.ts';
import { FaultList } from '../../../values/fault-list.ts';
import type { FieldFault } from '../../../values/field-fault.ts';
import { isStatusName } from '../../../values/status.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import type { UnavailableReason } from '../../../values/unavailable.ts';
import type { AccountTransaction } from '../../transaction.ts';
import { type GroupRecorder, settleResult } from '../group-commit.ts';
import { type ParseRules, parseTransaction } from '../parse-transaction.ts';
import { RefusedRecording } from '../recording-limits.ts';
import type { RecordResult } from '../transaction-recorder.ts';
import { BATCH_EXAMPLES } from './batch-examples.ts';
import { BatchLog } from './batch-log.ts';
import { BatchLine, BatchResult } from './batch-schemas.ts';

export interface BatchContext extends Context<unknown> {
  rules: ParseRules;
  /** Counts nothing: the lines that are not recorded are counted too. */
  lineRecorder: GroupRecorder;
  /** Counts the outcome of each line, and why lines are not recorded. */
  metrics: {
    countRecorded(outcome: string): void;
    countUnavailable(reason: UnavailableReason, lines: number): void;
  };
}

/** The most lines in one commit, when lines arrive faster than they are recorded. */
const MAX_GROUP = 500;
/** Lines that are checked before other requests get a turn of the event loop. */
const LINES_BETWEEN_TURNS = 16;

/** Records a stream of transactions while it arrives, and answers each line as soon as its transaction is on disk. */
export const recordBatch = defineOperation({
  method: 'POST',
  operator: {
    id: 'recordBatch',
    path: '/v1/batch',
    access: 'record',
    tag: 'recording',
    summary: 'Record a stream of transactions',
    description:
      'Send one JSON object (BatchLine) on each line. The response has one result (BatchResult) for each line, in the same ' +
      'order, as soon as the transaction is on disk. Blank lines are skipped. A faulty line gets a result too, and the stream continues. ' +
      'After a broken connection, send the lines without a result again, or all lines.',
  },
  body: { type: NDJSON, schema: Type.Ref(BatchLine) },
  responses: {
    200: bodyResponse(NDJSON, 'One result for each line.', Type.Ref(BatchResult), BATCH_EXAMPLES),
  },
  handler:
    ({ lineRecorder, rules, metrics, keyChecks, logger }: BatchContext) =>
    (request, reply) => {
      // A stream can last for hours. Recording each group of its lines has a time limit instead.
      reply.liftTimeLimit();
      const caller = callerOf(request);
      const body = request.body as Readable | null;
      const lines = checkedLines(body ?? Readable.from([]), {
        rules: { ...rules, recorded: ANY_STATUS },
        accountPrefix: caller.accountPrefix,
        isAdmitted: async () => {
          try {
            return await keyChecks.isAdmittedNow(request);
          } catch (error) {
            // The lines fail for the same reason, each with a result of its own.
            if (error instanceof StoreUnavailable) return keyChecks.isStillAdmitted(caller);
            throw error;
          }
        },
      });
      const log = new BatchLog();
      request.logFields = log;
      const note = (result: BatchResult, checked: CheckedLine) => {
        metrics.countRecorded(result.outcome);
        log.note(result, 'transaction' in checked ? checked.transaction : undefined);
      };
      const { id: requestId, routeOptions } = request;
      const onFailure: OnFailure = (lines, error) => {
        if (error instanceof StoreUnavailable) metrics.countUnavailable(error.reason, lines.length);
        logger.error(
          { requestId, route: routeOptions.url, line: lines[0]?.line, lines: lines.length, err: error },
          'could not record lines of a batch',
        );
      };
      const results = recordLines(lines, { store: lineRecorder, onFailure }, note);
      return reply.type(NDJSON).send(Readable.from(results, { objectMode: false }));
    },
});

/** A line that was read and checked: its transaction, or its faults. */
type CheckedLine = GoodLine | { line: number; errors: BodyFault[] };

interface GoodLine {
  line: number;
  transaction: AccountTransaction;
}

/** Called with lines whose recording failed together, and the cause. */
type OnFailure = (lines: readonly GoodLine[], error: unknown) => void;

interface LineRecording {
  store: GroupRecorder;
  onFailure: OnFailure;
}

async function* recordLines(
  checked: AsyncIterable<CheckedLine>,
  recording: LineRecording,
  note: (result: BatchResult, checked: CheckedLine) => void,
): AsyncGenerator<string> {
  // Reads at most one group ahead of the group that is being recorded.
  const lines = Readable.from(checked, { highWaterMark: MAX_GROUP });
  for await (const group of groupsOf<CheckedLine>(lines)) {
    const results = await recordGroup(group, recording);
    for (const [index, result] of results.entries()) note(result, group[index] as CheckedLine);
    yield results.map(resultLine).join('');
  }
}

/** The recorder refuses a status that is not declared, and looks many lines up at once: reading the recorded statuses would fail all. */
const ANY_STATUS = { has: isStatusName };

interface LineRules {
  rules: ParseRules;
  /** The prefix of the caller's key. */
  accountPrefix: string | null;
  /** Whether the caller's key is still accepted. */
  isAdmitted: () => Promise<boolean>;
}

async function* checkedLines(
  input: AsyncIterable<Uint8Array>,
  lineRules: LineRules,
): AsyncGenerator<CheckedLine> {
  let checked = 0;
  try {
    for await (const sources of readNdjson(input)) {
      for (const [index, source] of sources.entries()) {
        // A stream can go on for hours after its key was revoked or has expired. The lines of one piece arrived together.
        if (index === 0 && !(await lineRules.isAdmitted())) {
          const detail = 'The API key is no longer accepted. The rest of the stream was not read.';
          yield { line: source.line, errors: [lineFault('invalid_api_key', detail)] };
          return;
        }
        yield checkLine(source, lineRules);
        if (++checked % LINES_BETWEEN_TURNS === 0) await nextTurn();
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    const [, line = '0'] = /^line (\d+)/.exec(error.message) ?? [];
    const detail = `${error.message} The rest of the stream was not read.`;
    yield { line: Number(line), errors: [lineFault('invalid_line', detail)] };
  }
}

/** Groups of the items that have arrived since the last group: one item or more. */
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

/** Records a group of lines. Returns their results in the same order. */
async function recordGroup(lines: readonly CheckedLine[], recording: LineRecording): Promise<BatchResult[]> {
  const results = new Map<number, BatchResult>();
  let commit = new Map<string, GoodLine>();
  const recordCommit = async () => {
    const { store } = recording;
    const byServer = Map.groupBy(commit.values(), ({ transaction }) => store.serverOf?.(transaction.account));
    // Each server has a time limit of its own: one that does not respond fails its own lines alone.
    await Promise.all(
      byServer.values().map(async (own) => {
        for (const result of await recordTransactions(own, recording)) results.set(result.line, result);
      }),
    );
    commit = new Map();
  };
  for (const checked of lines) {
    // A faulty line does not split the commit.
    if ('errors' in checked) {
      results.set(checked.line, { line: checked.line, outcome: 'invalid', errors: checked.errors });
      continue;
    }
    // A commit has each transaction once: a repeated one is compared with the one recorded before.
    const identity = `${checked.transaction.account} ${checked.transaction.reference}`;
    if (commit.has(identity)) await recordCommit();
    commit.set(identity, checked);
  }
  await recordCommit();
  return lines.map(({ line }) => results.get(line) as BatchResult);
}

function checkLine(source: SourceLine, { rules, accountPrefix }: LineRules): CheckedLine {
  const { line } = source;
  if ('fault' in source) return { line, errors: [lineFault('invalid_line', source.fault)] };
  const parsed = parseTransaction(source.record, rules);
  const faults = 'faults' in parsed ? parsed.faults : new FaultList<FieldFault>();
  // Without a reference, a repeated line would be recorded twice.
  if (source.record['reference'] == null)
    faults.add({
      field: 'reference',
      code: 'missing_field',
      detail: 'is missing; a batch assigns no references, because it must be safe to repeat',
    });
  const { account } = source.record;
  if (typeof account === 'string' && !isWithinPrefix(account, accountPrefix))
    faults.add({
      field: 'account',
      code: 'account_not_allowed',
      detail: `does not begin with "${accountPrefix}", as the accounts of this API key do`,
    });
  if ('transaction' in parsed && faults.count === 0) return { line, transaction: parsed.transaction };
  const errors = faults.listed.map(bodyFault);
  if (faults.unlisted > 0) errors.push(lineFault('unlisted_faults', faults.unlistedNote));
  return { line, errors };
}

interface Failure {
  good: GoodLine;
  error: unknown;
}

/** The result of each line, in any order; `unavailable` or `failed` instead of an error. */
async function recordTransactions(
  group: readonly GoodLine[],
  { store, onFailure }: LineRecording,
): Promise<BatchResult[]> {
  if (group.length === 0) return [];
  const failed = (lines: readonly GoodLine[], error: unknown): BatchResult[] => {
    onFailure(lines, error);
    const outcome = error instanceof StoreUnavailable ? 'unavailable' : 'failed';
    return lines.map(({ line }) => ({ line, outcome }));
  };
  let results: RecordResult[];
  try {
    results = await store.recordTransactions(group.map(({ transaction }) => transaction));
  } catch (error) {
    return failed(group, error);
  }
  const settled = await Promise.all(
    group.map(async (good, index): Promise<BatchResult | Failure> => {
      try {
        const { line, transaction } = good;
        const result = await settleResult(store, transaction, results[index] as RecordResult);
        if (result.outcome === 'conflict') return { line, ...result };
        return { line, outcome: result.outcome };
      } catch (error) {
        if (!(error instanceof RefusedRecording)) return { good, error };
        return { line: good.line, outcome: 'invalid', errors: [bodyFault(error.fault)] };
      }
    }),
  );
  // Lines that failed for one reason, such as a missing right, are one entry of the log.
  const failures = settled.filter((one): one is Failure => 'error' in one);
  const byCause = Map.groupBy(failures, ({ error }) => error);
  const answered = settled.filter((one): one is BatchResult => 'outcome' in one);
  for (const [error, lines] of byCause)
    answered.push(
      ...failed(
        lines.map(({ good }) => good),
        error,
      ),
    );
  return answered;
}

function resultLine(result: BatchResult): string {
  return `${JSON.stringify(result)}\n`;
}
