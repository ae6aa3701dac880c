import { statSync } from 'node:fs';
import { STORED_COLUMN_LIST, type StoredValues, storedRowOf } from '../../stored-rows.ts';
import { SqliteVerifyReader } from '../../verify/sqlite/verify-reader.ts';
import type { StoredRow } from '../../verify/verify-reader.ts';
import {
  type AccountHead,
  type ChangeRange,
  type CopyReader,
  HEAD_COLUMNS,
  HEAD_TABLES,
  type HeadValues,
  headOf,
} from '../copy-reader.ts';

/** One range of each index of numbers. A transaction with both numbers in the range is in the first part alone. */
const CHANGED = `SELECT ${STORED_COLUMN_LIST} FROM transactions INDEXED BY transactions_by_pending_sequence
WHERE account = ?1 AND pending_sequence > ?2 AND pending_sequence <= ?3
UNION ALL
SELECT ${STORED_COLUMN_LIST} FROM transactions INDEXED BY transactions_by_final_sequence
WHERE account = ?1 AND final_sequence > ?2 AND final_sequence <= ?3 AND (pending_sequence IS NULL OR pending_sequence <= ?2)`;

const HEADS = `SELECT ${HEAD_COLUMNS} FROM ${HEAD_TABLES}
WHERE accounts.account > ? ORDER BY accounts.account LIMIT ? + 0`;

/** The reads of a copy, on a connection that only reads. */
export class SqliteCopyReader extends SqliteVerifyReader implements CopyReader {
  async readIdentity(): Promise<string> {
    const { dev, ino } = statSync(this.path, { bigint: true });
    return `sqlite ${dev} ${ino}`;
  }

  async listHeads(after: string, limit: number): Promise<AccountHead[]> {
    return this.all<HeadValues>(HEADS, [after, limit]).map(headOf);
  }

  async readChanges(ranges: readonly ChangeRange[]): Promise<StoredRow[][]> {
    return ranges.map(({ account, after, upTo }) =>
      this.all<StoredValues>(CHANGED, [account, after, upTo]).map(storedRowOf),
    );
  }
}
