import { createdAtRange } from '../../core/list-filter.ts';
import type { ListQuestion } from '../../core/list-question.ts';
import type { TransactionLister } from '../../core/store.ts';
import type { Transaction } from '../../core/transaction.ts';
import { type Connections, type Statement, statement } from './connections.ts';
import { LOG_POSITION, type Replicas } from './replicas.ts';

/** Which restrictions a list has: each combination is a statement of its own. */
export interface ListShape {
  status: boolean;
  currency: boolean;
  from: boolean;
  /** The newer end: a day, a position (which is never newer than the day), or open. */
  end: 'open' | 'before' | 'after';
}

/** How an account's rows are asked for, besides by the account itself. */
export type Wall =
  /** The statement names the account to the policy of the table first: row-level security is on. */
  | 'row-level security'
  /** The account is a plain constant of the statement, which is what Citus finds the shard by. */
  | 'none';

const COLUMNS =
  'reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms';

/**
 * The statement of a list: a backward read of one range of one index, at most `limit` entries long.
 *
 * PostgreSQL has no way to name an index. Filters are therefore not written as equalities but as the ends of
 * a range of rows, and the order names their columns: only the one index that begins with exactly these has
 * that order, so no statistics can make another one look cheaper.
 *
 * Behind the wall, the rows are read once for each row of `caller`, which is one: the account is named to the
 * policy before the table is looked at, in the same statement and without a round trip of its own.
 *
 * Where it is told how far the database was seen, that is asked after the rows became visible, so that it is
 * never less than what they show.
 */
export function listSql({ status, currency, from, end }: ListShape, wall: Wall, tellSeen = false): string {
  let count = 1;
  const parameter = () => `$${++count}`;
  const filters: [column: string, parameter: string][] = [];
  if (status) filters.push(['status', parameter()]);
  if (currency) filters.push(['currency_code', parameter()]);
  const columns = filters.map(([column]) => column);
  const values = filters.map(([, value]) => value);
  const row = (parts: readonly string[]) => (parts.length === 1 ? parts[0] : `(${parts.join(', ')})`);

  const conditions = [wall === 'none' ? 'account = $1' : 'account = caller.account'];
  const condition = (more: readonly string[], comparison: string, moreValues: readonly string[]) => {
    if (columns.length + more.length === 0) return;
    conditions.push(`${row([...columns, ...more])} ${comparison} ${row([...values, ...moreValues])}`);
  };
  condition(from ? ['created_at_ms'] : [], '>=', from ? [parameter()] : []);
  if (end === 'open') condition([], '<=', []);
  if (end === 'before') condition(['created_at_ms'], '<', [parameter()]);
  if (end === 'after') condition(['created_at_ms', 'reference'], '<', [parameter(), parameter()]);

  const order = [...columns, 'created_at_ms', 'reference'].map((column) => `${column} DESC`).join(', ');
  const told = tellSeen ? `${COLUMNS}, ${SEEN}` : COLUMNS;
  const select = `SELECT ${wall === 'none' ? told : COLUMNS}
FROM transactions
WHERE ${conditions.join(' AND ')}
ORDER BY ${order}
LIMIT ${parameter()}`;
  if (wall === 'none') return select;
  return `SELECT ${told}
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
${select}
) AS page`;
}

/** Uncorrelated, so that it is asked once for each list. */
const SEEN = `(SELECT ${LOG_POSITION})`;

export type Row = [
  reference: string,
  merchantReference: string | null,
  status: string,
  amountMinor: number,
  currencyCode: string,
  paidAtMs: number | null,
  createdAtMs: number,
];

export function transactionOf(row: Row): Transaction {
  return {
    reference: row[0],
    merchantReference: row[1],
    status: row[2],
    amountMinor: row[3],
    currencyCode: row[4],
    paidAtMs: row[5],
    createdAtMs: row[6],
  };
}

/** The shape of a question and the values of its statement, but for the limit. */
export function shapeOf({ account, filter, after }: ListQuestion): { shape: ListShape; values: unknown[] } {
  const { fromMs, beforeMs } = createdAtRange(filter);
  const values: unknown[] = [account];
  if (filter.status !== null) values.push(filter.status);
  if (filter.currency !== null) values.push(filter.currency);
  if (fromMs !== null) values.push(fromMs);
  if (after !== null) values.push(after.createdAtMs, after.reference);
  else if (beforeMs !== null) values.push(beforeMs);
  const shape: ListShape = {
    status: filter.status !== null,
    currency: filter.currency !== null,
    from: fromMs !== null,
    end: after !== null ? 'after' : beforeMs !== null ? 'before' : 'open',
  };
  return { shape, values };
}

export interface ListerOptions {
  primary: Connections;
  replicas: Replicas | null;
  wall: Wall;
}

/** Answers list questions with statements that are prepared once on each connection. */
export function transactionLister({
  primary,
  replicas,
  wall,
}: ListerOptions): TransactionLister['listTransactions'] {
  const statements = new Map<string, Statement>();

  const statementOf = (shape: ListShape): Statement => {
    const key = `${shape.status}${shape.currency}${shape.from}${shape.end}`;
    let found = statements.get(key);
    if (found === undefined) {
      found = statement(listSql(shape, wall, replicas !== null));
      statements.set(key, found);
    }
    return found;
  };

  return async (question, limit) => {
    const { shape, values } = shapeOf(question);
    const list = (from: Connections) =>
      from.query<[...Row, ...seen: string[]]>(statementOf(shape), [...values, limit]);
    const rows = replicas === null ? await list(primary) : await replicas.read(question.after?.seen, list);
    const transactions = rows.map((row) => transactionOf(row as unknown as Row));
    assertOrder(transactions);
    const seen = rows[0]?.[7];
    return { transactions, ...(seen !== undefined && { seen }) };
  };
}

/** The join of one caller with a page keeps the page's order, but SQL does not say so. */
function assertOrder(transactions: readonly Transaction[]): void {
  for (let index = 1; index < transactions.length; index++) {
    const before = transactions[index - 1] as Transaction;
    const { createdAtMs, reference } = transactions[index] as Transaction;
    const follows =
      createdAtMs < before.createdAtMs ||
      (createdAtMs === before.createdAtMs && reference < before.reference);
    if (!follows) throw new Error('PostgreSQL answered a list out of its order');
  }
}
