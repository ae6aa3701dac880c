import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/**
 * The parts of pg that the driver needs for batches and that pg's types lack (decisions/postgresql.md).
 * test/store/postgres/batch.test.ts fails if a new version of pg changes one of them.
 */
export interface PgInternals {
  readonly connection: {
    readonly stream: Duplex;
    /** Begins to read messages from a stream: called once, after TLS if there is any. */
    attachListeners(stream: Pick<EventEmitter, 'on'>): void;
  };
  _getActiveQuery(): unknown;
}

export const internalsOf = (client: pg.Client) => client as unknown as PgInternals;

/** pg's own query class. In pipeline mode, pg refuses queries whose class is not derived from it. */
export const PgQuery = pg.Query as unknown as new (text: string) => object;
