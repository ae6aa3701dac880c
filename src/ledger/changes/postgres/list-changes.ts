import { DATABASE_NOW_MS } from '../../../db/postgres/database-clock.ts';
import {
  arrayText,
  type BackgroundConnections,
  type Connections,
  type Replicas,
  type RowReader,
  readStatement,
  statement,
} from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { selectOfAccount } from '../../../db/postgres/topology.ts';
import { PENDING } from '../../../values/status.ts';
import { readTransactionOrNulls } from '../../read-transaction-row.ts';
import {
  CHANGES_COLUMNS,
  type ChangesRow,
  changesOfRow,
  TRANSACTION_COLUMNS,
} from '../../transaction-columns.ts';
import type { Change, ChangeQuery, ChangeReader, ChangeResult, NumberedNonce } from '../change.ts';
import { ARCHIVED_NONCE, changeResultOf, isOfHistory, rowsToRead } from '../change.ts';

interface ChangeReaderOptions {
  primary: Connections;
  replicas: Replicas | null;
  background: BackgroundConnections;
  topology: Topology;
}

const CHANGE_COLUMNS = `sequence, nonce, previous_status, recorded_at_ms, ${TRANSACTION_COLUMNS}`;

/** The columns of a transaction as it was while it was pending. */
const PENDING_COLUMNS = TRANSACTION_COLUMNS.replace('status', `'${PENDING}'::text COLLATE "C" AS status`)
  .replace('paid_at_ms', 'NULL::bigint AS paid_at_ms')
  .replace('final_details', 'NULL::text COLLATE "C" AS final_details');

const rangeSql = (account: string, sequence: string, columns: string) => `(SELECT ${columns}
FROM transactions
WHERE account = ${account} AND ${sequence} >= $2
ORDER BY ${sequence}
LIMIT $3)`;

const mergedSql = (account: string) => `SELECT ${CHANGE_COLUMNS} FROM (
${rangeSql(account, 'pending_sequence', `pending_sequence AS sequence, pending_nonce AS nonce, NULL AS previous_status, pending_recorded_at_ms AS recorded_at_ms, ${PENDING_COLUMNS}`)}
UNION ALL
${rangeSql(account, 'final_sequence', `final_sequence, final_nonce, CASE WHEN pending_sequence IS NOT NULL THEN '${PENDING}' END, final_recorded_at_ms, ${TRANSACTION_COLUMNS}`)}
) AS ranges
ORDER BY sequence
LIMIT $3`;

/**
 * The change of the account $1 at $2 and those after it, at most $3 in all, with the head and the floor in each row, from one snapshot: the changes by which
 * transactions became pending and those by which they took their final status are each one range of an index, and are
 * merged. Without a change, there is one row without one.
 */
const changesSql = (topology: Topology) =>
  selectOfAccount(
    topology,
    `head_sequence, floor_sequence, floor_nonce, ${CHANGE_COLUMNS}`,
    (account) => `SELECT head.head_sequence, floor.floor_sequence, floor.floor_nonce, ${CHANGE_COLUMNS}
FROM (SELECT coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = ${account}), 0) AS head_sequence OFFSET 0) AS head
LEFT JOIN LATERAL (
SELECT archives.floor_sequence, archives.floor_nonce FROM archives WHERE archives.account = ${account} OFFSET 0
) AS floor ON true
LEFT JOIN LATERAL (
${mergedSql(account)}
) AS changes ON true`,
  );

/** The nonce of the change of an account at a number. Each is looked up by itself, whatever the statistics say. */
export const nonceSql = (account: string, sequence: string) => {
  const nonceOf = (change: 'pending' | 'final') =>
    `(SELECT t.${change}_nonce FROM transactions AS t WHERE t.account = ${account} AND t.${change}_sequence = ${sequence})`;
  const archived = `(SELECT CASE WHEN a.floor_sequence = ${sequence} THEN a.floor_nonce ELSE ${ARCHIVED_NONCE} END FROM archives AS a WHERE a.account = ${account} AND a.floor_sequence >= ${sequence})`;
  return `coalesce(${nonceOf('pending')}, ${nonceOf('final')}, ${archived})`;
};

/**
 * The places of those of the numbers $2 of the account $1 whose changes do not have the nonces $3. Those that were acknowledged, $4 ms ago,
 * before the account was erased are left out, as are those up to the floor, and all of an account that is being erased.
 */
