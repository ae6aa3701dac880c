import type { BackgroundConnections, Connections } from '../../../db/postgres/driver/index.ts';
import { sentForAccount } from '../../../db/postgres/sent-statement.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { type Row, statementsOf, type Values } from '../../../db/statement.ts';
import type { Position } from '../../list/list.ts';
import {
  byIndexOfFilter,
  type CountedTotals,
  type ListedSummer,
  type ListedSumQuery,
  type ListedTotal,
  type Total,
  type TotalsReader,
} from '../total.ts';

export interface TotalsOptions {
  primary: Connections;
  background: BackgroundConnections;
  topology: Topology;
}

const written = statementsOf(new URL('./totals.sql', import.meta.url));
const ADD_UP = written('addUpTotals', readStoredRow);
const LIST = written('listTotals', readStoredRow);

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

const FIRST_DAY = -(2 ** 31);
const LAST_DAY = 2 ** 31 - 1;
const NO_DAYS = { from: 1, to: 0 };

export function totalsStore({
  primary,
  background,
  topology,
}: TotalsOptions): Omit<TotalsReader, 'readNonce'> & ListedSummer {
  const addUp = sentForAccount(topology, ADD_UP);
  const list = sentForAccount(topology, LIST);

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
    ...listedSummer(background, topology),
  };
}

const FIRST_MS = Number.MIN_SAFE_INTEGER;
const LAST_MS = Number.MAX_SAFE_INTEGER;

/** How many transactions a statement sums. That takes some 10 ms. */
const SUMMED_ROWS = 5000;

type SumRow = { total: ListedTotal; created: { firstMs: number; lastMs: number } } | { end: Position };

function readSumRow(row: Row): SumRow {
  const total = {
    currencyCode: row.text(),
    status: row.text(),
    partStartMs: row.integerOrNull(),
    count: row.integer(),
    amountMinor: BigInt(row.text()),
  };
  const [firstMs, createdAtMs, reference] = [row.integerOrNull(), row.integer(), row.textOrNull()];
  if (reference !== null) return { end: { createdAtMs, reference } };
  return { total, created: { firstMs: firstMs as number, lastMs: createdAtMs } };
}

function listedSummer(background: BackgroundConnections, topology: Topology): ListedSummer {
  const statementFor = byIndexOfFilter((suffix) =>
    sentForAccount(topology, written(`sumListed${suffix}`, readSumRow)),
  );
  return {
    sumListed: async (query, after) => {
      const statement = statementFor(query.filter);
      const rows = await background.read(statement, statement.valuesOf(valuesOf(query, after)));
      const end = rows.find((row) => 'end' in row)?.end ?? null;
      const isLast = end === null || end.createdAtMs < (query.range.fromMs ?? FIRST_MS);
      const found = rows.filter((row) => 'total' in row);
      const created =
        found.length === 0
          ? null
          : {
              firstMs: Math.min(...found.map((row) => row.created.firstMs)),
              lastMs: Math.max(...found.map((row) => row.created.lastMs)),
            };
      return { totals: found.map(({ total }) => total), created, next: isLast ? null : end };
    },
  };
}

function valuesOf({ account, filter, range, paid, asOf }: ListedSumQuery, after: Position | null): Values {
  const { createdAtMs, reference } = after ?? {
    createdAtMs: range.beforeMs ?? LAST_MS,
    reference: '',
  };
  return {
    account,
    asOf,
    fromMs: range.fromMs ?? FIRST_MS,
    createdAtMs,
    reference,
    limit: SUMMED_ROWS,
    paidFromMs: paid && (paid.fromMs ?? FIRST_MS),
    paidBeforeMs: paid && (paid.beforeMs ?? LAST_MS),
    partMs: paid?.partMs ?? null,
    ...filter,
    status: filter.status ?? '',
    currency: filter.currency ?? '',
  };
}
