import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Counter } from '@prometheus-io/client';
import type { Details } from '../../../../values/detail-name.ts';
import { FaultList } from '../../../../values/fault-list.ts';
import type { FieldFault } from '../../../../values/field-fault.ts';
import type { ColumnField, WholeField } from '../../../../values/interface/fields.ts';
import { faultyFields, Problem } from '../../../../values/problem.ts';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import {
  type Context,
  defineOperation,
  type JsonBody,
  requireBody,
} from '../../../http/operations/operation.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { type Schema, Type } from '../../../http/schemas/type.ts';
import { type Change, type ChangeReader, changeId } from '../../changes/change.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import { detailsSchema, TransactionSchema, transactionBody } from '../../http/transaction-schemas.ts';
import type { AccountTransaction } from '../../transaction.ts';
import { FIELD_LIST, type ParseRules, parseTransaction } from '../../transaction-fields.ts';
import {
  contradictsFinalStatus,
  type GroupRecorder,
  type MadeChange,
  type RecordOutcome,
} from '../record.ts';
import { GroupCommit } from '../request-recorder.ts';

export interface RecordingContext extends Context<Pick<ChangeReader, 'listTransactionChanges'>> {
  recorder: GroupRecorder;
  metrics: { recorded: Pick<Counter<'outcome'>, 'inc'> };
  rules: ParseRules;
}

export async function readTransaction(
  sent: JsonBody,
  path: { account: string; reference?: string },
  rules: ParseRules,
): Promise<AccountTransaction> {
  const body = requireBody(sent);
  const { status } = body;
  if (typeof status === 'string' && !rules.statuses.has(status)) await rules.recorded?.readFor?.(status);
  const faults = new FaultList<FieldFault>();
  for (const field of ['account', 'reference'] as const) {
    if (field in body && body[field] !== path[field])
      faults.add({
        field,
        code: 'contradicts_path',
        detail:
          path[field] === undefined
            ? 'is made by the service here; leave it out of the body, or record under a reference of yours with PUT'
            : 'differs from the path; leave it out of the body, or write the same value',
      });
  }
  // Changes `body` instead of a copy, because copying a large body could cost more than everything else.
  const parsed = parseTransaction(Object.assign(body, path), rules, faults);
  if ('faults' in parsed) throw faultyFields(parsed.faults);
  return parsed.transaction;
}

export const RECORDING_HEADERS = {
  'Recording-Outcome': Type.OpenEnum(
    ['recorded', 'changed', 'unchanged'],
    'recorded: the transaction is new. changed: it took another status. unchanged: it was recorded like this already.',
  ),
  'Change-Sequence': Type.String({
    description: 'The number of the change that recorded the transaction like this.',
    examples: ['7'],
  }),
  'Change-Id': Type.String({
    description: 'The id of this change.',
    examples: ['chg_Zt7vJ2mXq0YtR5cQe1WbKd'],
  }),
} as const satisfies Record<string, Schema>;

type RecordingHeaders = Record<keyof typeof RECORDING_HEADERS, string>;

/** `change` is the change that this request made, or the earlier change that this request repeats. */
export function recordingHeaders(
  account: string,
  outcome: 'recorded' | 'changed' | 'unchanged',
  change: MadeChange,
): RecordingHeaders {
  return {
    'Recording-Outcome': outcome,
    'Change-Sequence': String(change.sequence),
    'Change-Id': changeId(account, change),
  };
}

export const transactionFields = Object.fromEntries(
  FIELD_LIST.flatMap(({ name, request, example, absent, read }): [string, Schema][] => {
    if (request === undefined) return [];
    const keywords = { ...request, examples: [example] };
    if (absent !== 'null') return [[name, Type.String(keywords)]];
    const schema = read === undefined ? Type.Nullable(keywords) : detailsSchema(keywords, ['object', 'null']);
    return [[name, Type.Optional(schema as Schema)]];
  }),
) as Readonly<Record<Exclude<WholeField, 'reference'> | ColumnField, Schema<string | null>>> & {
  readonly details: Schema<Details | null>;
};

const { reference: _, ...EXAMPLE_FIELDS } = EXAMPLES.transaction.completed.value;

export const TransactionRequestSchema = Type.Object(transactionFields, {
  $id: 'TransactionRequest',
  title: 'TransactionRequest',
  examples: [EXAMPLE_FIELDS],
});

export const recordTransactionOperation = defineOperation({
  method: 'PUT',
  operator: {
    id: 'recordTransaction',
    path: '/v1/accounts/:account/transactions/:reference',
    access: 'record',
    tag: 'recording',
    summary: 'Record a transaction',
    description:
      'Send the whole transaction. Sending the same transaction again changes nothing. A pending transaction can change ' +
      'its status once; any other difference is refused. The response is sent after the transaction is on disk, and its headers say what was done.',
  },
  pathParameters: { account: ACCOUNT, reference: REFERENCE },
  body: { type: 'application/json', schema: Type.Ref(TransactionRequestSchema) },
  responses: {
    200: jsonResponse(
      'Changed, or already recorded.',
      Type.Ref(TransactionSchema),
      {
        paid: {
          summary: 'A pending transaction that is now completed',
          value: EXAMPLES.transaction.completed.value,
        },
      },
      RECORDING_HEADERS,
    ),
    201: jsonResponse(
      'Recorded.',
      Type.Ref(TransactionSchema),
      { recorded: { summary: 'A new transaction', value: EXAMPLES.transaction.completed.value } },
      RECORDING_HEADERS,
    ),
  },
  problems: ['transaction_conflict'],
  handler: ({ store, recorder, rules, metrics }: RecordingContext) => {
    const groupCommit = new GroupCommit(recorder, nextTurn);

    return async (request, reply) => {
      const transaction = await readTransaction(request.body, request.params, rules);
      const recorded = await groupCommit.record(transaction);
      metrics.recorded.inc({ outcome: recorded.outcome });
      if (recorded.outcome === 'conflict') {
        const fields = recorded.differences.map(({ field }) => field).join(', ');
        const isFinal = contradictsFinalStatus(recorded.differences);
        throw new Problem(
          'transaction_conflict',
          `The transaction is already recorded with a different ${fields}.${isFinal ? ' A final status never changes: record what followed, such as a refund, as a transaction of its own with relatedTo.' : ''}`,
          { differences: recorded.differences },
        );
      }
      const { outcome } = recorded;
      const earlier = outcome === 'unchanged' ? await earlierChange(store, transaction) : undefined;
      const change: MadeChange = earlier ?? (recorded as RecordOutcome & MadeChange);
      return reply
        .code(outcome === 'recorded' ? 201 : 200)
        .headers(recordingHeaders(transaction.account, outcome, change))
        .send(transactionBody(earlier?.transaction ?? shownAfter(transaction, recorded)));
    };
  },
});

/** If details were removed while the transaction was pending, they stay removed. */
const shownAfter = (given: AccountTransaction, recorded: RecordOutcome): AccountTransaction =>
  recorded.outcome === 'changed' && recorded.detailsRemovedAtMs != null
    ? { ...given, details: null, detailsRemovedAtMs: recorded.detailsRemovedAtMs }
    : given;

async function earlierChange(
  store: Pick<ChangeReader, 'listTransactionChanges'>,
  { account, reference, status }: AccountTransaction,
): Promise<Change> {
  const changes = await store.listTransactionChanges(account, reference);
  const earlier = changes?.find(({ transaction }) => transaction.status === status);
  // The transaction was archived or erased meanwhile.
  if (earlier === undefined) throw new StoreUnavailable('history_replaced');
  return earlier;
}
