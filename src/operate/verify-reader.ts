import type { RecordTable } from '../../values/tables.ts';
import type { Statement, Values } from '../db/statement.ts';
import { numbered, readRows } from '../db/statement-text.ts';
import { type Archive, type ArchiveReader, READ_ARCHIVE } from '../ledger/archives/archive.ts';
import type { Position } from '../ledger/list/list.ts';
import type { SealBlock, SealHead } from '../ledger/seals/seal.ts';
import { READ_SEAL, READ_SEAL_BLOCKS } from '../ledger/seals/seals.ts';
import { type CopyMark, type MarkRow, markOf, READ_MARK } from './copy-mark.ts';
import { storedChangeOf } from './row-up-to.ts';
import {
  type DaysChunk,
  RECORD_PAGE_SIZE,
  type RecordPage,
  recordColumns,
  recordPageOf,
  type SchemaCheck,
  STORED_COLUMN_LIST,
  type StorageCheck,
  type StoredChange,
  type StoredHead,
  type StoredRow,
  type StoredValues,
  storedRowOf,
  type TotalsChunk,
} from './stored-rows.ts';
import type { RefusedRow } from './value-checks.ts';

export type SqlValues = readonly (string | number | null)[];
type Key = readonly (string | number)[];

const changesBy = (column: string, isPending: 0 | 1) =>
  `SELECT * FROM (
SELECT CAST(${isPending} AS bigint) AS is_pending, ${STORED_COLUMN_LIST} FROM transactions
WHERE account = $1 AND ${column} > $2 AND ${column} <= $3 ORDER BY ${column} LIMIT $4 + 0
) AS by_${column}`;

export const LARGEST_NUMBER = `(SELECT coalesce(max(number), 0) FROM (
SELECT max(pending_sequence) AS number FROM transactions WHERE account = $1 AND pending_sequence IS NOT NULL
UNION ALL SELECT max(final_sequence) FROM transactions WHERE account = $1 AND final_sequence IS NOT NULL
) AS numbers)`;

const READ_FEED = `${changesBy('pending_sequence', 1)} UNION ALL ${changesBy('final_sequence', 0)}`;

/**
 * Every database runs the SQL in this file, with parameters $1, $2 and so on. Every method throws
 * StoreUnavailable if the database can't answer now, and StorageDamaged if it can't read its own data.
 */
export abstract class VerifyReader implements ArchiveReader {
  protected readonly transactions: string = 'transactions';
  protected abstract readonly firstDay: number;

  protected abstract read<Row extends (string | number | null)[]>(
    sql: string,
    values?: SqlValues,
  ): Promise<Row[]>;

