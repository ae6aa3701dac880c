import type { AuditEntry } from '../../../audit/audit.ts';
import { DATABASE_NOW_MS } from '../../../db/postgres/database-clock.ts';
import { NO_SEAL } from '../../../ledger/seals/seal.ts';
import type { Table } from '../../../values/tables.ts';
import { literal, PostgresWriter } from '../../writer/postgres/writer.ts';
import {
  type AccountEraser,
  keyInAccount,
  OF_ACCOUNTS,
  REMOVED_AT_THE_END,
  type RowPlace,
} from '../account-eraser.ts';

/**
 * Each statement names the account as a value, by which Citus finds the shard.
 *
 * Throws: StoreRefused if the database can't be used, or if the role does not see all rows.
 */
export const openPostgresAccountEraser = async (url: string): Promise<AccountEraser> =>
  new PostgresAccountEraser(await PostgresWriter.connect(url, 'Erase'));

const rowOf = (values: RowPlace) => `(${values.map(literal).join(', ')})`;

class PostgresAccountEraser implements AccountEraser {
  readonly #writer: PostgresWriter;

  constructor(writer: PostgresWriter) {
    this.#writer = writer;
  }

  async close(account: string, entry: AuditEntry): Promise<number | undefined> {
    const name = literal(account);
    if (!(await this.#hasRows(name))) return undefined;
    return this.#writer.transact(async () => {
      await this.#writer.query(
        `INSERT INTO accounts (account, head_sequence) VALUES (${name}, 0) ON CONFLICT (account) DO NOTHING`,
      );
      const [head] = await this.#writer.query<[number]>(
        `UPDATE accounts SET closed_at_sequence = head_sequence WHERE account = ${name} RETURNING head_sequence`,
      );
      const sequence = head?.[0] as number;
      // As if all were sealed: what is in flight finds another number.
      await this.#writer.query(
        `INSERT INTO seals (account, sequence, seal, digests) VALUES (${name}, ${sequence}, '${NO_SEAL}', '') ON CONFLICT (account) DO UPDATE SET sequence = EXCLUDED.sequence`,
      );
      await this.#writer.audit(entry);
      return sequence;
    });
  }

  async #hasRows(name: string): Promise<boolean> {
    for (const table of OF_ACCOUNTS) {
      const isUsed = table === 'accounts' ? 'AND (head_sequence > 0 OR closed_at_sequence IS NOT NULL)' : '';
      const rows = await this.#writer.query(
        `SELECT 1 FROM ${table} WHERE account = ${name} ${isUsed} LIMIT 1`,
      );
      if (rows.length > 0) return true;
    }
    return false;
  }

  async removeRows(table: Table, account: string, after: RowPlace | null, limit: number) {
    const key = keyInAccount(table).join(', ');
    const isOwn = `account = ${literal(account)}${after === null ? '' : ` AND (${key}) > ${rowOf(after)}`}`;
    const [last] = await this.#writer.query<(string | number)[]>(
      `SELECT ${key} FROM ${table} WHERE ${isOwn} ORDER BY ${key} LIMIT 1 OFFSET ${limit - 1}`,
    );
    const upTo = last === undefined ? '' : ` AND (${key}) <= ${rowOf(last)}`;
    await this.#writer.query(`DELETE FROM ${table} WHERE ${isOwn}${upTo}`);
    return last;
  }

  async lastKeyEnd(account: string): Promise<number> {
    const [row] = await this.#writer.query<[number]>(
      `SELECT coalesce(max(end_recorded_at_ms), 0) FROM api_keys WHERE account = ${literal(account)}`,
    );
    return row?.[0] as number;
  }

  async open(account: string, settledEnd: number, entry: AuditEntry): Promise<boolean> {
    const name = literal(account);
    // Citus allows no function of time in a statement that writes.
    const [now] = await this.#writer.query<[number]>(`SELECT ${DATABASE_NOW_MS}`);
    const nowMs = now?.[0] as number;
    return this.#writer.transact(async () => {
      // No key is made or ended until the account is open. Keys are read meanwhile.
      await this.#writer.query('LOCK TABLE api_keys IN SHARE ROW EXCLUSIVE MODE');
      const unsettled = await this.#writer.query(
        `SELECT 1 FROM api_keys WHERE account = ${name} AND (revoked_at_ms IS NULL OR end_recorded_at_ms > ${settledEnd}) LIMIT 1`,
      );
      if (unsettled.length > 0) return false;
      // Before its other rows, as recordings do.
      await this.#writer.query(
        `UPDATE accounts SET head_sequence = 0, closed_at_sequence = NULL, erased_at_ms = ${nowMs} WHERE account = ${name}`,
      );
      await this.#writer.audit(entry);
      for (const table of REMOVED_AT_THE_END)
        await this.#writer.query(`DELETE FROM ${table} WHERE account = ${name}`);
      await this.#writer.query(`DELETE FROM api_keys WHERE account = ${name}`);
      return true;
    });
  }

  end(): Promise<void> {
    return this.#writer.end();
  }
}
