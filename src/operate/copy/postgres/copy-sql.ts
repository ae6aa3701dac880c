import { MOVED_CONSTRAINT } from '../../../db/postgres/driver/index.ts';
import { type CopyMark, FENCED_TABLES } from '../../copy-mark.ts';
import { STORED_COLUMN_LIST, STORED_COLUMNS } from '../../stored-rows.ts';

/** Servers that were restored from the same files share an identifier, but not a start time. */
export const READ_IDENTITY = `SELECT concat_ws(' ', (SELECT system_identifier FROM pg_control_system()),
  extract(epoch FROM pg_postmaster_start_time()), (SELECT oid FROM pg_database WHERE datname = current_database()), 'transactions'::regclass::oid)`;

export const BEGIN_OF_COPY = ['BEGIN', "SET LOCAL transactions.copy = 'on'"];
const IS_COPY = "current_setting('transactions.copy', true) IS NOT DISTINCT FROM 'on'";

/**
 * NOT VALID: the constraint refuses new writes, and ALTER TABLE does not read all existing rows. ALTER TABLE
 * still waits for each database transaction that is writing to the table.
 */
const fenceUnless = (isAllowed: string) =>
  FENCED_TABLES.map(
    (table) => `ALTER TABLE ${table} ADD CONSTRAINT ${MOVED_CONSTRAINT} CHECK (${isAllowed}) NOT VALID`,
  );
const FENCE_OF_DELETIONS = [
  `CREATE FUNCTION ${MOVED_CONSTRAINT}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF ${IS_COPY} THEN RETURN OLD; END IF;
RAISE EXCEPTION 'the data was moved' USING ERRCODE = 'check_violation', CONSTRAINT = '${MOVED_CONSTRAINT}'; END $$`,
  ...FENCED_TABLES.map(
    (table) =>
      `CREATE TRIGGER ${MOVED_CONSTRAINT} BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${MOVED_CONSTRAINT}()`,
  ),
];
/** On Citus, a fence would refuse the copy's own writes, so only the state `moved` has a fence. */
export function fenceOf(state: CopyMark['state'], isOnCitus: boolean): string[] {
  if (!isOnCitus) return [...fenceUnless(IS_COPY), ...FENCE_OF_DELETIONS];
  return state === 'moved' ? fenceUnless('false') : [];
}

export const REMOVE_FENCE = [
  ...FENCED_TABLES.map((table) => `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${MOVED_CONSTRAINT}`),
  `DROP FUNCTION IF EXISTS ${MOVED_CONSTRAINT}() CASCADE`,
];

const COLUMNS_OF_T = STORED_COLUMNS.map((column) => `t.${column}`).join(', ');

const RANGES = `unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS given (account, after, up_to, ordinal)`;

const inRange = (sequence: string) =>
  `t.account = given.account AND t.${sequence} > given.after AND t.${sequence} <= given.up_to`;

const IN_BY_FINAL_ALONE = `${inRange('final_sequence')} AND (t.pending_sequence IS NULL OR t.pending_sequence <= given.after)`;

/** The rows are sorted by the sequence number, so that the index of this number is used. */
const byIndex = (condition: string, sequence: string) =>
  `(SELECT ${STORED_COLUMN_LIST} FROM transactions AS t WHERE ${condition} ORDER BY t.${sequence})`;

export const READ_CHANGES = `SELECT given.ordinal, ${COLUMNS_OF_T}
FROM ${RANGES}
CROSS JOIN LATERAL (
${byIndex(inRange('pending_sequence'), 'pending_sequence')}
UNION ALL
${byIndex(IN_BY_FINAL_ALONE, 'final_sequence')}
) AS t`;

/** Citus can't plan the lateral join of READ_CHANGES. */
export const READ_CHANGES_ON_CITUS = [inRange('pending_sequence'), IN_BY_FINAL_ALONE]
  .map(
    (condition) =>
      `SELECT given.ordinal, ${COLUMNS_OF_T} FROM ${RANGES} JOIN transactions AS t ON ${condition}`,
  )
  .join('\nUNION ALL\n');
