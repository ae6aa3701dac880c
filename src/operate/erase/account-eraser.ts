import { TABLES, type Table, tablesWith } from '../../../values/tables.ts';
import type { AuditEntry } from '../../audit/audit.ts';
import { NO_SEAL } from '../../ledger/seals/seal.ts';
import { audit, query, type Script, type Writer } from '../writer/writer.ts';

export type RowPosition = readonly (string | number)[];

const OF_ACCOUNTS = tablesWith(
  ({ belongsTo, outlivesAccount }) => belongsTo === 'account' && outlivesAccount !== true,
);

const keyInAccount = (table: Table): readonly string[] => TABLES[table].key.slice(1);

/** `api_keys` is left out, because its rows stay until every service has read that the keys were revoked. */
export const REMOVED_ROW_BY_ROW = OF_ACCOUNTS.filter(
  (table) => table !== 'api_keys' && keyInAccount(table).length > 0,
);

/** The last step removes rows from these tables again: services may have added some during the erasure. */
const REMOVED_AT_THE_END = OF_ACCOUNTS.filter((table) => table !== 'accounts' && table !== 'api_keys');

export function accountEraser(writer: Writer) {
  const { literal } = writer;
  return {
    close(account: string, entry: AuditEntry): Promise<number | undefined> {
      const name = literal(account);
      return writer.run(function* () {
        if (!(yield* hasRows(name))) return undefined;
        yield* query(
          `INSERT INTO accounts (account, head_sequence) VALUES (${name}, 0) ON CONFLICT (account) DO NOTHING`,
        );
        const [head] = yield* query<[number]>(
          `UPDATE accounts SET closed_at_sequence = head_sequence WHERE account = ${name} RETURNING head_sequence`,
        );
        const sequence = head?.[0] as number;
        // After this, an instance that is just sealing the account cannot store its seal.
        yield* query(
          `INSERT INTO seals (account, sequence, seal, digests) VALUES (${name}, ${sequence}, '${NO_SEAL}', '') ON CONFLICT (account) DO UPDATE SET sequence = EXCLUDED.sequence`,
        );
        yield* audit(entry, writer);
        return sequence;
      });
    },

    removeRows(
      table: Table,
      account: string,
      after: RowPosition | null,
      limit: number,
    ): Promise<RowPosition | undefined> {
      const key = keyInAccount(table).join(', ');
      const rowOf = (values: RowPosition) => `(${values.map(literal).join(', ')})`;
      const isOwn = `account = ${literal(account)}${after === null ? '' : ` AND (${key}) > ${rowOf(after)}`}`;
      return writer.run(function* () {
        const [last] = yield* query<(string | number)[]>(
          `SELECT ${key} FROM ${table} WHERE ${isOwn} ORDER BY ${key} LIMIT 1 OFFSET ${limit - 1}`,
        );
        const upTo = last === undefined ? '' : ` AND (${key}) <= ${rowOf(last)}`;
        yield* query(`DELETE FROM ${table} WHERE ${isOwn}${upTo}`);
        return last;
      });
    },

    /** Returns the time at which a key was last revoked or rolled, or 0. This time never decreases. */
    async lastKeyEnd(account: string): Promise<number> {
      const name = literal(account);
      const [row] = await writer.run(() =>
        query<[number]>(`SELECT coalesce(max(end_recorded_at_ms), 0) FROM api_keys WHERE account = ${name}`),
      );
      return row?.[0] as number;
    },

    /** Returns false and changes nothing if a key is not revoked, or was revoked after `settledEnd`. */
    open(account: string, settledEnd: number, entry: AuditEntry): Promise<boolean> {
      const name = literal(account);
      return writer.run(function* () {
        // While this lock is held, keys can be read, but none can be created or revoked.
        for (const lock of writer.lockTable('api_keys')) yield* query(lock);
        const unsettled = yield* query(
          `SELECT 1 FROM api_keys WHERE account = ${name} AND (revoked_at_ms IS NULL OR end_recorded_at_ms > ${settledEnd}) LIMIT 1`,
        );
        if (unsettled.length > 0) return false;
        // Citus allows no function of time in a statement that writes, so the time is read first.
        const [now] = yield* query<[number]>(`SELECT ${writer.now}`);
        // Recordings write to `accounts` before other tables. The same order here prevents deadlocks.
        // `erased_at_ms` grows even if the clock was set back, so that `transactions copy` finds the erasure.
        yield* query(
          `UPDATE accounts SET head_sequence = 0, closed_at_sequence = NULL,
erased_at_ms = CASE WHEN erased_at_ms >= ${now?.[0]} THEN erased_at_ms + 1 ELSE ${now?.[0]} END WHERE account = ${name}`,
        );
        yield* audit(entry, writer);
        for (const table of [...REMOVED_AT_THE_END, 'api_keys'])
          yield* query(`DELETE FROM ${table} WHERE account = ${name}`);
        return true;
      });
    },

    end: writer.end,
  };
}

export type AccountEraser = ReturnType<typeof accountEraser>;

function* hasRows(name: string): Script<boolean> {
  for (const table of OF_ACCOUNTS) {
    const isUsed = table === 'accounts' ? 'AND (head_sequence > 0 OR closed_at_sequence IS NOT NULL)' : '';
    const rows = yield* query(`SELECT 1 FROM ${table} WHERE account = ${name} ${isUsed} LIMIT 1`);
    if (rows.length > 0) return true;
  }
  return false;
}
