import pg from 'pg';
import type { AppliedMigration } from '../../db/migrations.ts';
import {
  arrayQuery,
  explainError,
  type PlanSettings,
  statement,
  type Value,
} from '../../db/postgres/driver/index.ts';
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
import { checkIndexes, inRolledBack, isDamagedOnServer } from './check-indexes.ts';
import { checkSchema } from './check-schema.ts';

/** The SQL contains `after` as a literal, because Citus can't plan a query of all shards with parameters. */
function nextAccountSql(after: string, tables: ReadonlySet<string>): string {
  const firstOf = (table: string) =>
    `SELECT min(account) AS account FROM ${table} WHERE account > ${pg.escapeLiteral(after)}`;
  const all = ACCOUNT_TABLES.filter((table) => tables.has(table)).map(firstOf);
  return `SELECT min(account) FROM (${all.join('\nUNION ALL ')}) AS accounts`;
}

/**
 * `largest` is the largest sequence number in the same snapshot as the totals. The totals are compared with
 * the changes up to `largest`, because more changes can be recorded during the check. If there are no totals,
 * a single row has `largest` and nulls.
 */
const READ_STORED_TOTALS = `SELECT numbers.largest, day, currency_code, status, count, amount::text
FROM (SELECT ${LARGEST_NUMBER} AS largest OFFSET 0) AS numbers
LEFT JOIN LATERAL (
SELECT day, currency_code, status, count, amount FROM daily_totals WHERE account = $1 AND day >= $2 AND day < $3 AND (count <> 0 OR amount <> 0)
) AS totals ON true`;

const FIRST_DAY = -(2 ** 31);
const LAST_DAY = 2 ** 31 - 1;

export interface VerifyReaderOptions {
  client: pg.Client;
  applied: readonly AppliedMigration[];
  isDistributed: boolean;
  missingSettings: PlanSettings | null;
}

export class PostgresVerifyReader extends VerifyReader {
  protected override readonly firstDay = FIRST_DAY;
  protected readonly options: VerifyReaderOptions;
  #tables: ReadonlySet<string> = new Set();

  constructor(options: VerifyReaderOptions) {
    super();
    this.options = options;
  }

  async checkSchema(): Promise<SchemaCheck> {
    const { applied, isDistributed } = this.options;
    const check = await checkSchema((sql) => this.read(sql), applied, { isDistributed });
    this.#tables = check.tables;
    return check;
  }

  checkStorage(onProgress: (what: string) => void): Promise<StorageCheck> {
    return checkIndexes(this.options, onProgress);
  }

  async readRefused(sql: string, account: readonly string[]): Promise<RefusedRow[]> {
    const { client } = this.options;
    return orDamaged(() =>
      inRolledBack(client, async () => {
        // Allows a sequential scan, because reading the whole table in the order of an index is slower.
        if (account.length === 0) await client.query('SET LOCAL enable_seqscan = on');
        return (await client.query<RefusedRow>(arrayQuery(sql, account))).rows;
      }),
    );
  }

  async nextAccount(after: string): Promise<string | undefined> {
    const [row] = await this.read<[string | null]>(nextAccountSql(after, this.#tables));
    return row?.[0] ?? undefined;
  }

  async readStoredTotals(account: string, { from, before }: DaysChunk): Promise<TotalsChunk> {
    const days = [from ?? FIRST_DAY, before ?? LAST_DAY];
    const rows = await this.read<StoredTotalValues>(READ_STORED_TOTALS, [account, ...days]);
    const [[upTo]] = rows as [StoredTotalValues];
    return { upTo, days: rows.filter(([, day]) => day !== null).map(totalOf) };
  }

  close(): Promise<void> {
    return this.options.client.end();
  }

  protected async read<Row extends Value[]>(sql: string, values: SqlValues = []): Promise<Row[]> {
    return orDamaged(() => this.#read<Row>(sql, values));
  }

  async #read<Row extends Value[]>(sql: string, values: SqlValues): Promise<Row[]> {
    const { client, isDistributed, missingSettings } = this.options;
    if (missingSettings === null) {
      // A named statement keeps its plan, but Citus must plan each execution.
      const name = isDistributed || values.length === 0 ? undefined : statement(sql).name;
      return (await client.query<Row>(arrayQuery(sql, values, name))).rows;
    }
    const settings = Object.entries(missingSettings).map(([name, value]) => `SET LOCAL ${name} = '${value}'`);
    await client.query(['BEGIN READ ONLY', ...settings].join(';\n'));
    try {
      // A pooler that drops settings does not keep named statements either.
      return (await client.query<Row>(arrayQuery(sql, values))).rows;
    } finally {
      await client.query('COMMIT');
    }
  }
}

async function orDamaged<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isDamagedOnServer(error) ? new StorageDamaged((error as Error).message) : explainError(error);
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

const totalOf = ([, day, currencyCode, status, count, amount]: StoredTotalValues): DaySum => ({
  day: day as number,
  currencyCode,
  status,
  count,
  amountMinor: BigInt(amount.replace(/\.\d*$/, '')),
});
