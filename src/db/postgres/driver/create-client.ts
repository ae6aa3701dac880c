/// <reference path="./pgpass.d.ts" />
import pg from 'pg';
import pgpass from 'pgpass';

/** A client that takes its password from the address, PGPASSWORD, or the file ~/.pgpass, as PostgreSQL's own programs do. */
export function createClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  // pg reads the file too, but warns that its next major version will not. Its types lack the function that it takes instead.
  const typed: { password?: unknown } = client;
  typed.password ??= () => passwordFromFile(client);
  return client;
}

const passwordFromFile = ({ host, port, database, user }: pg.Client) =>
  new Promise<string | undefined>((resolve) => pgpass({ host, port, database, user }, resolve));
