import { EXAMPLE_CURSOR } from '../../http/operations/page-problems.ts';
import { BUILT_IN_STATUSES } from '../../values/status.ts';
import { type AccountTransaction, NO_OPTIONAL_FIELDS, type Transaction } from '../transaction.ts';
import { accountTransactionOf } from '../transaction-columns.ts';
import { FIELD_LIST } from '../transaction-fields.ts';
import { type TransactionBody, transactionBody } from './transaction-schemas.ts';

/** The time of the example requests. */
export const EXAMPLE_NOW_MS = Date.UTC(2026, 5, 15, 12);

/** The id of the example export. A test makes the same. */
export const EXAMPLE_EXPORT_ID = 'exp_ZPLYIx3rnHb5vAz9';

/** The examples of the fields that every transaction has, as one transaction. */
export const EXAMPLE_TRANSACTION: AccountTransaction = {
  ...accountTransactionOf(
    FIELD_LIST.map(({ form, example }) => form?.({}, BUILT_IN_STATUSES).parse(String(example))),
  ),
  ...NO_OPTIONAL_FIELDS,
};

/** All transactions of the example account, newest first: one pending, and 12 completed, which are two pages. */
export const EXAMPLE_TRANSACTIONS: readonly Transaction[] = [
  example(13, 'pending'),
  ...Array.from({ length: 12 }, (_, index) => example(12 - index, 'completed')),
];

function example(serial: number, status: 'pending' | 'completed'): Transaction {
  const { account: _, ...fields } = EXAMPLE_TRANSACTION;
  const createdAtMs = Date.UTC(2026, 2, 18 + serial, 9, 30);
  return {
    ...fields,
    reference: `tx_${String(serial).padStart(6, '0')}`,
    merchantReference: serial % 5 === 0 ? null : `order-${1000 + serial}`,
    status,
    amountMinor: 1250 + serial * 100,
    currencyCode: serial % 3 === 0 ? 'USD' : 'EUR',
    paidAtMs: status === 'completed' ? createdAtMs + 5000 : null,
    createdAtMs,
  };
}

const [pending, ...completed] = EXAMPLE_TRANSACTIONS.map(transactionBody);

export const PENDING_EXAMPLE = pending as TransactionBody;
export const COMPLETED_EXAMPLE = completed[0] as TransactionBody;
export const ASSIGNED_EXAMPLE: TransactionBody = {
  ...COMPLETED_EXAMPLE,
  reference: 'tx_019d3e14-21c0-7157-91dc-ccb741736fcb',
};

/** The refund of a payment, with what the merchant says of it. */
export const REFUND_EXAMPLE: TransactionBody = {
  reference: 're_000041',
  merchantReference: 'order-1012',
  status: 'completed',
  amount: '-24.50',
  currencyCode: 'USD',
  paidAt: '2026-04-02T08:00:05.000Z',
  createdAt: '2026-04-02T08:00:00.000Z',
  relatedTo: COMPLETED_EXAMPLE.reference,
  details: { customer: 'Ada Lovelace', last4: '4242' },
};

/** The responses to `GET /v1/transactions?status=completed`, the last one first: a server that imitates this one sends it, and its list ends. */
export const LIST_EXAMPLES = {
  last: {
    summary: 'The last page',
    value: { data: completed.slice(10), nextCursor: null, hasMore: false },
  },
  more: {
    summary: 'A page that is not the last one',
    value: { data: completed.slice(0, 10), nextCursor: EXAMPLE_CURSOR, hasMore: true },
  },
};
