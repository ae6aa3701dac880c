import { Readable } from 'node:stream';
import type { Counter } from '@prometheus-io/client';
import type { BackgroundTurns } from '../../../../values/background-turns.ts';
import { FaultList, type FieldFault } from '../../../../values/fault-list.ts';
import { type BodyFault, bodyFault, lineFault } from '../../../../values/problem.ts';
import { readLines } from '../../../../values/read-lines.ts';
import { NDJSON_FORM, readNdjsonLine } from '../../../../values/read-ndjson.ts';
import { type SourceLine, UnreadableSource } from '../../../../values/source-line.ts';
import { isStatusName } from '../../../../values/status.ts';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import type { UnavailableReason } from '../../../../values/unavailable.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { type Context, callerOf, defineOperation, NDJSON } from '../../../http/operations/operation.ts';
import { bodyResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { loggable } from '../../../http/server/begin-request.ts';
import { isWithinPrefix } from '../../../keys/api-key.ts';
import type { AccountTransaction } from '../../transaction.ts';
import { type ParseRules, parseTransaction } from '../../transaction-fields.ts';
import { type GroupRecorder, type GroupResult, outcomeOrHeld, RefusedRecording } from '../record.ts';
import { BatchLineSchema, type BatchResultBody, BatchResultSchema } from './recording-schemas.ts';

interface BatchContext extends Context<unknown> {
  rules: ParseRules;
  recorder: GroupRecorder;
  metrics: {
    recorded: Pick<Counter<'outcome'>, 'inc'>;
    countUnavailable(reason: UnavailableReason, lines: number): void;
  };
  /** Streams take turns only with each other, so that they do not wait for exports and deliveries. */
  streamTurns: BackgroundTurns;
  monotonicMs: () => number;
}

const MAX_GROUP = 500;
const MAX_PIECE_LINES = 100;
const PIECES_AHEAD = MAX_GROUP / MAX_PIECE_LINES;
/** After this time, a stream lets other work run. Five list requests take about as long. */
const TURN_MS = 0.25;

/** Each line gets its result as soon as its transaction is on disk. */
export const recordBatchOperation = defineOperation({
  method: 'POST',
  operator: {
    id: 'recordBatch',
    path: '/v1/batch',
    access: 'record',
    tag: 'recording',
    summary: 'Record a batch',
    description:
      'Send one JSON object (BatchLine) on each line. The response has one result (BatchResult) for each line, in the same ' +
      'order, as soon as the transaction is on disk. Blank lines are skipped. A faulty line gets a result too, and the stream continues. ' +
      'After a broken connection, send the lines without a result again, or all lines.',
  },
  body: { type: NDJSON, schema: Type.Ref(BatchLineSchema) },
  responses: {
    200: bodyResponse(NDJSON, 'One result for each line.', Type.Ref(BatchResultSchema), EXAMPLES.batch),
  },
  handler:
    ({ recorder, rules, metrics, keyChecks, logger, streamTurns, monotonicMs }: BatchContext) =>
    (request, reply) => {
      // A stream can last for hours. Recording a group of lines has its own time limit.
      reply.liftTimeLimit();
      const caller = callerOf(request);
      const body = request.body as Readable | null;
      const pause = pauses(streamTurns, monotonicMs);
      const lines = checkedLines(body ?? Readable.from([]), {
        pause,
        rules: { ...rules, recorded: ANY_STATUS },
        accountPrefix: caller.accountPrefix,
      });
      const log = new BatchLog();
      request.logFields = log;
      const note = (results: readonly BatchResultBody[], group: readonly CheckedLine[]) => {
        for (const [outcome, { length }] of Map.groupBy(results, (result) => result.outcome))
          metrics.recorded.inc({ outcome }, length);
        for (const [index, result] of results.entries()) {
          const checked = group[index] as CheckedLine;
          log.note(result, 'transaction' in checked ? checked.transaction : undefined);
        }
      };
      const { id: requestId, routeOptions } = request;
      const onFailure: LineRecording['onFailure'] = (lines, error) => {
        if (error instanceof StoreUnavailable) metrics.countUnavailable(error.reason, lines.length);
        logger.error(
          { requestId, route: routeOptions.url, line: lines[0]?.line, lines: lines.length, err: error },
          'could not record lines of a batch',
        );
      };
      const isAdmitted = async () => {
        try {
          return await keyChecks.isAdmittedNow(request);
        } catch (error) {
          // An outage must not end the stream. Nothing can be recorded during the outage, so the revocations
          // that this process knows are enough.
          if (error instanceof StoreUnavailable) return keyChecks.isStillAdmitted(caller);
          throw error;
        }
      };
      const results = recordLines(lines, { store: recorder, onFailure, isAdmitted, pause }, note);
      return reply.type(NDJSON).send(Readable.from(results, { objectMode: false }));
    },
});

const MAX_LOGGED_CONFLICTS = 10;

class BatchLog {
  readonly outcomes: Partial<Record<BatchResultBody['outcome'], number>> = {};
  conflicts?: object[];

  note({ line, outcome, differences }: BatchResultBody, transaction: AccountTransaction | undefined): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    if (outcome !== 'conflict' || this.conflicts?.length === MAX_LOGGED_CONFLICTS) return;
    this.conflicts ??= [];
    this.conflicts.push({
      line,
      account: loggable(transaction?.account),
      reference: loggable(transaction?.reference),
      differs: differences?.map(({ field }) => field),
    });
  }
}

