import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDamaged, orUnavailable } from '../../db/sqlite/errors.ts';
import { inSnapshot } from '../../db/sqlite/open-file.ts';
import { wholeAmount } from '../../ledger/sqlite/add-to-totals.ts';
import type { DaySum } from '../../ledger/totals/total.ts';
import {
  ACCOUNT_TABLES,
  type DaysChunk,
  type SchemaCheck,
  type StorageCheck,
  StorageDamaged,
  type TotalsChunk,
} from '../stored-rows.ts';
import type { RefusedRow } from '../value-checks.ts';
import { LARGEST_NUMBER, type SqlValues, VerifyReader } from '../verify-reader.ts';
import { checkFile, checkingThread, type Damaged } from './check-file.ts';
import { checkSchema } from './check-schema.ts';

/** Each read has its own snapshot. If one stayed open, other programs could not checkpoint the WAL. */
export class SqliteVerifyReader extends VerifyReader {
  /** Reads in the order of the primary key, in which the rows are stored. */
  protected override readonly transactions = 'transactions INDEXED BY sqlite_autoindex_transactions_1';
  protected override readonly firstDay = Number.MIN_SAFE_INTEGER;
  protected readonly db: DatabaseSync;
  protected readonly path: string;
  readonly #statements = new Map<string, StatementSync>();
  readonly #snapshot: ReturnType<typeof inSnapshot>;
  readonly #thread = checkingThread();
  #tables: ReadonlySet<string> = new Set();

  constructor(db: DatabaseSync, path: string) {
    super();
    this.db = db;
    this.path = path;
    this.#snapshot = inSnapshot(db);
  }

  async checkSchema(): Promise<SchemaCheck> {
    const check = orDamaged(() => checkSchema(this.db));
    this.#tables = check.tables;
    return check;
  }

  checkStorage(onProgress: (what: string) => void): Promise<StorageCheck> {
    return checkFile(this.#thread, this.path, onProgress);
  }

  async readRefused(sql: string, account: readonly string[]): Promise<RefusedRow[]> {
    const call = { name: 'refused', values: [this.path, sql, account] };
    const read = await this.#thread.call<RefusedRow[] | Damaged>(call);
    if ('damaged' in read) throw new StorageDamaged(read.damaged);
    return read;
  }

  async nextAccount(after: string): Promise<string | undefined> {
    const found = ACCOUNT_TABLES.filter((table) => this.#tables.has(table)).flatMap(
      (table) =>
        this.all<[string | null]>(`SELECT min(account) FROM ${table} WHERE account > ?`, [after])[0] ?? [],
    );
    return found.filter((account) => account !== null).sort(byBytes)[0];
  }

  async readStoredTotals(account: string, { from, before }: DaysChunk): Promise<TotalsChunk> {
    const days = [from ?? this.firstDay, before ?? Number.MAX_SAFE_INTEGER];
    return orDamaged(() =>
      this.#snapshot(() => {
        const [[upTo]] = this.all<[number]>(`SELECT ${LARGEST_NUMBER.replaceAll('$', '?')}`, [account]) as [
          [number],
        ];
        const totals = this.all<TotalValues>(READ_DAYS, [account, ...days], { bigInts: true });
        return { upTo, days: totals.map(totalOf) };
      }),
    );
  }

  async close() {
    await this.#thread.close();
    this.db.close();
  }

  protected async read<Row extends (string | number | null)[]>(
    sql: string,
    values: SqlValues = [],
  ): Promise<Row[]> {
    return this.all<Row>(sql.replaceAll('$', '?'), values);
  }

  protected all<Row>(sql: string, values: SqlValues, { bigInts = false } = {}): Row[] {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = orDamaged(() => this.db.prepare(sql));
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    statement.setReadBigInts(bigInts);
    try {
      return orDamaged(() => (statement as StatementSync).all(...values) as unknown as Row[]);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw error;
      return withInexactNumbers<Row>(this.all(sql, values, { bigInts: true }));
    }
  }
}

const withInexactNumbers = <Row>(rows: unknown[][]): Row[] =>
  rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)) as Row);

const byBytes = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

function orDamaged<Result>(work: () => Result): Result {
  try {
    return orUnavailable(work);
  } catch (error) {
    if (error instanceof StorageDamaged) throw error;
    const { cause } = error as Error;
    if (isDamaged(cause)) throw new StorageDamaged((cause as Error).message);
    throw error;
  }
}

type TotalValues = [
  day: bigint,
  currencyCode: string,
  status: string,
  count: bigint,
  amountHigh: unknown,
  amountLow: unknown,
];

const READ_DAYS = `SELECT day, currency_code, status, count, amount_high, amount_low FROM daily_totals
WHERE account = ?1 AND day >= ?2 AND day < ?3 ORDER BY day, currency_code, status`;

const totalOf = ([day, currencyCode, status, count, high, low]: TotalValues): DaySum => ({
  day: Number(day),
  currencyCode,
  status,
  count: Number(count),
  amountMinor: wholeAmount(wholeOf(high), wholeOf(low)),
});

/** A damaged value that is not an integer is read as 0 here. checkStorage reports the value. */
const wholeOf = (value: unknown): bigint => (typeof value === 'bigint' ? value : 0n);
