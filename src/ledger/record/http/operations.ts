import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Counter } from '@prometheus-io/client';
import { FaultList, type FieldFault } from '../../../../values/fault-list.ts';
import { faultyFields, Problem } from '../../../../values/problem.ts';
import { quote } from '../../../../values/quote.ts';
import { StoreUnavailable } from '../../../../values/store-errors.ts';
import { auditEntry } from '../../../audit/audit.ts';
import type { AuditContext } from '../../../audit/http/request-origin.ts';
import { EXAMPLES } from '../../../http/examples.ts';
import {
  IDEMPOTENCY_KEY_HEADER,
  REPLAYED_HEADER,
  requireIdempotencyKey,
} from '../../../http/operations/idempotency-key.ts';
import {
  type Context,
  defineOperation,
  type JsonBody,
  requireBody,
} from '../../../http/operations/operation.ts';
import { emptyResponse, jsonResponse } from '../../../http/schemas/responses.ts';
import { type Schema, Type } from '../../../http/schemas/type.ts';
import { loggable } from '../../../http/server/begin-request.ts';
import type { ArchiveReader } from '../../archives/archive.ts';
import { type Change, type ChangeReader, changeId } from '../../changes/change.ts';
import { detailDifferences } from '../../details.ts';
import { ACCOUNT } from '../../http/account-parameter.ts';
import { transactionNotFound } from '../../http/archived-before.ts';
import { REFERENCE } from '../../http/reference-parameter.ts';
import { TransactionSchema, transactionBody } from '../../http/transaction-schemas.ts';
import type { AccountTransaction } from '../../transaction.ts';
import { type ParseRules, parseTransaction } from '../../transaction-fields.ts';
import {
  contradictsFinalStatus,
  type DetailsRemover,
  differencesBetween,
  type GroupRecorder,
  type MadeChange,
  type RecordOnceOutcome,
  type RecordOutcome,
  recordOnce,
} from '../record.ts';
import { GroupCommit } from '../request-recorder.ts';
import { recordBatchOperation } from './record-batch.ts';
import { TransactionRequestSchema } from './recording-schemas.ts';

interface RecordingContext extends Context<Pick<ChangeReader, 'listTransactionChanges'>> {
  recorder: GroupRecorder;
  metrics: { recorded: Pick<Counter<'outcome'>, 'inc'> };
  rules: ParseRules;
}

async function readTransaction(
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

const RECORDING_HEADERS = {
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
function recordingHeaders(
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

const recordTransactionOperation = defineOperation({
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

const ASSIGNED = {
  ...EXAMPLES.transaction.completed.value,
  reference: 'tx_019d3e14-21c0-7157-91dc-ccb741736fcb',
};

const createTransactionOperation = defineOperation({
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

const removeDetailsOperation = defineOperation({
  method: 'DELETE',
  operator: {
    id: 'removeDetails',
    path: '/v1/accounts/:account/transactions/:reference/details',
    access: 'record',
    tag: 'recording',
    summary: 'Remove details',
    description:
      'From now on, the transaction, its changes and exports show detailsRemovedAt and no details. Recording the transaction again ' +
      'with its details changes nothing and does not bring them back. If the transaction has no details, nothing changes.',
  },
  pathParameters: { account: ACCOUNT, reference: REFERENCE },
  responses: { 204: emptyResponse('The transaction has no details.') },
  handler:
    ({ store, auditStamp, loggedAudit }: Context<DetailsRemover & ArchiveReader> & AuditContext) =>
    async (request, reply) => {
      const { account, reference } = request.params;
      const entry = auditEntry(auditStamp(request), 'details.removed', account, reference);
      const outcome = await store.removeDetails(account, reference, entry);
      if (outcome === undefined) throw await transactionNotFound(store, account, reference);
      if (outcome === 'removed') request.logFields = { audit: loggedAudit(entry) };
      return reply.code(204).send();
    },
});

export const RECORD_OPERATIONS = [
  recordTransactionOperation,
  createTransactionOperation,
  recordBatchOperation,
  removeDetailsOperation,
];
