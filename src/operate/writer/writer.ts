import type { Table } from '../../../values/tables.ts';
import { type AuditEntry, auditValues } from '../../audit/audit.ts';
import type { DaySum } from '../../ledger/totals/total.ts';

type Value = string | number | null;

/**
 * The work of a command in one transaction, on every database: it yields statements and gets their rows.
 * Values are literals, because Citus finds the shard of an account by its name.
 */
export type Script<Result> = Generator<string, Result, Value[][]>;

export function* query<Row extends Value[]>(sql: string): Script<Row[]> {
  return (yield sql) as Row[];
}

/** Short transactions of the database of a command, on a connection of its own. */
export interface Writer {
  /** The time by the clock of the database, in SQL. */
  readonly now: string;
  literal(value: string | number): string;
  lockTable(table: Table): string[];
  /** The end of a SELECT that keeps others from changing its rows until the transaction ends. */
  readonly lockRows: string;
  /** The transactions in a FROM clause, for a statement that finds some by account and reference. */
  readonly transactionsByReference: string;
  /** SQL for a text property of the object in a JSON column. */
  jsonText(column: string, property: string): string;
  /** Adds sums to the stored totals of an account, and removes totals of no transaction. */
  addSums(account: string, sums: readonly DaySum[]): Script<void>;
  /**
   * Runs a script in a transaction, which is on the disk when the promise resolves.
   *
   * Throws: StoreUnavailable if the database can't write now.
   */
  run<Result>(script: () => Script<Result>): Promise<Result>;
  end(): Promise<void>;
}

export function* audit(entry: AuditEntry, { literal }: Pick<Writer, 'literal'>): Script<void> {
  const { account, atMs, id, action, subject, detail, via, actor, address } = auditValues(entry);
  const values = [account, atMs, id, action, subject, detail, via, actor, address].map((value) =>
    value === null ? 'NULL' : literal(value),
  );
  yield* query(`INSERT INTO account_audit (account, at_ms, id, action, subject, detail, via, actor, address)
VALUES (${values.join(', ')})`);
}
