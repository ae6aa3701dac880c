import type { BackgroundConnections } from '../../../db/postgres/driver/index.ts';
import { sentForAccount } from '../../../db/postgres/sent-statement.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import { type Row, statementsOf, type Values } from '../../../db/statement.ts';
import type { Position } from '../../list/list.ts';
import { byIndexOfFilter, type ListedSummer, type ListedSumQuery, type ListedTotal } from '../total.ts';

/** Stand for the open ends of a range: no transaction is beyond them. */
const FIRST_MS = Number.MIN_SAFE_INTEGER;
const LAST_MS = Number.MAX_SAFE_INTEGER;

/** How many transactions one statement sums. This takes some 10 ms. */
const SUMMED_ROWS = 5000;

const written = statementsOf(new URL('./totals.sql', import.meta.url));

/** A total and the creation times of its first and last transaction; or the position where a step ends. */
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

/** Sums transactions up to a change, some thousand in each step. */
export function listedSummer(background: BackgroundConnections, topology: Topology): ListedSummer {
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
  // No reference is empty, so an empty one comes before all references of the same time.
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
