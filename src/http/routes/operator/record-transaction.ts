import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { FaultList } from '../../../core/fault-list.ts';
import type { GroupCommit } from '../../../core/group-commit.ts';
import { type ParseRules, parseTransaction } from '../../../core/parse-transaction.ts';
import type { TransactionRecorder } from '../../../core/store.ts';
import type { AccountTransaction } from '../../../core/transaction.ts';
import type { requireApiKey } from '../../access/authenticate.ts';
import { pathSchema } from '../../path-parameters.ts';
import { type BodyFault, bodyFault } from '../../problems/body-fault.ts';
import { faultyFields, Problem } from '../../problems/problem.ts';
import { ASSIGNED_EXAMPLE, COMPLETED_EXAMPLE } from '../../reference/examples/transactions.ts';
import { TransactionRequest } from '../../schemas/record-transaction.ts';
import { jsonResponse } from '../../schemas/responses.ts';
import { Transaction, transactionBody } from '../../schemas/transaction.ts';
import { Type } from '../../schemas/type.ts';
import { loggable } from '../../telemetry/loggable.ts';
import { BODY_PROBLEMS, operatorProblems } from './responses.ts';

export interface RecordTransactionDependencies {
  store: TransactionRecorder;
  groupCommit: GroupCommit;
  rules: ParseRules;
  authenticate: ReturnType<typeof requireApiKey>;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

type Body = Record<string, unknown>;

/** Records one transaction: under a reference of the operator's, or under one that the service assigns. */
export function recordTransactionRoutes(
  app: FastifyInstance,
  { store, groupCommit, rules, authenticate }: RecordTransactionDependencies,
): void {
  app.put<{ Params: { account: string; reference: string }; Body: Body | null }>(
    '/v1/accounts/:account/transactions/:reference',
    {
      onRequest: authenticate,
      schema: {
        operationId: 'recordTransaction',
        tags: ['recording'],
        summary: 'Record a transaction, or its payment',
        description:
          'Sends the whole fact. The same fact again changes nothing; a pending transaction may take another status once; ' +
          'anything else that differs is refused. What is answered is on the disk.',
        security: [{ apiKey: [] }],
        params: pathSchema('account', 'reference'),
        body: Type.Ref(TransactionRequest),
        response: {
          200: jsonResponse('Changed, or recorded before.', Type.Ref(Transaction), {
            paid: { summary: 'A pending transaction that is completed now', value: COMPLETED_EXAMPLE },
          }),
          201: jsonResponse('Recorded.', Type.Ref(Transaction), {
            recorded: { summary: 'A new transaction', value: COMPLETED_EXAMPLE },
          }),
          ...operatorProblems(...BODY_PROBLEMS, 'transaction_conflict'),
        },
      },
      handler: async (request, reply) => {
        const transaction = readTransaction(request.body, request.params, rules);
        const recorded = await groupCommit.record(transaction);
        if (recorded.outcome === 'conflict') {
          throw new Problem(
            'transaction_conflict',
            `The transaction is recorded with another ${recorded.differences.map(({ field }) => field).join(', ')}.`,
            { differences: recorded.differences },
          );
        }
        return reply.code(recorded.outcome === 'recorded' ? 201 : 200).send(transactionBody(transaction));
      },
    },
  );

  app.post<{ Params: { account: string }; Body: Body | null }>('/v1/accounts/:account/transactions', {
    onRequest: authenticate,
    schema: {
      operationId: 'createTransaction',
      tags: ['recording'],
      summary: 'Record a transaction under a reference that the service assigns',
      description:
        'The header Idempotency-Key makes the request safe to repeat: the same key with the same fields gets the first answer ' +
        'again, for as long as the transaction is kept.',
      security: [{ apiKey: [] }],
      headers: Type.Object({
        'Idempotency-Key': Type.String({
          description: '1 to 255 visible ASCII characters.',
          examples: ['payment-1014'],
        }),
      }),
      params: pathSchema('account'),
      body: Type.Ref(TransactionRequest),
      response: {
        201: jsonResponse('Recorded, now or by the same request before.', Type.Ref(Transaction), {
          recorded: { summary: 'Under a reference of the service', value: ASSIGNED_EXAMPLE },
        }),
        ...operatorProblems(...BODY_PROBLEMS, 'idempotency_key_missing', 'idempotency_key_reused'),
      },
    },
    handler: async (request, reply) => {
      const key = request.headers['idempotency-key'];
      if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
        throw new Problem(
          'idempotency_key_missing',
          'Send the header Idempotency-Key with 1 to 255 visible ASCII characters.',
        );
      }
      const transaction = readTransaction(request.body, request.params, rules);
      const recorded = await store.recordOnce(transaction, { key, fingerprint: fingerprintOf(transaction) });
      if (recorded.outcome === 'key_reused') {
        throw new Problem(
          'idempotency_key_reused',
          'This Idempotency-Key was used for a transaction with other fields.',
        );
      }
      const reference = recorded.outcome === 'repeated' ? recorded.reference : transaction.reference;
      request.logFields = { reference: loggable(reference) };
      return reply.code(201).send(transactionBody({ ...transaction, reference }));
    },
  });
}

/** What a request asks for, whichever reference it would get. */
function fingerprintOf({ reference: _, ...fields }: AccountTransaction): string {
  return hash('sha256', JSON.stringify(Object.entries(fields).sort()), 'hex');
}

/**
 * The transaction of a body and a path.
 *
 * Throws: `invalid_fields` with every fault.
 */
function readTransaction(
  body: Body | null,
  path: { account: string; reference?: string },
  rules: ParseRules,
): AccountTransaction {
  if (body === null || body === undefined)
    throw new Problem('invalid_body', 'The request has no body. Send the transaction as a JSON object.');
  const faults = new FaultList<BodyFault>();
  for (const field of ['account', 'reference'] as const) {
    if (field in body && body[field] !== path[field])
      faults.add(
        bodyFault(field, 'is in the path with another value; leave it out of the body, or write the same'),
      );
  }
  // The body is this request's own: a copy of it could cost more than all the rest.
  const parsed = parseTransaction(Object.assign(body, path), rules);
  if ('transaction' in parsed && faults.count === 0) return parsed.transaction;
  if ('faults' in parsed) {
    for (const { field, detail } of parsed.faults.listed) faults.add(bodyFault(field, detail));
    faults.countUnlisted(parsed.faults.unlisted);
  }
  throw faultyFields(faults);
}
