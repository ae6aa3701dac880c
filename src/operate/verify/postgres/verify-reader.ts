import pg from 'pg';
import type { AppliedMigration } from '../../../db/migrations.ts';
import {
  arrayQuery,
  explainError,
  type PlanSettings,
  statement,
  type Value,
} from '../../../db/postgres/driver/index.ts';
import { type Archive, type ArchiveRow, archiveOf } from '../../../ledger/archives/archive.ts';
import { READ_ARCHIVE } from '../../../ledger/archives/postgres/read-archive.ts';
import type { Change } from '../../../ledger/changes/change.ts';
import {
  CHANGES_ONLY,
  type ChangeValues,
  changeOfValues,
} from '../../../ledger/changes/postgres/list-changes.ts';
import type { SealBlock, SealHead } from '../../../ledger/seals/seal.ts';
import {
  READ_SEAL_BLOCKS,
  READ_SEAL_HEAD,
  type SealValues,
  sealHeadOf,
} from '../../../ledger/seals/seal-rows.ts';
import type { RecordTable } from '../../../values/tables.ts';
import { type CopyMark, type MarkRow, markOf, READ_MARK } from '../../copy/copy-mark.ts';
import {
  ACCOUNT_TABLES,
  RECORD_PAGE_SIZE,
  recordColumns,
  recordPageOf,
  rowRangeValues,
  STORED_COLUMN_LIST,
  type StoredValues,
  storedRowOf,
} from '../../stored-rows.ts';
import {
  type DaysPart,
  type PartOfTotals,
  type RecordPage,
  type RowRange,
  type SchemaCheck,
  type StorageCheck,
  StorageDamaged,
  type StoredRow,
  type StoredTotal,
  type VerifyReader,
} from '../verify-reader.ts';
import { checkIndexes, isDamagedOnServer } from './check-indexes.ts';
import { checkSchema } from './check-schema.ts';

/*
 * The order of each statement is that of one index, and the session cannot sort: so the rows come through this index.
 * $1 is the account, $2 the limit.
 */

function rowsSql({ from, isInclusive, beforeMs }: RowRange): string {
  const conditions = ['account = $1'];
  if (from !== null) conditions.push(`(created_at_ms, reference) ${isInclusive ? '>=' : '>'} ($3, $4)`);
  if (beforeMs !== null) conditions.push(`created_at_ms < $${from === null ? 3 : 5}`);
  return `SELECT ${STORED_COLUMN_LIST} FROM transactions
WHERE ${conditions.join(' AND ')} ORDER BY created_at_ms, reference LIMIT $2`;
}

const largest = (sequence: string) =>
  `coalesce((SELECT max(${sequence}) FROM transactions WHERE account = $1 AND ${sequence} IS NOT NULL), 0)`;

const READ_HEAD = `SELECT (SELECT head_sequence FROM accounts WHERE account = $1), (SELECT closed_at_sequence FROM accounts WHERE account = $1),
  greatest(${largest('pending_sequence')}, ${largest('final_sequence')})`;

/** Written with the account as a text: Citus has no plan with parameters of a statement that reads every shard. */
function nextAccountSql(after: string, tables: ReadonlySet<string>): string {
  const firstOf = (table: string) =>
    `SELECT min(account) AS account FROM ${table} WHERE account > ${pg.escapeLiteral(after)}`;
  const all = ACCOUNT_TABLES.filter((table) => tables.has(table)).map(firstOf);
  return `SELECT min(account) FROM (${all.join('\nUNION ALL ')}) AS accounts`;
}

const FIND_DAY =
  'SELECT day FROM daily_totals WHERE account = $1 AND day >= $2 ORDER BY day OFFSET $3 LIMIT 1';

/**
 * A part of the stored totals of the account $1, the days from $2 to before $3, with the largest number of its transactions in each row, from one
 * snapshot. Without a total, there is one row with the number alone.
 */
const READ_STORED_TOTALS = `SELECT numbers.largest, day, currency_code, status, count, amount::text
FROM (SELECT greatest(${largest('pending_sequence')}, ${largest('final_sequence')}) AS largest OFFSET 0) AS numbers
LEFT JOIN LATERAL (
SELECT day, currency_code, status, count, amount FROM daily_totals WHERE account = $1 AND day >= $2 AND day < $3 AND (count <> 0 OR amount <> 0)
) AS totals ON true`;

/** Periods are stored in 32 bits. */
const FIRST_DAY = -(2 ** 31);
const LAST_DAY = 2 ** 31 - 1;

export interface VerifyReaderOptions {
  client: pg.Client;
  applied: readonly AppliedMigration[];
  /** Whether Citus distributes the tables. */
  isDistributed: boolean;
  /** What the session lacks behind a pooler, which also loses the names of statements. */
  missingSettings: PlanSettings | null;
}

type Values = readonly (string | number | null)[];

/** The reads of `transactions verify`, on a connection of its own. Each is a short transaction of the database. */
export class PostgresVerifyReader implements VerifyReader {
  protected readonly options: VerifyReaderOptions;
  #tables: ReadonlySet<string> = new Set();

  constructor(options: VerifyReaderOptions) {
    this.options = options;
  }

