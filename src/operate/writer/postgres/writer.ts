import pg from 'pg';
import type { AuditEntry } from '../../../audit/audit.ts';
import { AUDIT_COLUMNS, auditRowOf } from '../../../audit/audit-columns.ts';
import {
  arrayQuery,
  connectToPrimary,
  explainError,
  explainPostgresError,
  parsePostgresUrl,
  RECORDING_SETTINGS_ON_CITUS,
  type Value,
} from '../../../db/postgres/driver/index.ts';
import { StoreRefused } from '../../../values/store-errors.ts';
import { LIMITS, refuseRoleThatSeesLess } from '../../verify/postgres/open-verify-reader.ts';

export const literal = (value: string | number) =>
  typeof value === 'number' ? String(value) : pg.escapeLiteral(value);

/** Short transactions of the database of a command, on a connection of its own. */
export class PostgresWriter {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
    // The next statement reports it.
    client.on('error', () => {});
  }

  /**
   * Connects. `verb` is what the database is written for.
   *
   * Throws: StoreRefused if the database can't be used, or if the role does not see all rows.
   */
  static async connect(url: string, verb: 'Archive' | 'Erase'): Promise<PostgresWriter> {
    let client: pg.Client | undefined;
    try {
      ({ client } = await connectToPrimary(parsePostgresUrl(url), {
        ...LIMITS,
        // A generic plan is of no use for any of these statements.
        planSettings: RECORDING_SETTINGS_ON_CITUS,
      }));
      await refuseRoleThatSeesLess(client, verb);
      return new PostgresWriter(client);
    } catch (error) {
      client?.end().catch(() => {});
      if (error instanceof StoreRefused) throw error;
      throw new StoreRefused(explainPostgresError(error), { cause: error });
    }
  }

  async transact<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.query('BEGIN');
    try {
      const result = await work();
      await this.query('COMMIT');
      return result;
    } catch (error) {
      await this.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async query<Row extends Value[]>(text: string): Promise<Row[]> {
    try {
      return (await this.#client.query<Row>(arrayQuery(text))).rows;
    } catch (error) {
      throw explainError(error);
    }
  }

  /** Writes an entry about an account, inside a transaction. */
  async audit(entry: AuditEntry): Promise<void> {
    const values = auditRowOf(entry).map((value) => (value === null ? 'NULL' : literal(value)));
    await this.query(`INSERT INTO account_audit (${AUDIT_COLUMNS.join(', ')}) VALUES (${values.join(', ')})`);
  }

  end(): Promise<void> {
    return this.#client.end();
  }
}
