import {
  arrayText,
  type BackgroundConnections,
  type Connections,
  type Replicas,
} from '../../../db/postgres/driver/index.ts';
import { sentForAccount, sentStatement } from '../../../db/postgres/sent-statement.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { type Row, statementsOf } from '../../../db/statement.ts';
import { readTransactionOrNulls } from '../../transaction.ts';
import {
  type Change,
  type ChangeQuery,
  type ChangeReader,
  type ChangeResult,
  changeResultOf,
  isOfHistory,
  type NumberedNonce,
  rowsToRead,
} from '../change.ts';

interface ChangeReaderOptions {
  primary: Connections;
  replicas: Replicas | null;
  background: BackgroundConnections;
  topology: Topology;
}

const written = statementsOf(new URL('./changes.sql', import.meta.url));
const LIST = written('listChanges', readChangeRow);
const FIND_MISSING = written('findMissingChanges', (row) => row.integer());
const READ_HEADS = sentStatement(
  written('readHeads', (row): [account: string, headSequence: number] => [row.text(), row.integer()]),
);

interface ChangeRow {
  headSequence: number;
  floor: NumberedNonce | undefined;
  change: Change | null;
}

function readChangeRow(row: Row): ChangeRow {
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

export function changePages(topology: Topology) {
  const list = sentForAccount(topology, LIST);
  return async (
    connections: Pick<Connections, 'read'> | Pick<BackgroundConnections, 'read'>,
    query: ChangeQuery,
  ): Promise<ChangeResult> => {
    const { account, after } = query;
    const rows = await connections.read(list, list.valuesOf({ account, after, limit: rowsToRead(query) }));
    const [first] = rows;
    if (first === undefined) throw new Error('PostgreSQL returned no head of the account');
    const changes = rows.flatMap(({ change }) => change ?? []);
    // SQL does not guarantee the order of a join's rows.
    changes.sort((a, b) => a.sequence - b.sequence);
    return changeResultOf(query, changes, first.headSequence, first.floor);
  };
}

export function changeReader({
  primary,
  replicas,
  background,
  topology,
}: ChangeReaderOptions): Omit<ChangeReader, 'listTransactionChanges'> {
  const listFrom = changePages(topology);
  const findMissing = sentForAccount(topology, FIND_MISSING);

  return {
    listChanges: async (query) => {
      if (replicas === null) return listFrom(primary, query);
      const found = await replicas.read(undefined, (connections) => listFrom(connections, query));
      // A replica can lag, so the primary is read if the replica returns no changes or a different history.
      const isCertain = found.changes.length > 0 && isOfHistory(query, found);
      return isCertain && query.after >= found.floorSequence ? found : listFrom(primary, query);
    },
    findMissingChanges: (account, changes) => {
      const sequences = arrayText(changes.map(({ sequence }) => sequence));
      const nonces = arrayText(changes.map(({ nonce }) => nonce));
      const agesMs = arrayText(changes.map(({ ageMs }) => ageMs));
      return background.read(findMissing, findMissing.valuesOf({ account, sequences, nonces, agesMs }));
    },
    readHeads: async (accounts) =>
      new Map(await primary.read(READ_HEADS, READ_HEADS.valuesOf({ accounts: arrayText(accounts) }))),
  };
}