  async checkSchema(): Promise<SchemaCheck> {
    const { applied, isDistributed } = this.options;
    const check = await checkSchema((sql) => this.read(sql), applied, { isDistributed });
    this.#tables = check.tables;
    return check;
  }

  async readMark(): Promise<CopyMark | undefined> {
    const [row] = await this.read<MarkRow>(READ_MARK);
    return row && markOf(row);
  }

  checkStorage(onProgress: (what: string) => void): Promise<StorageCheck> {
    return checkIndexes(this.options, onProgress);
  }

  async nextAccount(after: string): Promise<string | undefined> {
    const [row] = await this.read<[string | null]>(nextAccountSql(after, this.#tables));
    return row?.[0] ?? undefined;
  }

  async readHead(account: string) {
    const [[head, closedAtSequence, largest]] = (await this.read(READ_HEAD, [account])) as [
      [number | null, number | null, number],
    ];
    return { head, closedAtSequence, largest };
  }

  async readArchive(account: string): Promise<Archive | undefined> {
    const [row] = await this.read<ArchiveRow>(READ_ARCHIVE, [account]);
    return row && archiveOf(row);
  }

  async readRows(account: string, range: RowRange): Promise<StoredRow[]> {
    const rows = await this.read<StoredValues>(rowsSql(range), rowRangeValues(account, range));
    return rows.map(storedRowOf);
  }

  async findDayAfter(account: string, fromDay: number | null, count: number): Promise<number | undefined> {
    return (await this.read<[number]>(FIND_DAY, [account, fromDay ?? FIRST_DAY, count]))[0]?.[0];
  }

  async readStoredTotals(account: string, { from, before }: DaysPart): Promise<PartOfTotals> {
    const days = [from ?? FIRST_DAY, before ?? LAST_DAY];
    const rows = await this.read<StoredTotalValues>(READ_STORED_TOTALS, [account, ...days]);
    const [[upTo]] = rows as [StoredTotalValues];
    return { upTo, days: rows.filter(([, day]) => day !== null).map(totalOf) };
  }

  async readSealHead(account: string): Promise<SealHead | undefined> {
    const [row] = await this.read<SealValues>(READ_SEAL_HEAD, [account]);
    return row && sealHeadOf(row);
  }

  async readSealBlocks(account: string, after: number, upTo: number): Promise<SealBlock[]> {
    return (await this.read<SealValues>(READ_SEAL_BLOCKS, [account, after, upTo])).map(sealHeadOf);
  }

  async readFeed(account: string, after: number, upTo: number): Promise<Change[]> {
    // Numbers that two changes have take places of others.
    const rows = await this.read<ChangeValues>(CHANGES_ONLY, [account, after + 1, 2 * (upTo - after)]);
    return rows.map(changeOfValues).filter(({ sequence }) => sequence <= upTo);
  }

  async readRecords(
    table: RecordTable,
    account: string | null,
    after: readonly (string | number)[] | null,
  ): Promise<RecordPage> {
    const { key, columns } = recordColumns(table);
    const values: (string | number)[] = [RECORD_PAGE_SIZE];
    const parameter = (value: string | number) => `$${values.push(value)}`;
    const conditions = ['true'];
    if (account !== null && key.includes('account')) conditions.push(`account = ${parameter(account)}`);
    if (after !== null) conditions.push(`(${key.join(', ')}) > (${after.map(parameter).join(', ')})`);
    const rows = await this.read(
      `SELECT ${columns.join(', ')} FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${key.join(', ')} LIMIT $1`,
      values,
    );
    return recordPageOf(table, rows);
  }

  async hasRecord(table: RecordTable, values: readonly (string | number)[]) {
    const conditions = recordColumns(table).key.map((column, at) => `${column} = $${at + 1}`);
    return (await this.read(`SELECT 1 FROM ${table} WHERE ${conditions.join(' AND ')}`, values)).length > 0;
  }

  close(): Promise<void> {
    return this.options.client.end();
  }

  /** The rows of a statement, which is one transaction of the database. */
  protected async read<Row extends Value[]>(sql: string, values: Values = []): Promise<Row[]> {
    const { client, isDistributed, missingSettings } = this.options;
    try {
      if (missingSettings === null) {
        // Citus makes a plan for each execution of a statement without a name.
        const name = isDistributed || values.length === 0 ? undefined : statement(sql).name;
        return (await client.query<Row>(arrayQuery(sql, values, name))).rows;
      }
      const settings = Object.entries(missingSettings).map(
        ([name, value]) => `SET LOCAL ${name} = '${value}'`,
      );
      await client.query(['BEGIN READ ONLY', ...settings].join(';\n'));
      try {
        return (await client.query<Row>(arrayQuery(sql, values))).rows;
      } finally {
        await client.query('COMMIT');
      }
    } catch (error) {
      throw isDamagedOnServer(error)
        ? new StorageDamaged((error as Error).message, { cause: error })
        : explainError(error);
    }
  }
}

type StoredTotalValues = [
  largest: number,
  day: number | null,
  currencyCode: string,
  status: string,
  count: number,
  amount: string,
];

const totalOf = ([, day, currencyCode, status, count, amount]: StoredTotalValues): StoredTotal => ({
  day: day as number,
  currencyCode,
  status,
  count,
  amountMinor: BigInt(amount.replace(/\.\d*$/, '')),
});