type CheckedLine = GoodLine | { line: number; errors: BodyFault[] };

interface GoodLine {
  line: number;
  transaction: AccountTransaction;
}

/** Lets other work run if the stream has used its time. Otherwise, returns undefined. */
type Pause = () => Promise<void> | undefined;

function pauses(turns: BackgroundTurns, monotonicMs: () => number): Pause {
  let endsAtMs = monotonicMs() + TURN_MS;
  const resume = () => {
    endsAtMs = monotonicMs() + TURN_MS;
  };
  return () => (monotonicMs() < endsAtMs ? undefined : turns.next().then(resume));
}

interface LineRecording {
  store: GroupRecorder;
  onFailure: (lines: readonly GoodLine[], error: unknown) => void;
  isAdmitted: () => Promise<boolean>;
  pause: Pause;
}

async function* recordLines(
  checked: AsyncIterable<CheckedLine[]>,
  recording: LineRecording,
  note: (results: readonly BatchResultBody[], group: readonly CheckedLine[]) => void,
): AsyncGenerator<string> {
  const pieces = Readable.from(checked, { highWaterMark: PIECES_AHEAD });
  for await (const piece of pieces) {
    const group: CheckedLine[] = piece;
    while (group.length <= MAX_GROUP - MAX_PIECE_LINES) {
      const next = pieces.read();
      if (next === null) break;
      group.push(...next);
    }
    // Checked for each group, because a stream can continue for hours after its key was revoked or expired.
    const isAdmitted = await recording.isAdmitted();
    if (!isAdmitted) group.splice(0, group.length, notAdmitted(group[0]?.line ?? 0));
    const results = await recordGroup(group, recording);
    await recording.pause();
    note(results, group);
    yield results.map((result) => `${JSON.stringify(result)}\n`).join('');
    if (!isAdmitted) return;
    await recording.pause();
  }
}

const notAdmitted = (line: number): CheckedLine => ({
  line,
  errors: [
    lineFault('invalid_api_key', 'The API key is no longer accepted. The rest of the stream was not read.'),
  ],
});

/** The recorder checks the status. A query for the declared statuses here could fail, and end the stream. */
const ANY_STATUS = { has: isStatusName };

interface LineRules {
  rules: ParseRules;
  accountPrefix: string | null;
  pause: Pause;
}

