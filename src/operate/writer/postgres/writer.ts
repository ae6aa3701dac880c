import pg from 'pg';
import type { Table } from '../../../../values/tables.ts';
import { DATABASE_NOW_MS } from '../../../db/postgres/database-clock.ts';
import {
  arrayQuery,
  asRefused,
  connectToPrimary,
  explainError,
  parsePostgresUrl,
  RECORDING_SETTINGS_ON_CITUS,
  type Value,
} from '../../../db/postgres/driver/index.ts';
import { addSumsScript } from '../../../ledger/postgres/add-to-totals.ts';
import type { DaySum } from '../../../ledger/totals/total.ts';
import { LIMITS, refuseRoleThatSeesLess } from '../../postgres/open-verify-reader.ts';
import { query, type Script, type Writer } from '../writer.ts';

const literal = (value: string | number) =>
  typeof value === 'number' ? String(value) : pg.escapeLiteral(value);

export class PostgresWriter implements Writer {
  readonly now = DATABASE_NOW_MS;
  readonly literal = literal;
  readonly lockRows = ' FOR NO KEY UPDATE';
  readonly transactionsByReference = 'transactions';
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
    // The next statement reports the error.
    client.on('error', () => {});
  }

  /** The errors name `verb`. Throws: StoreRefused if the database can't be used, or if rows are hidden. */
  static async connect(url: string, verb: 'Archive' | 'Erase'): Promise<PostgresWriter> {
    let client: pg.Client | undefined;
    try {
      ({ client } = await connectToPrimary(parsePostgresUrl(url), {
        ...LIMITS,
        // No statement of this writer needs a generic plan.
        planSettings: RECORDING_SETTINGS_ON_CITUS,
      }));
      await refuseRoleThatSeesLess(client, verb);
      return new PostgresWriter(client);
    } catch (error) {
      client?.end().catch(() => {});
      throw asRefused(error);
    }
  }

  async #query<Row extends Value[]>(text: string): Promise<Row[]> {
    try {
      return (await this.#client.query<Row>(arrayQuery(text))).rows;
    } catch (error) {
      throw explainError(error);
    }
  }

  lockTable(table: Table): string[] {
    return [`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`];
  }

  jsonText(column: string, property: string): string {
    return `${column}::json ->> '${property}'`;
  }

  *addSums(account: string, sums: readonly DaySum[]): Script<void> {
    if (sums.length === 0) return;
    yield* query(addSumsScript(account, sums));
    const days = sums.map(({ day }) => day);
    yield* query(
      `DELETE FROM daily_totals WHERE account = ${literal(account)} AND count = 0 AND amount = 0 AND day BETWEEN ${Math.min(...days)} AND ${Math.max(...days)}`,
    );
  }

  async run<Result>(script: () => Script<Result>): Promise<Result> {
    await this.#query('BEGIN');
    try {
      const running = script();
      let step = running.next();
      while (step.done !== true) step = running.next(await this.#query(step.value));
      await this.#query('COMMIT');
      return step.value;
    } catch (error) {
      await this.#query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  end(): Promise<void> {
    return this.#client.end();
  }
}