  async #rowsOf<Read>(statement: Statement<Read>, values: Values): Promise<Read[]> {
    const numbering = { databaseNowMs: '', write: (number: number) => `$${number}` };
    const { text, valuesOf } = numbered(statement.name, statement.texts.server as string, numbering);
    return readRows(statement, await this.read(text, valuesOf(values)));
  }

  abstract checkSchema(): Promise<SchemaCheck>;
  abstract checkStorage(onProgress: (what: string) => void): Promise<StorageCheck>;
  abstract readRefused(sql: string, account: readonly string[]): Promise<RefusedRow[]>;
  abstract nextAccount(after: string): Promise<string | undefined>;
  abstract readStoredTotals(account: string, chunk: DaysChunk): Promise<TotalsChunk>;
  abstract close(): Promise<void>;

  async readHead(account: string): Promise<StoredHead> {
    const sql = `SELECT (SELECT head_sequence FROM accounts WHERE account = $1), (SELECT closed_at_sequence FROM accounts WHERE account = $1), ${LARGEST_NUMBER}`;
    const [[head, closedAtSequence, largest]] = (await this.read(sql, [account])) as [
      [number | null, number | null, number],
    ];
    return { head, closedAtSequence, largest };
  }

  /** Skips `count` stored totals from `fromDay` on, and returns the day of the next total. */
  async findDayAfter(account: string, fromDay: number | null, count: number): Promise<number | undefined> {
    const sql =
      'SELECT day FROM daily_totals WHERE account = $1 AND day >= $2 ORDER BY day LIMIT 1 OFFSET $3';
    return (await this.read<[number]>(sql, [account, fromDay ?? this.firstDay, count]))[0]?.[0];
  }

  async readMark(): Promise<CopyMark | undefined> {
    const [row] = await this.read<MarkRow>(READ_MARK);
    return row && markOf(row);
  }

  async readArchive(account: string): Promise<Archive | undefined> {
    return (await this.#rowsOf(READ_ARCHIVE, { account }))[0];
  }

  async canHaveTransaction(account: string, reference: string): Promise<boolean> {
    const sql = `SELECT 1 FROM transactions WHERE account = $1 AND reference = $2
UNION ALL SELECT 1 FROM archives WHERE account = $1
UNION ALL SELECT 1 FROM accounts WHERE account = $1 AND closed_at_sequence IS NOT NULL`;
    return (await this.read(sql, [account, reference])).length > 0;
  }

  async hasArchiveEntry(account: string, detail: string): Promise<boolean> {
    const sql = `SELECT 1 FROM account_audit WHERE account = $1 AND action = 'account.archived' AND detail = $2`;
    return (await this.read(sql, [account, detail])).length > 0;
  }

  /** On PostgreSQL, call this only if `checkSchema` has found the index for this order (`rowOrder`). */
  async readRows(account: string, after: Position, beforeMs: number, limit: number): Promise<StoredRow[]> {
    const rows = await this.read<StoredValues>(
      `SELECT ${STORED_COLUMN_LIST} FROM ${this.transactions}
WHERE account = $1 AND (created_at_ms, reference) > ($2, $3) AND created_at_ms < $4 ORDER BY created_at_ms, reference LIMIT $5 + 0`,
      [account, after.createdAtMs, after.reference, beforeMs, limit],
    );
    return rows.map(storedRowOf);
  }

  /** Sorted by sequence number. If the database is damaged, changes can be missing or share a number. */
  async readFeed(
    account: string,
    after: number,
    upTo: number,
    limit = 2 * (upTo - after),
  ): Promise<StoredChange[]> {
    const rows = await this.read<[isPending: number, ...StoredValues]>(READ_FEED, [
      account,
      after,
      upTo,
      limit,
    ]);
    return rows
      .map(([isPending, ...values]) => storedChangeOf(storedRowOf(values), isPending === 1))
      .toSorted((left, right) => left.sequence - right.sequence)
      .slice(0, limit);
  }

  async findRows(account: string, references: readonly string[]): Promise<StoredRow[]> {
    const rows = await this.read<StoredValues>(
      `SELECT ${STORED_COLUMN_LIST} FROM transactions WHERE account = $1 AND reference IN (${references.map((_, at) => `$${at + 2}`).join(', ')})`,
      [account, ...references],
    );
    return rows.map(storedRowOf);
  }

  async readSealHead(account: string): Promise<SealHead | undefined> {
    return (await this.#rowsOf(READ_SEAL, { account }))[0];
  }

  readSealBlocks(account: string, after: number, upTo: number): Promise<SealBlock[]> {
    return this.#rowsOf(READ_SEAL_BLOCKS, { account, after, upTo });
  }

  async readRecords(table: RecordTable, account: string | null, after: Key | null): Promise<RecordPage> {
    const { key, columns } = recordColumns(table);
    const values: (string | number)[] = [RECORD_PAGE_SIZE];
    const parameter = (value: string | number) => `$${values.push(value)}`;
    const conditions = ['true'];
    if (account !== null && key.includes('account')) conditions.push(`account = ${parameter(account)}`);
    if (after !== null) conditions.push(`(${key.join(', ')}) > (${after.map(parameter).join(', ')})`);
    const rows = await this.read(
      `SELECT ${columns.join(', ')} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${key.join(', ')} LIMIT $1 + 0`,
      values,
    );
    return recordPageOf(table, rows);
  }

  async hasRecord(table: RecordTable, values: Key): Promise<boolean> {
    const conditions = recordColumns(table).key.map((column, at) => `${column} = $${at + 1}`);
    return (await this.read(`SELECT 1 FROM ${table} WHERE ${conditions.join(' AND ')}`, values)).length > 0;
  }
}