const missingChangesSql = (topology: Topology) =>
  selectOfAccount(
    topology,
    'place',
    (
      account,
    ) => `SELECT given.ordinal - 1 AS place FROM unnest($2::bigint[], $3::bigint[], $4::float8[]) WITH ORDINALITY AS given (sequence, nonce, age_ms, ordinal)
WHERE ${nonceSql(account, 'given.sequence')} IS DISTINCT FROM given.nonce
  AND NOT EXISTS (SELECT FROM accounts AS erased WHERE erased.account = ${account} AND (closed_at_sequence IS NOT NULL OR erased_at_ms >= ${DATABASE_NOW_MS} - given.age_ms))
  AND NOT EXISTS (SELECT FROM archives AS archived WHERE archived.account = ${account} AND floor_sequence >= given.sequence)`,
  );

interface ChangeRow {
  headSequence: number;
  floor: NumberedNonce | undefined;
  change: Change | null;
}

function readChangeRow(row: RowReader): ChangeRow {
  const headSequence = row.integer();
  const floorSequence = row.integerOrNull();
  const floorNonce = row.integerOrNull();
  const floor = floorSequence === null ? undefined : { sequence: floorSequence, nonce: floorNonce as number };
  const sequence = row.integerOrNull();
  const nonce = row.integerOrNull();
  const previousStatus = row.textOrNull();
  const recordedAtMs = row.integerOrNull();
  const transaction = readTransactionOrNulls(row);
  if (sequence === null) return { headSequence, floor, change: null };
  return {
    headSequence,
    floor,
    change: { sequence, nonce, previousStatus, recordedAtMs, transaction } as Change,
  };
}

const READ_HEADS = statement(
  'SELECT account, head_sequence FROM accounts WHERE account = ANY($1::text[]) AND head_sequence > 0',
);

/** Reads pages of changes over connections. */
export function changePages(topology: Topology) {
  const list = readStatement(changesSql(topology), readChangeRow);
  return async (
    connections: Pick<Connections, 'read'> | Pick<BackgroundConnections, 'read'>,
    query: ChangeQuery,
  ): Promise<ChangeResult> => {
    const rows = await connections.read(list, [query.account, query.after, rowsToRead(query)]);
    const [first] = rows;
    if (first === undefined) throw new Error('PostgreSQL returned no head of the account');
    const changes = rows.flatMap(({ change }) => change ?? []);
    // The join keeps the order of its changes, but SQL does not guarantee it.
    changes.sort((a, b) => a.sequence - b.sequence);
    return changeResultOf(query, changes, first.headSequence, first.floor);
  };
}

export function changeReader({ primary, replicas, background, topology }: ChangeReaderOptions): ChangeReader {
  const retrieve = statement(
    selectOfAccount(
      topology,
      CHANGES_COLUMNS,
      (account) =>
        `SELECT ${CHANGES_COLUMNS} FROM transactions WHERE account = ${account} AND reference = $2 LIMIT 1`,
    ),
  );
  const listFrom = changePages(topology);
  const findMissing = readStatement(missingChangesSql(topology), (row) => row.integer());

  return {
    listChanges: async (query) => {
      if (replicas === null) return listFrom(primary, query);
      const found = await replicas.read(undefined, (connections) => listFrom(connections, query));
      // A replica that lags must not say that there is nothing yet, or that the history changed.
      const isCertain = found.changes.length > 0 && isOfHistory(query, found);
      return isCertain && query.after >= found.floorSequence ? found : listFrom(primary, query);
    },
    listTransactionChanges: async (account, reference) => {
      const [row] = await primary.query<ChangesRow>(retrieve, [account, reference]);
      return row && changesOfRow(row);
    },
    findMissingChanges: (account, changes) => {
      const sequences = changes.map(({ sequence }) => sequence);
      const nonces = changes.map(({ nonce }) => nonce);
      const ages = changes.map(({ ageMs }) => ageMs);
      return background.read(findMissing, [
        account,
        arrayText(sequences),
        arrayText(nonces),
        arrayText(ages),
      ]);
    },
    readHeads: async (accounts) =>
      new Map(await primary.query<[account: string, headSequence: number]>(READ_HEADS, [accounts])),
  };
}
