import pg from 'pg';
import type { Statement, Value, Values } from '../statement.ts';
import { type Numbered, numbered } from '../statement-text.ts';
import { type ReadStatement, readStatement } from './driver/index.ts';
import { selectOfAccount, type Topology } from './topology.ts';

export const DATABASE_NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export interface SentStatement<Row> extends ReadStatement<Row> {
  valuesOf: Numbered['valuesOf'];
}

/** Throws: Error if the statement has different texts for one server and for a cluster. */
export function sentStatement<Row>({ name, texts, readRow }: Statement<Row>): SentStatement<Row> {
  const written = texts.server ?? texts.cluster;
  if (written === undefined || (texts.cluster ?? written) !== written)
    throw new Error(`${name} has no text for PostgreSQL, or two`);
  const { text, valuesOf } = numbered(name, written, {
    databaseNowMs: DATABASE_NOW_MS,
    write: (number) => `$${number}`,
  });
  return { ...readStatement(text, readRow), valuesOf };
}

export function sentForAccount<Row>(
  topology: Topology,
  { name, texts, readRow }: Statement<Row>,
): SentStatement<Row> {
  const { text, valuesOf } = numbered(
    name,
    texts[topology === 'one server' ? 'server' : 'cluster'] as string,
    {
      databaseNowMs: DATABASE_NOW_MS,
      write: (number, parameter) =>
        parameter === 'account' && topology === 'one server' ? 'caller.account' : `$${number}`,
      first: ['account'],
    },
  );
  // OFFSET 0 keeps PostgreSQL from merging `text` with the query around it. If the merged query were planned
  // while the table is empty, this plan would stay in use, and later search the whole index for an id.
  const sent =
    topology === 'one server' ? selectOfAccount(topology, 'found.*', () => `${text}\nOFFSET 0`) : text;
  return { ...readStatement(sent, readRow), valuesOf };
}

export function scriptOf({ name, texts }: Statement, values: Values): string {
  const literal = (value: Value | undefined) =>
    typeof value === 'string' ? pg.escapeLiteral(value) : String(value ?? null);
  return numbered(name, texts.cluster as string, {
    databaseNowMs: DATABASE_NOW_MS,
    write: (_, parameter) => literal(values[parameter]),
  }).text;
}
