import type { BackgroundConnections, Connections } from '../../../db/postgres/driver/index.ts';
import { sentForAccount } from '../../../db/postgres/sent-statement.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { type Row, statementsOf } from '../../../db/statement.ts';
import type { CountedTotals, ListedSummer, Total, TotalsReader } from '../total.ts';
import { listedSummer } from './sum-listed.ts';

export interface TotalsOptions {
  primary: Connections;
  background: BackgroundConnections;
  topology: Topology;
}

const written = statementsOf(new URL('./totals.sql', import.meta.url));
const ADD_UP = written('addUpTotals', readStoredRow);
const LIST = written('listTotals', readStoredRow);
const READ_NONCE = written('readNonce', (row) => row.integerOrNull());

/** Reads the total of a row. Null if the join found no total. */
function readTotal(row: Row): Total | null {
  const day = row.integerOrNull();
  const currencyCode = row.textOrNull();
  const status = row.textOrNull();
  const count = row.integerOrNull();
  const amount = row.textOrNull();
  return currencyCode === null || status === null || count === null || amount === null
    ? null
    : { day, currencyCode, status, count, amountMinor: BigInt(amount) };
}

function readStoredRow(row: Row): { counted: Omit<CountedTotals, 'totals'>; total: Total | null } {
  const [asOf, lastNonce] = [row.integer(), row.integerOrNull()];
  const [beforeMs, removedChanges] = [row.integerOrNull(), row.integerOrNull()];
  const archive = beforeMs === null ? undefined : { beforeMs, removedChanges: removedChanges as number };
  return { counted: { asOf, lastNonce, archive }, total: readTotal(row) };
}

/** Stand for the open ends of a range: no day is beyond them. */
const FIRST_DAY = -(2 ** 31);
const LAST_DAY = 2 ** 31 - 1;
/** A range without a day. */
const NO_DAYS = { from: 1, to: 0 };

export function totalsStore({ primary, background, topology }: TotalsOptions): TotalsReader & ListedSummer {
  const addUp = sentForAccount(topology, ADD_UP);
  const list = sentForAccount(topology, LIST);
  const nonce = sentForAccount(topology, READ_NONCE);

  return {
    readStoredTotals: async ({ account, status, currency, byDay, days }) => {
      const { from, to } = days ?? NO_DAYS;
      const range = { fromDay: from ?? FIRST_DAY, toDay: to ?? LAST_DAY };
      const filter = { status: status ?? '', currency: currency ?? '' };
      const statement = byDay ? list : addUp;
      const rows = await primary.read(statement, statement.valuesOf({ account, ...range, ...filter }));
      const [first] = rows;
      if (first === undefined) throw new Error('PostgreSQL returned no head of the account');
      return { ...first.counted, totals: rows.flatMap(({ total }) => total ?? []) };
    },
    readNonce: async (account, sequence) => {
      const [found = null] = await primary.read(nonce, nonce.valuesOf({ account, sequence }));
      return found;
    },
    ...listedSummer(background, topology),
  };
}
