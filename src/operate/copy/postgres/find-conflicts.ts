import { arrayText, type Value } from '../../../db/postgres/driver/index.ts';
import { wasPendingAt } from '../../row-up-to.ts';
import { FIXED, STORED_COLUMN_LIST, type StoredValues, storedRowOf } from '../../stored-rows.ts';
import type { StoredField, StoredRow } from '../../verify/verify-reader.ts';
import type { ChangeConflict, ChangePart } from '../copy-target.ts';

type Read = <Row extends Value[]>(text: string, values: readonly (string | number)[]) => Promise<Row[]>;

const READ_HEAD = 'SELECT head_sequence FROM accounts WHERE account = $1';

const readBy = (column: string, type: string) =>
  `SELECT ${STORED_COLUMN_LIST} FROM transactions WHERE account = $1 AND ${column} = ANY ($2::${type}[])`;

/** What identifies a transaction of an account by itself. */
const IDENTITIES: readonly (readonly [field: StoredField, sql: string])[] = [
  ['reference', readBy('reference', 'text')],
  ['pendingSequence', readBy('pending_sequence', 'bigint')],
  ['finalSequence', readBy('final_sequence', 'bigint')],
];

/** What of the target contradicts a part that it refused. */
export async function findConflicts(read: Read, part: ChangePart): Promise<ChangeConflict[]> {
  const { account, after, rows } = part;
  const [[head] = [0]] = await read<[number]>(READ_HEAD, [account]);
  if (head !== after) return [{ account, expectedHead: after, head }];
  const conflicts: ChangeConflict[] = [];
  const known = new Map<StoredField, Map<unknown, StoredRow>>();
  for (const [field, sql] of IDENTITIES) {
    const values = rows.map((row) => row[field]).filter((value) => value !== null);
    const found = (await read<StoredValues>(sql, [account, arrayText(values)])).map(storedRowOf);
    known.set(field, new Map(found.map((row) => [row[field], row])));
  }
  for (const row of rows) {
    const found = IDENTITIES.flatMap(([field]) => known.get(field)?.get(row[field]) ?? []);
    const contradicting = wasPendingAt(row, after) ? found.filter((one) => !isSamePending(one, row)) : found;
    const isMissing = wasPendingAt(row, after) && found.length === 0;
    if (isMissing || contradicting.length > 0) conflicts.push({ account, row, found: contradicting[0] });
  }
  return conflicts;
}

const isSamePending = (found: StoredRow, row: StoredRow) =>
  found.status === 'pending' &&
  found.finalSequence === null &&
  FIXED.every(({ field }) => found[field] === row[field]) &&
  (row.detailsRemovedAtMs !== null || (found.detailsRemovedAtMs === null && found.details === row.details));
