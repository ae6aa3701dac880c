import pg from 'pg';
import { arrayText } from '../../../db/postgres/driver/index.ts';
import { type StoredValues, storedRowOf } from '../../stored-rows.ts';
import { PostgresVerifyReader } from '../../verify/postgres/verify-reader.ts';
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
import { READ_CHANGES, READ_CHANGES_ON_CITUS, READ_IDENTITY } from './copy-sql.ts';

/** The reads of `transactions copy`, on a connection of its own. Each is a short transaction of the database. */
export class PostgresCopyReader extends PostgresVerifyReader implements CopyReader {
  async readIdentity(): Promise<string> {
    const [[identity]] = (await this.read<[string]>(READ_IDENTITY)) as [[string]];
    return identity;
  }

  async listHeads(after: string, limit: number): Promise<AccountHead[]> {
    // Written with values: Citus has no plan with parameters of a statement that reads every shard.
    const rows = await this.read<HeadValues>(
      `SELECT ${HEAD_COLUMNS} FROM ${HEAD_TABLES} WHERE accounts.account > ${pg.escapeLiteral(after)} ORDER BY accounts.account LIMIT ${limit}`,
    );
    return rows.map(headOf);
  }

  async readChanges(ranges: readonly ChangeRange[]): Promise<StoredRow[][]> {
    const found: StoredRow[][] = ranges.map(() => []);
    const rows = await this.read<[ordinal: number, ...StoredValues]>(
      this.options.isDistributed ? READ_CHANGES_ON_CITUS : READ_CHANGES,
      [
        arrayText(ranges.map(({ account }) => account)),
        arrayText(ranges.map(({ after }) => after)),
        arrayText(ranges.map(({ upTo }) => upTo)),
      ],
    );
    for (const [ordinal, ...values] of rows) found[ordinal - 1]?.push(storedRowOf(values));
    return found;
  }
}
