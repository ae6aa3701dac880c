import { compareWithRecorded } from '../../core/record-transaction.ts';
import type { RecordOutcome, TransactionRecorder } from '../../core/store.ts';
import type { AccountTransaction, Transaction } from '../../core/transaction.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-row.ts';
import type { Statement } from './batch.ts';
import { type Connections, statement } from './connections.ts';
import type { Value } from './database.ts';
import type { Wall } from './list-transactions.ts';

const COLUMNS = `account, ${TRANSACTION_COLUMNS}`;

/** The facts of one group, as a table. In one order, so that two services never wait for each other's rows. */
const GIVEN = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[])
  AS given (${COLUMNS})`;

const RECORD_NEW = statement(`INSERT INTO transactions (${COLUMNS})
SELECT ${COLUMNS} FROM ${GIVEN} ORDER BY account, reference
ON CONFLICT (account, reference) DO NOTHING RETURNING account, reference`);

const ADVANCE = statement(`UPDATE transactions AS t SET status = given.status, paid_at_ms = given.paid_at_ms
FROM ${GIVEN}
WHERE t.account = given.account AND t.reference = given.reference
  AND t.status = 'pending' AND given.status <> 'pending'
  AND (t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms)
    IS NOT DISTINCT FROM (given.merchant_reference, given.amount_minor, given.currency_code, given.created_at_ms)
RETURNING t.account, t.reference`);

const READ = statement(`SELECT t.reference, t.merchant_reference, t.status, t.amount_minor, t.currency_code,
  t.paid_at_ms, t.created_at_ms, t.account
FROM transactions AS t JOIN unnest($1::text[], $2::text[]) AS given (account, reference)
  ON t.account = given.account AND t.reference = given.reference`);

const SAME_FACT = `(merchant_reference, amount_minor, currency_code, created_at_ms)
    IS NOT DISTINCT FROM ($3::text, $5::bigint, $6::text, $8::bigint)`;

/** The same for one fact, whose account is plain to see: Citus finds the shard by it. */
const ONE = {
  record: statement(`INSERT INTO transactions (${COLUMNS})
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (account, reference) DO NOTHING RETURNING account, reference`),
  advance: statement(`UPDATE transactions SET status = $4, paid_at_ms = $7
WHERE account = $1 AND reference = $2 AND status = 'pending' AND $4 <> 'pending' AND ${SAME_FACT}
RETURNING account, reference`),
  read: statement(`SELECT reference, merchant_reference, status, amount_minor, currency_code,
  paid_at_ms, created_at_ms, account FROM transactions WHERE account = $1 AND reference = $2`),
};

const USE_KEY =
  statement(`INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES ($1, $2, $3, $4)
ON CONFLICT (account, key) DO NOTHING RETURNING reference`);

const READ_KEY = statement(
  'SELECT fingerprint, reference FROM idempotency_keys WHERE account = $1 AND key = $2',
);

type Identity = [account: string, reference: string];

const identityOf = ({ account, reference }: AccountTransaction) => `${account} ${reference}`;

const valuesOf = (row: AccountTransaction) => [
  row.account,
  row.reference,
  row.merchantReference,
  row.status,
  row.amountMinor,
  row.currencyCode,
  row.paidAtMs,
  row.createdAtMs,
];

/** The values of many facts, column by column. */
function columnsOf(rows: readonly AccountTransaction[]): unknown[][] {
  const values = rows.map(valuesOf);
  return Array.from({ length: 8 }, (_, column) => values.map((row) => row[column]));
}

/** How a group is put to the database. */
interface Statements {
  record(rows: readonly AccountTransaction[]): Promise<Identity[]>;
  advance(rows: readonly AccountTransaction[]): Promise<Identity[]>;
  read(rows: readonly AccountTransaction[]): Promise<[...TransactionRow, account: string][]>;
}

function statementsOf(connections: Connections, wall: Wall): Statements {
  if (wall === 'row-level security') {
    return {
      record: (rows) => connections.query(RECORD_NEW, columnsOf(rows)),
      advance: (rows) => connections.query(ADVANCE, columnsOf(rows)),
      read: (rows) => connections.query(READ, columnsOf(rows).slice(0, 2)),
    };
  }
  const each = async <Answer extends Value[]>(
    one: Statement,
    rows: readonly AccountTransaction[],
    values: (row: AccountTransaction) => unknown[],
  ) => (await Promise.all(rows.map((row) => connections.query<Answer>(one, values(row))))).flat();
  return {
    record: (rows) => each(ONE.record, rows, valuesOf),
    advance: (rows) => each(ONE.advance, rows, valuesOf),
    read: (rows) => each(ONE.read, rows, ({ account, reference }) => [account, reference]),
  };
}

/**
 * Records in at most three statements, each a transaction of its own: first what is new, then what advances;
 * what is left is compared with what is there, which from then on can't be undone.
 */
export function transactionRecorder(connections: Connections, wall: Wall): TransactionRecorder {
  const statements = statementsOf(connections, wall);
  return {
    recordTransactions: async (transactions) => {
      const outcomes = new Map<string, RecordOutcome>();
      const left = () => transactions.filter((one) => !outcomes.has(identityOf(one)));
      const note = (identities: readonly Identity[], outcome: 'recorded' | 'changed') => {
        for (const [account, reference] of identities) outcomes.set(`${account} ${reference}`, { outcome });
      };

      note(await statements.record(transactions), 'recorded');
      if (left().length > 0) note(await statements.advance(left()), 'changed');
      const known = left();
      const rows = known.length === 0 ? [] : await statements.read(known);
      const there = new Map(
        rows.map((row) => [`${row[7]} ${row[0]}`, transactionOf(row as unknown as TransactionRow)]),
      );
      for (const one of known) outcomes.set(identityOf(one), compared(there.get(identityOf(one)), one));
      return transactions.map((one) => outcomes.get(identityOf(one)) as RecordOutcome);
    },

    recordOnce: async (transaction, { key, fingerprint }) => {
      const { account } = transaction;
      const [fresh] = await connections.query<[string]>(USE_KEY, [
        account,
        key,
        fingerprint,
        transaction.reference,
      ]);
      const [used] = fresh
        ? [[fingerprint, transaction.reference] as const]
        : await connections.query<[fingerprint: string, reference: string]>(READ_KEY, [account, key]);
      if (used === undefined) throw new Error('an idempotency key was not found again');
      if (used[0] !== fingerprint) return { outcome: 'key_reused' };
      // Also where the key is known: whoever used it first may have been cut off before this.
      await connections.query(ONE.record, valuesOf({ ...transaction, reference: used[1] }));
      return fresh ? { outcome: 'recorded' } : { outcome: 'repeated', reference: used[1] };
    },
  };
}

function compared(recorded: Transaction | undefined, given: AccountTransaction): RecordOutcome {
  const comparison = recorded && compareWithRecorded(recorded, given);
  if (comparison === undefined || comparison.outcome === 'changed')
    throw new Error('a recorded transaction was not found again as it was');
  return comparison;
}
