import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { ACCOUNT } from '../../../accounts/http/account-parameter.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import { defineOperation } from '../../../http/operations/operation.ts';
import { Problem } from '../../../http/problems/problem.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import type { Change, ChangeReader } from '../../changes/change.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import { Transaction, transactionBody } from '../../http/transaction-schemas.ts';
import type { AccountTransaction } from '../../transaction.ts';
import { GroupCommit } from '../group-commit.ts';
import { contradictsFinalStatus } from '../record-transaction.ts';
import type { MadeChange, RecordOutcome } from '../transaction-recorder.ts';
import { TransactionRequest } from './record-schemas.ts';
import {
  problemOfRecording,
  RECORDING_HEADERS,
  type RecordingContext,
  readTransaction,
  recordingHeaders,
} from './recording.ts';

/** Records one transaction under the operator's reference. */
export const recordTransaction = defineOperation({
  method: 'PUT',
  operator: {
    id: 'recordTransaction',
    path: '/v1/accounts/:account/transactions/:reference',
    access: 'record',
    tag: 'recording',
    summary: 'Record a transaction, or its payment',
    description:
      'Send the whole transaction. Sending the same transaction again changes nothing. A pending transaction can change ' +
      'its status once; any other difference is refused. The response is sent after the transaction is on disk, and its headers say what was done.',
  },
  pathParameters: { account: ACCOUNT, reference: REFERENCE },
  body: { type: 'application/json', schema: Type.Ref(TransactionRequest) },
  responses: {
    200: jsonResponse(
      'Changed, or already recorded.',
      Type.Ref(Transaction),
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
      Type.Ref(Transaction),
      { recorded: { summary: 'A new transaction', value: EXAMPLES.transaction.completed.value } },
      RECORDING_HEADERS,
    ),
  },
  problems: ['transaction_conflict'],
  problemOf: problemOfRecording,
  handler: ({ store, recorder, rules, metrics }: RecordingContext) => {
    const groupCommit = new GroupCommit(recorder, nextTurn);

    return async (request, reply) => {
      const transaction = await readTransaction(request.body, request.params, rules);
      const recorded = await groupCommit.record(transaction);
      metrics.countRecorded(recorded.outcome);
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

/** The details of a transaction that becomes final can have been removed before: they stay removed. */
const shownAfter = (given: AccountTransaction, recorded: RecordOutcome): AccountTransaction =>
  recorded.outcome === 'changed' && recorded.detailsRemovedAtMs != null
    ? { ...given, details: null, detailsRemovedAtMs: recorded.detailsRemovedAtMs }
    : given;

/**
 * The change that recorded the transaction as it was sent, which can have become final since it was compared. Read only if it is repeated, which
 * is rare.
 */
async function earlierChange(
  store: Pick<ChangeReader, 'listTransactionChanges'>,
  { account, reference, status }: AccountTransaction,
): Promise<Change> {
  const changes = await store.listTransactionChanges(account, reference);
  const earlier = changes?.find(({ transaction }) => transaction.status === status);
  // It was archived or erased since.
  if (earlier === undefined) throw new StoreUnavailable('history_replaced');
  return earlier;
}