async function* checkedLines(
  input: AsyncIterable<Uint8Array>,
  lineRules: LineRules,
): AsyncGenerator<CheckedLine[]> {
  let line = 0;
  try {
    for await (const texts of readLines(input, NDJSON_FORM)) {
      let checked: CheckedLine[] = [];
      for (const text of texts) {
        const source = readNdjsonLine(text, ++line);
        if (source !== undefined) checked.push(checkLine(source, lineRules));
        if (checked.length === MAX_PIECE_LINES) {
          yield checked;
          checked = [];
        }
        const pause = lineRules.pause();
        if (pause !== undefined) await pause;
      }
      if (checked.length > 0) yield checked;
    }
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    const [, at = '0'] = /^line (\d+)/.exec(error.message) ?? [];
    const detail = `${error.message} The rest of the stream was not read.`;
    yield [{ line: Number(at), errors: [lineFault('invalid_line', detail)] }];
  }
}

async function recordGroup(
  lines: readonly CheckedLine[],
  recording: LineRecording,
): Promise<BatchResultBody[]> {
  const results = new Map<number, BatchResultBody>();
  let commit = new Map<string, GoodLine>();
  const recordCommit = async () => {
    const { store } = recording;
    const byNode = Map.groupBy(commit.values(), ({ transaction }) => store.nodeOf?.(transaction.account));
    await Promise.all(
      byNode.values().map(async (own) => {
        for (const result of await recordTransactions(own, recording)) results.set(result.line, result);
      }),
    );
    commit = new Map();
  };
  for (const checked of lines) {
    if ('errors' in checked) {
      results.set(checked.line, { line: checked.line, outcome: 'invalid', errors: checked.errors });
      continue;
    }
    // A commit can contain a transaction only once. Its second line begins the next commit.
    const identity = `${checked.transaction.account} ${checked.transaction.reference}`;
    if (commit.has(identity)) await recordCommit();
    commit.set(identity, checked);
  }
  await recordCommit();
  return lines.map(({ line }) => results.get(line) as BatchResultBody);
}

function checkLine(source: SourceLine, { rules, accountPrefix }: LineRules): CheckedLine {
  const { line } = source;
  if ('fault' in source) return { line, errors: [lineFault('invalid_line', source.fault)] };
  const parsed = parseTransaction(source.record, rules);
  const faults = 'faults' in parsed ? parsed.faults : new FaultList<FieldFault>();
  // Requires a reference, because a repeated line without one would be recorded twice.
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

async function recordTransactions(
  group: readonly GoodLine[],
  { store, onFailure }: LineRecording,
): Promise<BatchResultBody[]> {
  if (group.length === 0) return [];
  const failed = (lines: readonly GoodLine[], error: unknown): BatchResultBody[] => {
    onFailure(lines, error);
    const outcome = error instanceof StoreUnavailable ? 'unavailable' : 'failed';
    return lines.map(({ line }) => ({ line, outcome }));
  };
  let results: readonly GroupResult[];
  try {
    results = (await store.record(group.map(({ transaction }) => transaction))) as GroupResult[];
  } catch (error) {
    return failed(group, error);
  }
  if (results.some(({ outcome }) => outcome === 'held'))
    results = await Promise.all(
      group.map(({ transaction }, index) =>
        outcomeOrHeld(store, transaction, results[index] as GroupResult).catch(
          (error): GroupResult => ({ outcome: 'failed', error }),
        ),
      ),
    );
  const answered: BatchResultBody[] = [];
  const failures: { good: GoodLine; error: unknown }[] = [];
  for (const [index, good] of group.entries()) {
    const { line } = good;
    const result = results[index] as Exclude<GroupResult, { outcome: 'held' }>;
    if (result.outcome === 'conflict') answered.push({ line, ...result });
    else if (result.outcome !== 'failed') answered.push({ line, outcome: result.outcome });
    else if (result.error instanceof RefusedRecording)
      answered.push({ line, outcome: 'invalid', errors: [bodyFault(result.error.fault)] });
    else failures.push({ good, error: result.error });
  }
  for (const [error, lines] of Map.groupBy(failures, (one) => one.error))
    answered.push(
      ...failed(
        lines.map(({ good }) => good),
        error,
      ),
    );
  return answered;
}
