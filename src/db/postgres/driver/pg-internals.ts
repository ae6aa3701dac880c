import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** Parts that pg's types lack (decisions/postgresql.md). batch.test.ts fails if pg changes one of them. */
export interface PgInternals {
  readonly connection: {
    readonly stream: Duplex;
    /** Called once, after the TLS handshake if the connection has TLS. */
    attachListeners(stream: Pick<EventEmitter, 'on'>): void;
  };
  _getActiveQuery(): unknown;
}

export const internalsOf = (client: pg.Client) => client as unknown as PgInternals;

/** In pipeline mode, pg refuses queries whose class is not derived from this class. */
export const PgQuery = pg.Query as unknown as new (text: string) => object;
