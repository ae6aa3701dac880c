import type { Table } from '../../../values/tables.ts';
import { type AuditEntry, auditValues } from '../../audit/audit.ts';
import type { DaySum } from '../../ledger/totals/total.ts';

type Value = string | number | null;

/** The SQL of one database transaction. Account names are literals, so that Citus can find the shard. */
export type Script<Result> = Generator<string, Result, Value[][]>;

export function* query<Row extends Value[]>(sql: string): Script<Row[]> {
  return (yield sql) as Row[];
}

export interface Writer {
  readonly now: string;
  literal(value: string | number): string;
  lockTable(table: Table): string[];
  /** This text at the end of a SELECT locks the rows until the database transaction ends. */
  readonly lockRows: string;
  readonly transactionsByReference: string;
  jsonText(column: string, property: string): string;
  /** Also removes totals whose count has become 0. */
  addSums(account: string, sums: readonly DaySum[]): Script<void>;
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
