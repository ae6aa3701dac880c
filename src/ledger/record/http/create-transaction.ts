import { hash } from 'node:crypto';
import { Problem } from '../../../../values/problem.ts';
import { quote } from '../../../../values/quote.ts';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import {
  IDEMPOTENCY_KEY_HEADER,
  REPLAYED_HEADER,
  requireIdempotencyKey,
} from '../../../http/operations/idempotency-key.ts';
import { defineOperation } from '../../../http/operations/operation.ts';
import { jsonResponse } from '../../../http/schemas/responses.ts';
import { Type } from '../../../http/schemas/type.ts';
import { loggable } from '../../../http/server/begin-request.ts';
import type { Change, ChangeReader } from '../../changes/change.ts';
import { detailDifferences } from '../../details.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { TransactionSchema, transactionBody } from '../../http/transaction-schemas.ts';
import type { AccountTransaction } from '../../transaction.ts';
import { differencesBetween, type MadeChange, type RecordOnceOutcome, recordOnce } from '../record.ts';
import {
  RECORDING_HEADERS,
  type RecordingContext,
  readTransaction,
  recordingHeaders,
  TransactionRequestSchema,
} from './record-transaction.ts';

const ASSIGNED = {
  ...EXAMPLES.transaction.completed.value,
  reference: 'tx_019d3e14-21c0-7157-91dc-ccb741736fcb',
};

export const createTransactionOperation = defineOperation({
  method: 'POST',
  operator: {
    id: 'createTransaction',
    path: '/v1/accounts/:account/transactions',
    access: 'record',
    tag: 'recording',
    summary: 'Create a transaction',
    description:
      'Records a transaction under a reference that the service assigns. The header Idempotency-Key makes the request safe to repeat: the same key with the same fields gets the first response ' +
      'again, for as long as the transaction is stored, with the header Idempotency-Replayed.',
  },
  pathParameters: { account: ACCOUNT },
  headers: IDEMPOTENCY_KEY_HEADER,
  body: { type: 'application/json', schema: Type.Ref(TransactionRequestSchema) },
  responses: {
    201: jsonResponse(
      'Recorded, now or by an earlier identical request.',
      Type.Ref(TransactionSchema),
      { recorded: { summary: 'With a reference that the service assigned', value: ASSIGNED } },
      { ...RECORDING_HEADERS, ...REPLAYED_HEADER },
    ),
  },
  problems: ['idempotency_key_missing', 'idempotency_key_reused'],
  handler:
    ({ store, recorder, rules, metrics }: RecordingContext) =>
    async (request, reply) => {
      const key = requireIdempotencyKey(request);
      const transaction = await readTransaction(request.body, request.params, rules);
      const recorded = await recordOnce(recorder, transaction, {
        key,
        fingerprint: fingerprintOf(transaction),
      });
      metrics.recorded.inc({ outcome: recorded.outcome });
      if (recorded.outcome === 'not_recorded')
        throw new Error('a recording that is refused throws its fault');
      if (recorded.outcome === 'key_reused') throw await keyReused(store, recorded.reference, transaction);
      const { account } = transaction;
      const isReplayed = recorded.outcome === 'repeated';
      const { reference } = recorded;
      request.logFields = { reference: loggable(reference) };
      const first = isReplayed ? await firstChange(store, account, reference) : undefined;
      if (isReplayed && first === undefined) throw new StoreUnavailable('history_replaced');
      // The fingerprint does not cover details, so details are compared here.
      if (
        first !== undefined &&
        detailDifferences(first.transaction, transaction, { canAdd: false }).length > 0
      )
        throw await keyReused(store, reference, transaction);
      const change: MadeChange = first ?? (recorded as RecordOnceOutcome & MadeChange);
      if (isReplayed) reply.header('Idempotency-Replayed', 'true');
      return reply
        .code(201)
        .headers(recordingHeaders(account, isReplayed ? 'unchanged' : 'recorded', change))
        .send(transactionBody(first?.transaction ?? { ...transaction, reference }));
    },
});

async function firstChange(
  store: Pick<ChangeReader, 'listTransactionChanges'>,
  account: string,
  reference: string,
): Promise<Change | undefined> {
  const [first] = (await store.listTransactionChanges(account, reference)) ?? [];
  return first;
}

async function keyReused(
  store: Pick<ChangeReader, 'listTransactionChanges'>,
  reference: string,
  given: AccountTransaction,
): Promise<Problem> {
  const first = await firstChange(store, given.account, reference);
  const differences = first && differencesBetween(first.transaction, given);
  const other =
    differences === undefined
      ? `other fields. The transaction ${quote(reference)} of that request is not stored any more, so the fields are not listed`
      : `a different ${differences.map(({ field }) => field).join(', ')}`;
  return new Problem(
    'idempotency_key_reused',
    `This Idempotency-Key was already used for a transaction with ${other}. Use a new key for a new transaction.`,
    differences && { differences },
  );
}

/** Fingerprints are stored, so never change how they are made. Leaves out details, which can be removed. */
export function fingerprintOf({ reference: _, details: _details, ...fields }: AccountTransaction): string {
  const counted = Object.entries(fields).filter(([, value]) => value !== null);
  return hash('sha256', JSON.stringify(counted.sort()), 'hex');
}
